"""Section 3.2.4 and line 15: ECN marks; proofs."""

import sympy as sp

from dtmodel.ledger import Outcome, check, evidence
from dtmodel.ledger.provers import smt
from dtmodel.ledger.provers.symbolic_execution import PathCondition, all_of, same

from . import step
from .arrivals import Arrived, B, P, arrivals, both, evicts, holds, k_l, k_p, k_s, l


@evidence("losspass.alg1.line15", form="repaired", strength="smt")
def with_line_15_mended_every_marked_packet_is_buffered() -> Outcome:
    """Intended, any thresholds of queues and port: no path marks a packet that is not left."""
    return holds("intended", lambda a: a.left or not a.marked, "marked, so buffered", marks=(True, True, True))


@evidence("losspass.sec3.2.4.per-port", form="printed", strength="smt")
def a_small_packet_is_marked_for_the_bytes_of_large_ones() -> Outcome:
    """Per-port marking: if the large packets alone exceed K, a small packet that is buffered is marked."""
    return holds(
        "intended", lambda a: True if a.marked else a.after.l <= k_p, "marked whenever Q_l exceeds K",
        marks=(False, False, True), where=lambda a: a.kind == "small" and a.left,
    )  # fmt: skip


@evidence("losspass.sec3.2.4.ks", "losspass.sec3.2.4.only-large", "losspass.slides.ks", form="printed", strength="smt")
def with_k_s_at_b_no_path_marks_a_small_packet() -> Outcome:
    """K_s = B and any K_l: the paths that mark a small packet are impossible."""
    return both(
        lambda a: a.kind == "large" or not a.marked, "no small packet is marked",
        marks=(True, True, False), given=(same(k_s, B),),
    )  # fmt: skip


@evidence("losspass.sec3.2.4.ks", "losspass.ours.ecn-b", form="printed", strength="smt")
def a_threshold_of_the_whole_buffer_never_marks() -> Outcome:
    """The length of a queue is at most B, so it exceeds no K >= B."""
    K = sp.Symbol("K", real=True)
    return smt.prove([*step.STATE, K >= step.B], [step.s <= K, step.s + step.l <= K]).proved()


@evidence("losspass.sec3.2.4.queueing", form="printed", strength="smt")
def no_decision_looks_at_marks_or_thresholds() -> Outcome:
    """With thresholds every path is one of the paths without, continued by comparisons with K after the decision."""
    plain = {(path.result.kind, path.decisions): path.result for path in arrivals("intended")}
    thresholds = {k.text for k in (k_s, k_l, k_p)}
    for path in arrivals("intended", (True, True, True)):
        marking = [i for i, decision in enumerate(path.decisions) if decision.names & thresholds]
        first = marking[0] if marking else len(path.decisions)
        decided = plain.get((path.result.kind, path.decisions[:first]))
        check(marking == list(range(first, len(path.decisions))), f"a comparison after K: {path.decisions}")
        check(decided is not None and decided.step == path.result.step, f"{path.decisions}")
    return holds("intended", lambda a: a.left, "an eviction takes place whatever is marked", where=evicts,
                 marks=(True, True, True))  # fmt: skip


@evidence("losspass.ours.evicts-marks", form="printed", strength="smt")
def marks_are_set_at_the_tail_and_leave_from_it() -> Outcome:
    """Inductive: a packet of Q_l is marked iff the bytes up to it exceed K_l, as long as Q_l is not served.

    A large packet enters as the last and is marked iff the length with it exceeds K_l; a small one is never marked
    (K_s = B); an eviction takes the last. So the marked packets are the last ones, and leave first.
    """

    def at_the_tail(a: Arrived) -> PathCondition:
        if a.kind == "small":
            return all_of(not a.marked, a.changes(enters=a.left, leaves=-1 if a.evicts else None))
        if not a.left:
            return all_of(not a.marked, a.changes())
        exceeds = l + P > k_l
        return all_of(a.changes(enters=True), exceeds if a.marked else ~exceeds)

    proof = holds("intended", at_the_tail, "marks are set and lost at the tail of Q_l", marks=(True, True, False),
                 given=(same(k_s, B),))  # fmt: skip
    up_to, between, threshold = sp.symbols("up_to between K_l", nonnegative=True)
    smt.prove([up_to > threshold], up_to + between > threshold)  # a later packet has at least as many bytes up to it
    return proof
