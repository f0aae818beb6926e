"""Counts of hardware tests: closed forms against a walk cell by cell, and public measurements against predictions."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused

from dtmodel.studies.parameter_sheets import sheet
from dtmodel.switches import counts
from dtmodel.switches.chips import Chip, Reading, chips
from dtmodel.switches.counting import Path
from dtmodel.switches.profile import read_buffer_profile
from validation.support.measured import measurements

F = Fraction
FITTING = [name for name, each in measurements().items() if "needs" not in each.facts]
WEIGHTS = st.none() | st.sampled_from([F(0), F(1, 64), F(1, 8), F(1, 3), F(1, 2), F(1), F(2), F(8), F(64)])
CAPS = st.none() | st.integers(0, 90)


class Walk:
    """A tree of pool, ports and groups; a cell enters if no ancestor has reached its limit."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.held: dict[tuple[int, int], int] = {}

    def shared(self, group: tuple[int, int]) -> int:
        return max(0, self.held.get(group, 0) - self.path.own)

    def enters(self, group: tuple[int, int]) -> bool:
        path, port = self.path, sum(self.shared(each) for each in self.held if each[0] == group[0])
        free = path.pool - sum(map(self.shared, self.held))
        if self.held.get(group, 0) >= path.own:
            limits = [F(10**9)]
            limits += [] if path.port[0] is None else [path.port[0] * free]
            limits += [] if path.port[1] is None else [F(path.port[1])]
            limited = path.port != (None, None)
            room = min(limits) - port if path.nested and limited else F(free)
            own = [] if path.alpha is None else [path.alpha * max(room, F(0))]
            own += [] if path.cap is None else [F(path.cap)]
            if free < 1 or port >= min(limits) or self.shared(group) >= min(own, default=F(10**9)):
                return False
        self.held[group] = self.held.get(group, 0) + 1
        return True

    def fill(self, group: tuple[int, int]) -> int:
        while self.enters(group):
            pass
        return self.held.get(group, 0)


PATHS = st.builds(
    lambda own, pool, alpha, cap, weight, most, nested: Path(
        own, pool, alpha, cap, (weight, None if weight is not None else most), nested
    ),
    st.integers(0, 5), st.integers(0, 80), WEIGHTS, CAPS, WEIGHTS, CAPS, st.booleans(),
)  # fmt: skip


@settings(deadline=None, max_examples=150)
@given(PATHS, st.integers(1, 3))
def test_groups_filled_one_after_another_hold_what_a_walk_cell_by_cell_admits(path: Path, per_port: int) -> None:
    walk, taken, beside = Walk(path), 0, 0
    for number in range(5):
        beside = beside if number % per_port else 0
        stored = path.stored(taken, beside)
        assert walk.fill((number // per_port, number % per_port)) == path.own + stored
        taken, beside = taken + stored, beside + stored


@settings(deadline=None, max_examples=60)
@given(PATHS, st.integers(1, 6))
def test_groups_filled_in_turn_hold_the_closed_form_within_a_cell(path: Path, groups: int) -> None:
    walk, open_ = Walk(path), set(range(groups))
    while open_:
        open_ = {group for group in sorted(open_) if walk.enters((group, 0))}
    for group in range(groups):
        assert abs(walk.held.get((group, 0), 0) - path.own - path.together(groups)) <= 1


@pytest.mark.parametrize("name", FITTING)
def test_a_public_measurement_lies_within_the_margin_of_its_test(name: str) -> None:
    assert measurements()[name].fits(), (measurements()[name].predicted(), measurements()[name].expected)


@pytest.mark.parametrize("name", sorted(set(measurements()) - set(FITTING)))
def test_a_number_that_does_not_fit_says_what_it_needs(name: str) -> None:
    measured = measurements()[name]
    assert not measured.fits()
    assert measured.facts["needs"]


@pytest.mark.parametrize(
    "part", ["ingress_slices", "pool_holds", "size_holds_headroom", "headroom_of", "lost_headroom"]
)
def test_each_part_of_a_reading_is_seen_by_some_measurement(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    other: dict[str, Any] = {"ingress_slices": 3, "pool_holds": ("sizes", "headroom"), "headroom_of": "queue",
                             "size_holds_headroom": "always", "lost_headroom": 7}  # fmt: skip
    for made in chips().values():
        monkeypatch.setitem(made.__dict__, part, other[part])
    assert not all(measurements()[name].fits() for name in FITTING)


def test_every_chip_has_a_source_or_says_that_it_is_inferred() -> None:
    assert list(chips()) == ["generic", "td2", "td3", "th", "th2", "th3", "th5", "th6", "spectrum1", "spectrum2",
                             "spectrum3", "spectrum4", "spectrum5"]  # fmt: skip
    for made in chips().values():
        assert all(evidence for _, _, evidence in made.parts())
        assert set(made.evidence) <= {name for name, _, _ in made.parts()}


def config(**group: Any) -> dict[str, Any]:
    pool = {"type": "ingress", "mode": "dynamic", "size": "100000"} | group.pop("pool", {})
    return {
        "BUFFER_POOL": {"p": pool},
        "BUFFER_PROFILE": {"x": {"pool": "p", "size": "1000", "xoff": "3000", "dynamic_th": "0"} | group},
        "BUFFER_PG": {"Ethernet0,Ethernet4|3-4": {"profile": "x"}},
    }


@pytest.mark.parametrize(
    ("chip", "own"),
    [("generic", 0), ("td2", 0), ("spectrum2", 0), *((f"t{name}", 50) for name in ("d3", "h", "h2", "h3", "h5", "h6"))],
)
def test_a_size_without_shared_headroom_contains_the_headroom_on_some_chips_only(chip: str, own: int) -> None:
    assert counts(config(size="50", xoff="50"), chip=chip, packet=1, cell=1)["counts"]["fill_min"] == own


def test_a_pool_of_a_tomahawk_5_without_shared_headroom_is_said_to_be_one_slice() -> None:
    said = "p: no shared headroom: read as one slice (inferred)"
    assert said in sheet("profile", config(), chip="th5").warnings
    assert said not in sheet("profile", config(pool={"xoff": "5000"}), chip="th5").warnings
    assert said not in sheet("profile", config(), chip="th3").warnings


def test_a_packet_of_several_cells_and_an_overhead_count_cells() -> None:
    one = counts(config(), packet=200, cell=100)["counts"]
    assert (one["trig_pfc"], one["fill_min"], one["trig_ingr_drp"]) == (255, 5, 255 + 15 + 1)
    assert counts(config(), packet=160, cell=100, overhead=40)["counts"] == one
    assert counts(config(), packet=160, cell=100, overhead=41)["counts"]["trig_pfc"] == 510 // 3


def test_no_count_exceeds_the_descriptors() -> None:
    found = counts(config(), packet=64, cell=100, descriptors=100)["counts"]
    assert (found["trig_pfc"], found["trig_pfc_multi"][0]) == (100, 100)


def test_groups_are_filled_together_or_one_after_another() -> None:
    assert counts(config(), packet=64, cell=100, groups=3)["counts"]["trig_pfc_multi"] == [510, 260, 135]
    together = counts(config(), packet=64, cell=100, fill="together", groups=3)["counts"]
    assert together["trig_pfc_multi"] == [260] * 3


def test_a_pause_ends_by_the_offset_or_at_xon() -> None:
    offset = counts(config(xon="500", xon_offset="1050"), packet=64, cell=100)["counts"]
    assert offset["dismiss_pfc"] == 11
    without = counts(config(xon="500"), packet=64, cell=100)["counts"]
    assert (without["trig_pfc"], without["dismiss_pfc"]) == (510, 510 - 5 + 1)
    assert counts(config(), packet=64, cell=100)["counts"]["dismiss_pfc"] is None


def test_the_hysteresis_is_the_part_of_the_size_beyond_xon_and_xoff() -> None:
    found = counts(config(size="5000", xon="500"), packet=64, cell=100)["counts"]
    assert (found["hysteresis"], found["fill_min"], found["trig_pfc"]) == (15, 20, 520)


@pytest.mark.parametrize(
    ("given_", "field"),
    [
        ({"chip": "th7"}, "chip"), ({"group": 5}, "group"), ({"queue": "Ethernet0|0"}, "queue"),
        ({"fill": "both"}, "fill"), ({"groups": 0}, "groups"), ({"packet": 0}, "packet"), ({"cell": 0}, "cell"),
        ({"overhead": "-1"}, "overhead"), ({"descriptors": 0}, "descriptors"),
        ({"lossless_groups": 0}, "lossless_groups"), ({"memory": "no"}, "memory"), ({"groups": 10**9}, "groups"),
    ],
)  # fmt: skip
def test_a_setting_that_is_not_accepted_is_named(given_: dict[str, Any], field: str) -> None:
    with refused(field):
        counts(config(), **{"packet": 64, **given_})


def test_the_rest_of_a_file_may_be_missing() -> None:
    document = config()
    document["BUFFER_PROFILE"]["x"].pop("xoff")
    answer = counts(document, packet=64)
    assert (answer["counts"]["trig_pfc"], answer["counts"]["trig_pfc_multi"], answer["refused_by"]) == (None, [], {})
    assert counts(config() | {"BUFFER_PG": {}}, packet=64)["counts"]["trig_egr_drp"] is None


def test_a_reading_asks_for_the_lossless_groups_of_the_whole_switch() -> None:
    reading = Reading(Chip("x", 1, pool_holds=("reserves",)), read_buffer_profile(config()), F(100))
    pool = reading.config.pools["p"]
    assert reading.inside(pool) == {"reserves": 4 * 10}
    assert Reading(reading.chip, reading.config, F(100), 64).shared(pool, "ingress") == 1000 - 640


def test_a_queue_with_two_profiles_has_the_later_one_and_a_warning() -> None:
    document = config()
    document["BUFFER_PROFILE"]["y"] = document["BUFFER_PROFILE"]["x"] | {"dynamic_th": "1"}
    document["BUFFER_PG"] |= {"Ethernet0|4": {"profile": "y"}, "Ethernet4|4": {"profile": "x"}}
    read = read_buffer_profile(document)
    assert (read.ingress["Ethernet0|3"], read.ingress["Ethernet0|4"]) == ("x", "y")
    assert read.warnings == ("Ethernet0|4 has the profiles x and y, and the later one is read",)


@pytest.mark.parametrize("key", ["size", "xoff", "xon", "xon_offset", "static_th"])
def test_a_size_has_at_most_64_bits(key: str) -> None:
    document = config(**{key: str(2**64 - 1)})
    document["BUFFER_PROFILE"]["x"].pop("dynamic_th", None) if key == "static_th" else None
    read_buffer_profile(document)
    document["BUFFER_PROFILE"]["x"][key] = "9" * 5000
    with refused(f"BUFFER_PROFILE.x.{key}", "9" * 5000, "a size below 2^64 bytes"):
        read_buffer_profile(document)
    for key_of_pool in ("size", "xoff"):
        with refused(f"BUFFER_POOL.p.{key_of_pool}", str(2**64), "a size below 2^64 bytes"):
            read_buffer_profile(config(pool={key_of_pool: str(2**64)}))


def test_a_packet_may_have_more_digits_than_python_writes() -> None:
    assert counts(config(), packet="9" * 5000, cell=100)["counts"]["trig_pfc"] == 0
    assert sheet("profile", config(), packet="9" * 5000, cell=100)["counts.packet_cells"] == 10**4998
