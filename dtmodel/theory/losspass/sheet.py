"""The parameter sheet of LossPass and ECN for one port: both absorbable bursts, utilisation, the least K."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from dtmodel.base import units
from dtmodel.base.errors import InputError
from dtmodel.base.units import Quantity, brief, bytes_, number, plain, rate, show_bytes, show_rate, show_seconds
from dtmodel.theorems.operations import greatest
from dtmodel.theorems.writing import tex_of
from dtmodel.theory.dynaq.formulas import bdp
from dtmodel.theory.losspass.ecn import (
    Sawtooth,
    full_link,
    least_threshold,
    length_within,
    total_less,
    uncut,
    used_once_an_actual_trip,
)
from dtmodel.theory.losspass.formulas import Comparison, beyond_reserve, compare_with_ecn, equal_share
from dtmodel.theory.sheet import Explanation, Sheet, SheetRow, explained

_SYNCHRONISED = "N synchronised windows that grow by one segment a round trip, and marks obeyed one round trip later"
_PAPER = "LossPass paper"
_LONGEST, _LOSSPASS, _ECN = r"q_{max}^{ECN}", r"\mu_{max}^{LP}", r"\mu_{max}^{ECN}"


@dataclass(frozen=True)
class _Given:
    """The checked inputs of the sheet."""

    rate: Fraction
    rtt: Fraction
    buffer: Fraction
    flows: int
    threshold: Fraction
    tau: Fraction
    reserve: Fraction
    segment: Fraction
    cut: Fraction

    @property
    def bdp(self) -> Fraction:
        return Fraction(bdp(self.rate, self.rtt))

    def sawtooth(self, threshold: Fraction) -> Sawtooth:
        return Sawtooth(self.bdp, threshold, self.flows, self.cut, self.segment, self.buffer)


def parameters(
    *,
    rate_: Quantity,
    rtt: Quantity,
    buffer: Quantity,
    flows: int,
    threshold: Quantity,
    tau: Quantity,
    reserve: Quantity = 0,
    segment: Quantity = 1500,
    cut: Quantity = "1/2",
) -> Sheet:
    """Compute the sheet for C bytes/s, a base RTT in seconds, N `flows`, and lengths in bytes.

    K and B_l may be "45 packets" of `segment` bytes; `tau` is the share of buffered bytes in large flows, `cut` the
    share by which a mark shrinks a window: 1/2, or alpha/2 for DCTCP. Raises `InputError` for B_l > B, K < 0, tau
    outside [0, 1], or cut outside (0, 1].
    """
    size = bytes_(segment, "segment", positive=True)
    given = _Given(
        rate(rate_, "rate", positive=True),
        units.seconds(rtt, "rtt", positive=True),
        bytes_(buffer, "buffer", positive=True),
        units.count(flows, "flows", least=1),
        _length(threshold, "threshold", size),
        number(tau, "tau"),
        _length(reserve, "reserve", size),
        size,
        number(cut, "cut", positive=True),
    )
    if given.cut >= 1:
        raise InputError("cut", cut, "a share greater than 0 and less than 1")
    if given.tau > 1:
        raise InputError("tau", tau, "a share from 0 to 1")
    if given.reserve > given.buffer:
        raise InputError("reserve", reserve, f"at most the buffer, {show_bytes(given.buffer)}")
    both = compare_with_ecn(
        given.buffer, given.threshold, given.flows, given.tau, reserve=given.reserve, segment=given.segment
    )
    rows = (*_bursts(given, both), *_throughput(given))
    made = explained(rows, _EXPLANATIONS, _numbers(given, both))
    return Sheet("LossPass and ECN for one port", made, tuple(_warnings(given, both)))


def _numbers(given: _Given, both: Comparison) -> dict[str, str]:
    """Return the values of the symbols in the formulas."""
    sizes = {
        "D": given.bdp, "B": given.buffer, "K": given.threshold, "B_l": given.reserve, "a": given.segment,
        _LONGEST: given.sawtooth(given.threshold).largest_queue, _LOSSPASS: both.losspass, _ECN: both.ecn,
    }  # fmt: skip
    plain_numbers = {r"\tau": plain(given.tau), r"\beta": plain(given.cut), "N": str(given.flows)}
    rates = {"C": brief(show_rate(given.rate)), "RTT": brief(show_seconds(given.rtt))}
    return {name: brief(show_bytes(size)) for name, size in sizes.items()} | plain_numbers | rates


_PACKETS = re.compile(r"(.*\d)\s*(?:packets?|pkts?)\s*", re.IGNORECASE)
"""The pattern of a number of packets, a length once the size of a packet is known."""


def _length(value: Quantity, field: str, segment: Fraction) -> Fraction:
    if isinstance(value, str) and (packets := _PACKETS.fullmatch(value)):
        return number(packets[1], field) * segment
    return bytes_(value, field)


def _bursts(given: _Given, both: Comparison) -> Iterator[SheetRow]:
    share = tex_of(equal_share, "B", _LONGEST, "B_l")
    larger = tex_of(lambda tau, *of: tau > equal_share(*of), "tau", "B", _LONGEST, "B_l")
    q = given.sawtooth(given.threshold).largest_queue
    yield SheetRow("bdp", "D", given.bdp, "bytes", tex_of(bdp, "C", "RTT"), f"{_PAPER}, Section 2.2")
    yield SheetRow(
        "q_max_ecn", _LONGEST, q, "bytes", tex_of(length_within, *"BKNa"), f"{_PAPER}, equation (4)", _SYNCHRONISED
    )
    yield SheetRow(
        "mu_ecn", _ECN, both.ecn, "bytes", tex_of(total_less, "B", _LONGEST), f"{_PAPER}, equation (5)",
        "an instant burst that meets the port at its longest queue",
    )  # fmt: skip
    yield SheetRow(
        "mu_losspass", _LOSSPASS, both.losspass, "bytes", tex_of(beyond_reserve, "B", "tau", "B_l"),
        f"{_PAPER}, equation (6), with the reserve", "a full port, and no packet of Q_l smaller than an arriving one",
    )  # fmt: skip
    yield SheetRow(
        "difference", f"{_LOSSPASS} - {_ECN}", both.losspass - both.ecn, "bytes", tex_of(total_less, _LOSSPASS, _ECN),
        "losspass.ours.exact-condition",
    )  # fmt: skip
    source, exceeds = "losspass.ours.exact-condition", "LossPass absorbs more iff tau exceeds it"
    yield SheetRow("larger", r"\text{larger}", both.larger, "", larger, source)
    yield SheetRow("least_tau", r"\tau_{min}", both.least_share, "", share, source, exceeds)


def _throughput(given: _Given) -> Iterator[SheetRow]:
    ecn, full = given.sawtooth(given.threshold), given.sawtooth(given.buffer)
    least = least_threshold(given.bdp, given.flows, given.cut, given.segment)
    never_idle = tex_of(lambda D, N, beta, a: greatest(0, full_link(D, N, beta, a)), "D", "N", "beta", "a")
    fills = tex_of(lambda D, q, beta: uncut(beta, D + q) >= D, "D", _LONGEST, "beta")
    formula = rf"{tex_of(used_once_an_actual_trip, *'DWm')}, \ m = {tex_of(uncut, 'beta', 'W')}, \ W = D + "
    used, source = ecn.utilisation(), "losspass.ours.utilisation"
    yield SheetRow("utilisation_ecn", r"U_{ECN}", used, "", formula + _LONGEST, source, _SYNCHRONISED)
    yield SheetRow("line_rate", r"U_{ECN} = 1", ecn.line_rate, "", fills, "losspass.ours.line-rate", _SYNCHRONISED)
    yield SheetRow(
        "least_threshold", r"K_{min}", least, "bytes", never_idle,
        "losspass.ours.line-rate", _SYNCHRONISED + ", and K_min + N a <= B",
    )  # fmt: skip
    cut = "large flows unmarked and cut by the same share at losses at B"
    yield SheetRow("utilisation_losspass", r"U_{LP}", full.utilisation(), "", formula + "B", source, cut)


def _warnings(given: _Given, both: Comparison) -> Iterator[str]:
    marked = given.threshold + given.flows * given.segment
    if marked > given.buffer:
        yield (
            f"K + N a = {show_bytes(marked)} exceeds the buffer: the queue is cut by losses at B, not by marks, and "
            "ECN leaves no headroom."
        )
    if given.buffer < given.bdp:
        yield "The buffer is smaller than C RTT, so the paper's assumption B >= C RTT does not hold here."
    if not given.sawtooth(given.threshold).line_rate:
        yield "K is too small for line rate under ECN with this cut."
    if not given.sawtooth(given.buffer).line_rate:
        yield "Even a full buffer is too small for line rate with this cut."
    if both.losspass == 0 and given.tau > 0:
        yield "B_l covers all bytes of large flows: LossPass cannot evict at a full port and absorbs nothing."
    if both.larger == "ecn":
        yield "LossPass absorbs less than ECN here: mu_LP > mu_ECN needs tau above least_tau."
    if given.reserve > 0:
        yield (
            "B_l limits evictions only: line 12 still lets Q_s fill the whole port, and under strict priority no "
            "reserve keeps Q_l from waiting forever."
        )
    yield (
        "One packet of Q_l that is smaller than the arriving ones and lies at its tail blocks every eviction: a "
        "full port then absorbs nothing."
    )


_EXPLANATIONS: dict[str, Explanation] = {
    "bdp": ("guarantees", "The bytes in flight on an idle path: only a queue covers cuts of them.", ""),
    "q_max_ecn": ("guarantees", "With ECN the queue of the large flows grows to this.", "losspass.eq4"),
    "mu_ecn": ("guarantees", "With ECN a burst of this size is taken in without loss.", "losspass.eq5"),
    "mu_losspass": ("guarantees", "With LossPass a burst of this size is taken in without loss.",
                    "losspass.ours.reserve-burst"),
    "difference": ("guarantees", "LossPass absorbs this much more; negative if less.", "losspass.ours.exact-condition"),
    "larger": ("guarantees", "The mechanism that absorbs the larger burst.", "losspass.ours.exact-condition"),
    "least_tau": ("inverse questions", "The share of large flows above which LossPass takes in more than ECN.",
                  "losspass.ours.exact-condition"),
    "utilisation_ecn": ("guarantees", "The share of the line that the large flows use with ECN.",
                        "losspass.ours.utilisation"),
    "line_rate": ("guarantees", "True if they use all of it with ECN.", "losspass.ours.line-rate"),
    "least_threshold": ("settings", "Set K to at least this: with less the large flows lose line rate.",
                        "losspass.ours.line-rate"),
    "utilisation_losspass": ("guarantees", "The share of the line that they use with LossPass.",
                             "losspass.ours.utilisation"),
}  # fmt: skip
"""The group of each row, its meaning, and its claim."""
