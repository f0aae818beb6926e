"""DynaQ: weighted BDP, thresholds, guarantees, and the parameter sheet.

The symbols of all its modules are the paper's, with some of our own:

- ``M`` service queues with ``weights`` w_i, which sum up to ``W``, share a port ``buffer`` of ``B`` bytes on a link of
  ``C`` bytes per second; ``RTT`` is the base round-trip time (s), ``BDP`` = C RTT (bytes);
- ``T`` the thresholds and ``S`` the satisfaction thresholds (bytes), ``S_i`` and ``S_p`` of one queue, ``p`` which, and
  ``S_A`` what those of the active queues sum up to;
- ``L`` the largest packet (bytes), ``s`` the size of every packet, ``g`` the greatest common divisor of all sizes;
- ``deficit`` by how much a threshold lies below S_i, ``lacking`` what a queue that wakes lacks (bytes), ``idle`` how
  many queues do not send, ``active`` which do, ``others`` how many there are beside one, ``smallest`` what S is at
  least;
- ``weight`` and ``w_p`` the weight of one queue, ``whole`` what is divided by weights;
- ``offered`` and ``fair`` rates of a queue: what arrives, and what its weight gives it (bytes/s); ``backlogged``
  whether it has bytes to send;
- ``lam`` the marking coefficient lambda, ``quantum`` what a queue sends in one round (bytes), ``T_round`` how long a
  round takes (s);
- ``run`` what an engine ran, from which the symbols are read.
"""

from dtmodel.theory.dynaq.formulas import (
    bdp,
    buffer_for_one_active_queue,
    covers,
    extra_buffer,
    guaranteed_threshold,
    initial_thresholds,
    margins,
    output_rate,
    satisfaction_thresholds,
    shares,
    shortfall,
    threshold_alone,
    threshold_alone_bound,
    threshold_of_always_active,
    waking_rounds,
    waking_time,
    weighted_bdp,
    worst_deficit,
)

__all__ = [
    "bdp",
    "buffer_for_one_active_queue",
    "covers",
    "extra_buffer",
    "guaranteed_threshold",
    "initial_thresholds",
    "margins",
    "output_rate",
    "satisfaction_thresholds",
    "shares",
    "shortfall",
    "threshold_alone",
    "threshold_alone_bound",
    "threshold_of_always_active",
    "waking_rounds",
    "waking_time",
    "weighted_bdp",
    "worst_deficit",
]
