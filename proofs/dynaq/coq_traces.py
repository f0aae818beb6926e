"""What DynaQ's port can do for ever, round robin, dropping PMSB and cycles, as checked by Coq's kernel."""

from __future__ import annotations

from dtmodel.ledger import Outcome, evidence
from dtmodel.provers import coq

STATES = "dynaq_traces_instance"


@evidence("dynaq.ours.starved", form="printed", strength="kernel")
def coq_a_starved_queue() -> Outcome:
    """Coq: an endless run of rounds with 2 and 3 queues, both checks; the starved queue is empty at each service."""
    return coq.theorem("dynaq_starved", example={"M": "2", "B": "2", "S": "1, 1", "size(P)": "1"})


@evidence("dynaq.ours.starved-by-thresholds", form="printed", strength="kernel")
def coq_a_queue_starved_by_thresholds() -> Outcome:
    """Coq: an endless run in which line 3 refuses every packet of two bytes, with two bytes free."""
    return coq.theorem("dynaq_starved_by_thresholds", example={"M": "2", "B": "4", "T": "1, 3", "q": "0, 2"})


@evidence("dynaq.ours.half-forever", form="printed", strength="kernel")
def coq_half_of_the_buffer_for_ever() -> Outcome:
    """Coq: with ties to the low index no threshold moves while queues 1 and 2 are active: at most 4 of 8 bytes."""
    return coq.theorem("dynaq_half_forever", example=STATES)


@evidence("dynaq.ours.pmsb", form="printed", strength="kernel")
def coq_dropping_pmsb() -> Outcome:
    """Coq: any queues, sizes and traffic: within K_i never refused, 2 K never held."""
    return coq.theorem("dynaq_pmsb", example=STATES)


@evidence("dynaq.ours.backlogged", form="printed", strength="kernel")
def coq_a_backlogged_queue_gets_its_share() -> Outcome:
    """Coq: round robin over two queues serves one that is never empty at least every second time."""
    return coq.theorem("dynaq_backlogged", example={"busy": "both queues", "n": "2", "served": "1"})


@evidence("dynaq.ours.cycles", form="printed", strength="kernel")
def coq_cycles() -> Outcome:
    """Coq: 1 + log2 M + 2 + 1."""
    return coq.theorem("dynaq_cycles", example={"M": "8", "cycles": "7"})


@evidence("dynaq.ours.alone", form="printed", strength="kernel")
def coq_one_active_queue() -> Outcome:
    """Coq: the bound for any S, whatever came before; and from the start T_p is the one value that the loop ends at."""
    coq.theorem("dynaq_alone", example="dynaq_instance")
    return coq.theorem("dynaq_threshold_alone", example="dynaq_alone_instance")


@evidence("dynaq.ours.leapfrog", form="printed", strength="kernel")
def coq_two_queues_leapfrog() -> Outcome:
    """Coq: a run: a lent byte changes hands three times, each time with a packet admitted, up to 8 of 8 bytes."""
    return coq.theorem("dynaq_leapfrog", example={"B": "8", "M": "4", "q": "4, 4, 0, 0", "T": "2, 3, 1, 2"})


@evidence("dynaq.sec1.not-take@threshold", form="printed", strength="kernel")
def coq_an_unsatisfied_active_queue_gives_nothing() -> Outcome:
    """Coq: no step lowers T_i of a queue with q_i > 0 and T_i < S_i, under either line 2."""
    return coq.theorem("dynaq_not_taken", example={"T": "1, 3", "S": "2, 2", "q": "1, 0"})
