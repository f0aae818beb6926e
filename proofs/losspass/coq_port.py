"""LossPass's port under Algorithm 1, as checked by Coq's kernel for all traces: `proofs/coq/LossPass*.v`."""

from __future__ import annotations

from dtmodel.ledger import Outcome, evidence
from dtmodel.provers import coq

RUN = "losspass_instance"  # a trace with an eviction, and the same trace under tail drop and as printed
STEP = "losspass_lines_instance"  # a full port and a small packet that evicts
PAIRS = "losspass_pairs_instance"  # the trace of RUN, alone and under another policy
READINGS = "losspass_readings_instance"


@evidence("losspass.ours.feasible", form="printed", strength="kernel")
def coq_never_more_than_the_buffer() -> Outcome:
    """Coq: for every reading, trace and scheduler at most B bytes are buffered."""
    return coq.theorem("losspass_feasible", example=RUN)


@evidence("losspass.alg1.line1", form="printed", strength="kernel")
def coq_line_1() -> Outcome:
    """Coq: the test says whether the packet fits, and what is buffered always fits."""
    return coq.theorem("losspass_line1", "losspass_feasible", example=RUN)


@evidence("losspass.ours.balance", form="printed", strength="kernel")
def coq_packets_balance() -> Outcome:
    """Coq: the arrivals are a permutation of departed, dropped, evicted and buffered, without repetition."""
    return coq.theorem("losspass_balance", example=RUN)


@evidence("losspass.alg1.line2", "losspass.sec3.2.one-eviction", form="printed", strength="kernel")
@evidence("losspass.alg1.line6", "losspass.alg1.line10", form="repaired", strength="kernel")
def coq_an_eviction_exchanges_one_packet() -> Outcome:
    """Coq: an arrival evicts nothing, or is small and takes the place of one packet, the tail of Q_l."""
    return coq.theorem("losspass_line5", example=STEP)


@evidence("losspass.alg1.line5", form="printed", strength="kernel")
def coq_only_large_packets_are_evicted() -> Outcome:
    """Coq: one packet, the tail of Q_l; and every packet that was evicted is large."""
    return coq.theorem("losspass_line5", "losspass_classes", example=STEP)


@evidence("losspass.sec3.2.1.only-large", form="printed", strength="kernel")
def coq_queues_keep_the_classes_apart() -> Outcome:
    """Coq: Q_l holds large packets only, Q_s small ones only."""
    return coq.theorem("losspass_classes", example=RUN)


@evidence(
    "losspass.alg1.line3", "losspass.sec3.2.2.single", "losspass.sec4.1.head.line3", form="printed", strength="kernel"
)
def coq_line_3_makes_room_by_one_eviction() -> Outcome:
    """Coq: P <= v makes room, whether the victim is the tail or the head."""
    return coq.theorem("losspass_line3", example=STEP)


@evidence("losspass.ours.one-eviction", form="printed", strength="kernel")
def coq_one_eviction_is_enough() -> Outcome:
    """Coq: iff P <= v + F."""
    return coq.theorem("losspass_one_eviction", example=STEP)


@evidence("losspass.alg1.line4", "losspass.sec3.2.allowed", form="repaired", strength="kernel")
def coq_line_4_mended() -> Outcome:
    """Coq: with "at most" it evicts iff Q_s stays within B - B_l."""
    return coq.theorem("losspass_line4", "losspass_reserve", example=STEP)


@evidence("losspass.alg1.line12", form="printed", strength="kernel")
def coq_what_fits_is_enqueued() -> Outcome:
    """Coq: no overflow, then line 12."""
    return coq.theorem("losspass_line12", example=RUN)


@evidence("losspass.sec3.2.existing", "losspass.sec3.3.only-small", form="printed", strength="kernel")
def coq_tail_drop() -> Outcome:
    """Coq: without lines 2 to 9 it is tail drop, and with them as long as Q_l is empty."""
    return coq.theorem("losspass_tail_drop", example=RUN)


@evidence("losspass.ours.reserve", form="printed", strength="kernel")
def coq_an_eviction_needs_more_than_the_reserve() -> Outcome:
    """Coq: Q_l > B_l before, Q_s <= B - B_l after."""
    return coq.theorem("losspass_reserve", example=STEP)


@evidence("losspass.sec3.2.3.guarantee", form="assumed", strength="kernel")
def coq_whole_packets_keep_the_reserve() -> Outcome:
    """Coq: with one size that divides B and B_l an eviction leaves Q_l >= B_l."""
    return coq.theorem("losspass_guarantee", example=STEP)


@evidence("losspass.ours.literal-line4", form="printed", strength="kernel")
def coq_the_printed_line_4() -> Outcome:
    """Coq: B_l = 0 and lines 1, 3, 4 as printed: a full port, and Q_l = P."""
    return coq.theorem("losspass_literal_line4", example=READINGS)


@evidence("losspass.ours.literal-line10", form="printed", strength="kernel")
def coq_the_printed_line_10() -> Outcome:
    """Coq: a packet that meets an overflow is dropped, as by tail drop."""
    return coq.theorem("losspass_literal_line10", example=STEP)


@evidence("losspass.sec3.4.same-port", form="printed", strength="kernel")
def coq_an_eviction_never_lengthens_the_port() -> Outcome:
    """Coq: it leaves V - P >= 0 bytes less than tail drop, which leaves the port as it was."""
    return coq.theorem("losspass_eviction_cost", "losspass_tail_drop", example=STEP)


@evidence("losspass.ours.limited", form="printed", strength="kernel")
def coq_a_limited_line_12() -> Outcome:
    """Coq: Q_s <= B - B_l always, and whole packets are dropped from the large only if Q_l >= B_l."""
    return coq.theorem("losspass_limited", "losspass_limited_admits", example=READINGS)


@evidence("losspass.sec3.2.no-vacancy", form="assumed", strength="kernel")
def coq_one_size_overflows_a_full_port_only() -> Outcome:
    """Coq: with one size that divides B, line 1 is true only at B bytes."""
    return coq.theorem("losspass_no_vacancy", example=STEP)


@evidence("losspass.sec3.1.evict", "losspass.slides.evict", form="assumed", strength="kernel")
def coq_packets_of_one_size_are_exchanged() -> Outcome:
    """Coq: Q_l not empty and room in B - B_l: the small packet is buffered, a large one is evicted."""
    return coq.theorem("losspass_exchanged", example=STEP)


@evidence("losspass.ours.same-size", form="printed", strength="kernel")
@evidence("losspass.sec3.3.lp-line-rate", "losspass.sec3.1.passes", "losspass.slides.passes",
          form="assumed", strength="kernel")  # fmt: skip
def coq_couples_losspass_with_tail_drop() -> Outcome:
    """Coq: for every trace of one size and any two work-conserving schedulers, in all and arrival by arrival."""
    return coq.theorem("losspass_same_size", "losspass_same_size_arrival", example=RUN)


@evidence("losspass.ours.eviction-cost", form="printed", strength="kernel")
def coq_what_an_eviction_costs() -> Outcome:
    """Coq: V - P >= 0 bytes; and with one size equal departures."""
    return coq.theorem("losspass_eviction_cost", "losspass_same_size", example=STEP)


@evidence("losspass.sec3.2.1.priority", form="printed", strength="kernel")
def coq_small_flows_are_alone() -> Outcome:
    """Coq: the same queue, the same losses and the same departures as in a port of their own."""
    return coq.theorem("losspass_isolation", example=PAIRS)


@evidence("losspass.ours.isolation", form="printed", strength="kernel")
def coq_small_flows_are_isolated() -> Outcome:
    """Coq: the losses of a port of their own, and no policy loses fewer."""
    return coq.theorem("losspass_isolation", "losspass_least", example=PAIRS)


@evidence("losspass.sec3.3.as-many", "losspass.sec3.1.minimised", form="assumed", strength="kernel")
def coq_no_policy_loses_fewer_small_packets() -> Outcome:
    """Coq: any policy that holds at most B bytes and sends one packet a service has lost as many at every moment."""
    return coq.theorem("losspass_least", example=PAIRS)
