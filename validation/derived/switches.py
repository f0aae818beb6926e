"""Buffer configurations of real switches: public numbers of hardware tests against the readings of the chips."""

from collections import Counter

from dtmodel.ledger import Agrees, Outcome, check, evidence, refuted_by_values
from dtmodel.switches.cables import parameters

from ..support.measured import measurements

TESTS = {"td2": (2, 3), "th": (7, 15), "th2": (4, 6), "th3": (4, 8), "th5": (6, 10), "th6": (1, 2),
         "spectrum1": (2, 4), "spectrum2": (1, 2), "spectrum4": (2, 2), "td3": (1, 4)}  # fmt: skip
"""Of each chip the public tests, and the numbers in them, that the claims speak of; a sequence is one number."""


@evidence(
    "derived.ours.switch-td2",
    "derived.ours.switch-th",
    "derived.ours.switch-th2",
    "derived.ours.switch-th3",
    "derived.ours.switch-th6",
    "derived.ours.switch-spectrum1",
    "derived.ours.switch-spectrum2",
    "derived.ours.switch-th5",
    "derived.ours.switch-spectrum4",
    "derived.ours.switch-td3",
    form="printed", strength="exact",
)  # fmt: skip
def predictions_lie_within_the_margins_of_public_tests() -> Outcome:
    """Predict the numbers of every test from its configuration, and compare them with the measured ones."""
    fitting = [measured for measured in measurements().values() if "needs" not in measured.facts]
    numbers = Counter[str]()
    for measured in fitting:
        check(measured.fits(), f"{measured.facts['id']}: {measured.predicted()}")
        numbers[measured.facts["chip"]] += len(measured.expected)
    tests = Counter(measured.facts["chip"] for measured in fitting)
    found = {chip: (tests[chip], numbers[chip]) for chip in tests}
    check(found == TESTS, f"tests and numbers of each chip: {found}")
    return Agrees(len(fitting), "the public tests of ten chips; 64-byte packets, blocked outputs")


HEADROOMS = (("300m", 400, 144, 0, 272_384), ("40m", 100, 144, 0, 51_200), ("300m", 800, 192, 12_000, 474_112),
             ("40m", 200, 192, 3_000, 65_536))  # fmt: skip
"""Cable, Gbps, cell, bytes during the delay of a tile (on Spectrum-4 15 for each Gbps), and the stated headroom."""


@evidence("derived.ours.switch-headroom", form="printed", strength="exact")
def the_headroom_of_a_vendor_follows_from_its_rule() -> Outcome:
    """Compute the headroom of four links, with a MAC and PHY delay of 0.8 KiB and half of the packets of 64 bytes."""
    for cable, rate, cell, tile, stated in HEADROOMS:
        made = parameters(cable=cable, rate=f"{rate} Gbps", cell=cell, mac_phy="819.2", pipeline=tile)["vendor"]
        check(made == stated, f"{rate} Gbps over {cable}: {made}")
    return Agrees(len(HEADROOMS), "links of Spectrum-3 and Spectrum-4")


def _refuted(name: str, count: str) -> Outcome:
    measured = measurements()[name]
    values = {"measured": measured.expected[count], "predicted": measured.predicted()[count]}
    margin = measured.facts["margin"]
    statement = f"measured - predicted <= {margin} and predicted - measured <= {margin}"
    return refuted_by_values(values, statement, f"it needs {measured.facts['needs']}")


@evidence("derived.ours.switch-td3-egress", form="printed", strength="exact")
def the_pause_of_a_trident_3_leaves_out_lossy_reserves() -> Outcome:
    """Predict the pause without the reserves of the lossy egress queues."""
    return _refuted("td3-c32-t1", "trig_pfc")


@evidence("derived.ours.switch-th3-dismiss", form="printed", strength="exact")
def three_cells_more_dismiss_a_pause_of_tomahawk_3() -> Outcome:
    """Predict the cells that dismiss a pause from xon_offset alone."""
    return _refuted("th3-dismiss", "dismiss_pfc")


@evidence("derived.ours.switch-th5-pause", form="printed", strength="exact")
def the_pause_of_a_tomahawk_5_leaves_out_cells() -> Outcome:
    """Predict the pause from the shared headroom and the reserves of the file."""
    return _refuted("th5-ft2-pause", "trig_pfc")
