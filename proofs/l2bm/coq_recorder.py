"""Algorithm 1 of L2BM over every list of events, as checked by Coq's kernel."""

from __future__ import annotations

from dtmodel.ledger import Outcome, Proved, evidence
from dtmodel.provers import coq

_LATE = {"events": "arrive 0 due 1, arrive 0 due 3, depart 2 (the first)", "t_total": "2"}
"""One packet leaves 1 s late, one is present; t_prev = 0: the printed total is (3 - 0) + (1 - 2)."""

_ON_TIME = {"events": "arrive 0 due 1, arrive 0 due 2, arrive 0 due 3, depart 1 (the first)", "mean": "2, then 5/2"}


@evidence("l2bm.ours.bookkeeping", form="printed", strength="kernel")
def coq_bookkeeping() -> Outcome:
    """Coq: the printed total after every list of arrivals and departures, in any order."""
    return coq.theorem("l2bm_bookkeeping", example=_LATE)


@evidence("l2bm.ours.clocked", form="printed", strength="kernel")
def coq_clocked() -> Outcome:
    """Coq: the clocked total after every list of events, and that it is current while packets leave when due."""
    return coq.theorem("l2bm_clocked", example={**_LATE, "t_total": "0"})


@evidence("l2bm.ours.stamped", form="printed", strength="kernel")
def coq_stamped() -> Outcome:
    """Coq: the stamped total has no error, whenever packets leave."""
    return coq.theorem("l2bm_stamped", example={**_LATE, "t_total": "1"})


@evidence("l2bm.ours.reset", form="printed", strength="kernel")
def coq_reset() -> Outcome:
    """Coq: the error of the reset total is that of the current busy period."""
    return coq.theorem("l2bm_reset", example={**_LATE, "t_total": "0"})


@evidence("l2bm.ours.current", form="printed", strength="kernel")
def coq_current() -> Outcome:
    """Coq: the reader's repair is the average of what is left now, and the clocked average on every trace."""
    return coq.theorem("l2bm_current", example=_ON_TIME)


@evidence("l2bm.ours.pause-aware", form="printed", strength="kernel")
def coq_pause_aware() -> Outcome:
    """Coq: on a clock that stands still in a pause the run is that without the pause."""
    return coq.theorem(
        "l2bm_pause_aware", example={"before": "arrive 0 due 2", "p": "1", "P": "7", "after": "depart 2"}
    )


@evidence("l2bm.ours.pause-error", form="printed", strength="kernel")
def coq_pause_error() -> Outcome:
    """Coq: m packets that leave P later lower the printed total by m P, whatever follows."""
    return coq.theorem("l2bm_pause_error", example="l2bm_pause_error_instance")


@evidence("l2bm.ours.stale-mean", form="printed", strength="kernel")
def coq_stale_mean() -> Outcome:
    """Coq: a departure on time does not lower the printed average, which is never below the average of what is left."""
    return coq.theorem("l2bm_stale_mean", example=_ON_TIME)


@evidence("l2bm.ours.can-be-negative", form="printed", strength="kernel")
def coq_can_be_negative() -> Outcome:
    """Coq: one late packet leaves a negative total, which stays while nothing arrives."""
    return coq.theorem("l2bm_can_be_negative", example={"t": "0", "q": "1", "mu": "1", "a": "2", "t_total": "-1"})


@evidence("l2bm.ours.can-be-zero", form="printed", strength="kernel")
def coq_can_be_zero() -> Outcome:
    """Coq: a late packet and a new one: one packet is queued and the average is 0."""
    return coq.theorem("l2bm_can_be_zero", example={"events": "arrive 0 due 1, depart 2, arrive 2 due 3", "mean": "0"})


@evidence("l2bm.ours.drift", form="printed", strength="kernel")
def coq_drift() -> Outcome:
    """Coq: m packets, each late by d, leave - m d; there are such runs below every bound."""
    below = coq.theorem("l2bm_drift_unbounded", example={"d": "1", "M": "-10", "m": "11"})
    if not isinstance(below, Proved):
        return below
    return coq.theorem("l2bm_drift", example="l2bm_drift_unbounded")


@evidence("l2bm.ours.idle-lines", form="printed", strength="kernel")
def coq_idle_lines() -> Outcome:
    """Coq: the arrival without lines 3, 5, 6 and 7 is the same, and any t_prev is as good without a packet."""
    return coq.theorem("l2bm_idle_lines", example={"N": "0", "t_now": "5", "t_prev": "99", "q": "1", "mu": "1"})
