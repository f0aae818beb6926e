"""Absorbable bursts and the sawtooth of windows, as checked by Coq's kernel."""

from __future__ import annotations

from dtmodel.ledger import Outcome, evidence
from dtmodel.provers import coq

BURST = "losspass_bursts_instance"  # two large bytes fill a port of two bytes
FLUID = "losspass_fluid_instance"  # the mean over a flow of one byte and one of three
TOOTH = "losspass_tooth_exists"  # for every trough and peak there is a tooth
WHOLE = {"D": "4", "K": "4", "N": "3"}
NUMBERS = {"D": "8", "K": "2", "N": "2", "a": "1", "beta": "1/2"}


@evidence("losspass.ours.reserve-burst", form="printed", strength="kernel")
@evidence("losspass.eq6", "losspass.eq6@reserve", form="assumed", strength="kernel")
def coq_the_instant_burst() -> Outcome:
    """Coq: packets of any one size a that divides B and B_l: B - Q_s - min(Q_l, B_l) bytes; the next one is lost."""
    return coq.theorem("losspass_burst", example=BURST)


@evidence("losspass.ours.burst-in-packets", form="printed", strength="kernel")
def coq_the_burst_in_packets() -> Outcome:
    """Coq: the count with any victims, one after the other, is what the port buffers before the first drop."""
    return coq.theorem("losspass_burst_in_packets", example=BURST)


@evidence("losspass.ours.small-tail", form="printed", strength="kernel")
def coq_a_small_tail() -> Outcome:
    """Coq: a full port whose tail is smaller than every packet of the burst drops all of it."""
    return coq.theorem("losspass_small_tail", example=BURST)


@evidence("losspass.ours.burst-service", form="printed", strength="kernel")
def coq_service_during_the_burst() -> Outcome:
    """Coq: r packets and a departure a slot: mu + ceil(mu/(r - 1)) - 1; within a packet of mu R/(R - C)."""
    return coq.theorem("losspass_burst_service", "losspass_burst_fluid", example=BURST)


@evidence("losspass.ours.largest-share", form="printed", strength="kernel")
def coq_the_largest_share() -> Outcome:
    """Coq: for every monotone linear expectation."""
    return coq.theorem("losspass_largest_share", example=FLUID)


@evidence("losspass.ours.utilisation", form="printed", strength="kernel")
def coq_utilisation() -> Outcome:
    """Coq: carried bytes over time, both given by their right derivatives from trough to peak, for both growths."""
    return coq.theorem("losspass_utilisation", example=TOOTH)


@evidence("losspass.ours.three-quarters", form="printed", strength="kernel")
def coq_three_quarters() -> Outcome:
    """Coq: halving windows with a peak above the pipe use more than 3/4."""
    return coq.theorem("losspass_three_quarters", example=TOOTH)


@evidence("losspass.ours.line-rate", form="printed", strength="kernel")
def coq_line_rate() -> Outcome:
    """Coq: busy from trough to peak iff K + N a >= beta/(1 - beta) D; for halving iff K >= D - N a."""
    return coq.theorem("losspass_line_rate", example=NUMBERS | {"K": "6"})


@evidence("losspass.sec3.3.sufficient", "losspass.slides.high-k", "losspass.intro.k-at-least-bdp",
          form="printed", strength="kernel")  # fmt: skip
def coq_a_threshold_of_the_pipe_is_sufficient() -> Outcome:
    """Coq: K >= D keeps the link busy from half of the peak on."""
    return coq.theorem("losspass_sufficient", example=NUMBERS | {"K": "8"})


@evidence("losspass.sec3.3.k-plus-1", "losspass.eq4", "losspass.sec2.2.around-k", "losspass.slides.max-queue",
          form="assumed", strength="kernel")  # fmt: skip
def coq_one_round_trip_overshoots_by_n() -> Outcome:
    """Coq: q runs from K to K + N in a round trip, to K + 1 with one window."""
    return coq.theorem("losspass_overshoot", example=NUMBERS | {"t": "1"})


@evidence("losspass.sec3.3.lp-sawtooth", form="printed", strength="kernel")
def coq_halving_at_a_full_buffer() -> Outcome:
    """Coq: (D + B)/2 >= D for B >= D."""
    return coq.theorem("losspass_halved_at_B", example={"B": "8", "D": "8"})


@evidence("losspass.sec3.3.lp-satisfies", form="printed", strength="kernel")
def coq_a_threshold_of_the_buffer() -> Outcome:
    """Coq: K = B >= D."""
    return coq.theorem("losspass_K_is_B", example={"B": "8", "K": "8", "D": "8"})


@evidence("losspass.sec3.3.tau-1.premise", form="assumed", strength="kernel")
def coq_a_flow_is_enough() -> Outcome:
    """Coq: K + N > 0 gives the strict inequality; K + N < B is not used."""
    return coq.theorem("losspass_tau_1", example={"B": "8", "K": "4", "N": "1"})


@evidence("losspass.ours.integer-peak", form="printed", strength="kernel")
def coq_the_peak_in_whole_packets() -> Outcome:
    """Coq: round by round the queue is at most K + N - ((K + D) mod N), and again and again exactly that."""
    return coq.theorem("losspass_integer_peak", example=WHOLE)


@evidence("losspass.eq4@packets", form="assumed", strength="kernel")
def coq_a_dividing_n_reaches_k_plus_n() -> Outcome:
    """Coq: if N divides K + D the largest queue is K + N."""
    return coq.theorem("losspass_dividing", example=WHOLE | {"K": "2"})


@evidence("losspass.ours.least-k-packets", form="printed", strength="kernel")
def coq_line_rate_in_whole_packets() -> Outcome:
    """Coq: from some round on every round fills the link iff floor((K + D)/N) >= 2 ceil(D/N) - 1; both forms."""
    return coq.theorem("losspass_least_k", example=WHOLE)
