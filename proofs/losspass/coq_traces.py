"""What can go on for ever on LossPass's port, two packet sizes, and marks, as checked by Coq's kernel."""

from __future__ import annotations

from dtmodel.ledger import Outcome, evidence
from dtmodel.provers import coq

from .coq_port import READINGS, STEP

MARKS = "losspass_marks_instance"  # two large packets, of which the second is marked
FOREVER = {"a": "1", "n": "2", "B_l": "1", "m": "3"}


@evidence("losspass.ours.locked-out", form="printed", strength="kernel")
def coq_large_packets_locked_out() -> Outcome:
    """Coq: for every number of rounds, B_l and scheduler; each large packet is dropped, Q_l is always empty."""
    return coq.theorem("losspass_locked_out", example=FOREVER)


@evidence("losspass.ours.limited-admits", form="printed", strength="kernel")
def coq_the_reading_limited_lets_large_packets_in() -> Outcome:
    """Coq: after any trace, for packets of any sizes up to B_l."""
    return coq.theorem("losspass_limited_lets_in", example=READINGS)


@evidence("losspass.ours.evicted-for-ever", form="printed", strength="kernel")
def coq_evicted_for_ever() -> Outcome:
    """Coq: without reserve for every number of rounds; with a reserve of a packet the head of Q_l stays."""
    return coq.theorem("losspass_evicted_for_ever", "losspass_head_stays", example=STEP)


@evidence("losspass.ours.starvation-load", form="printed", strength="kernel")
def coq_starvation() -> Outcome:
    """Coq: a large packet waits for ever in every reading; with fewer small packets than services Q_s gets shorter."""
    return coq.theorem("losspass_starved", "losspass_starvation_load", example=STEP)


@evidence("losspass.ours.same-size.sizes", form="printed", strength="kernel")
def coq_two_packet_sizes() -> Outcome:
    """Coq: three traces, one for each part of the same-size theorem."""
    return coq.theorem("losspass_two_sizes", example={"sizes": "1 and 2 bytes"})


@evidence("losspass.ours.ecn-b", form="printed", strength="kernel")
def coq_thresholds_of_the_whole_buffer() -> Outcome:
    """Coq: no mark on any trace, in any reading, and marks change nothing."""
    return coq.theorem("losspass_ecn_b", example=MARKS)


@evidence("losspass.sec3.2.4.ks", "losspass.sec3.2.4.only-large", "losspass.slides.ks",
          form="printed", strength="kernel")  # fmt: skip
def coq_only_large_packets_are_marked() -> Outcome:
    """Coq: with K_s = B and no threshold of the port."""
    return coq.theorem("losspass_ks_b", example=MARKS)


@evidence("losspass.sec3.2.4.queueing", form="printed", strength="kernel")
def coq_marks_change_no_decision() -> Outcome:
    """Coq: the port is that of the trace without marks."""
    return coq.theorem("losspass_marks_change_nothing", example=MARKS)


@evidence("losspass.ours.evicts-marks", form="printed", strength="kernel")
def coq_evictions_remove_marked_packets_first() -> Outcome:
    """Coq: marked only above K_l, and while Q_l is not served the marked packets are its last ones."""
    return coq.theorem("losspass_evicts_marks", example=MARKS)
