"""DynaQ: weighted BDP, thresholds, guarantees, and the parameter sheet.

The modules use the symbols of the paper, with some of our own:

- ``M`` service queues with ``weights`` w_i, which sum up to ``W``, share a port ``buffer`` of ``B`` bytes on a link of
  ``C`` bytes per second; ``RTT`` is the base round-trip time (s), ``BDP`` = C RTT (bytes);
- ``T`` the thresholds and ``S`` the satisfaction thresholds (bytes), ``S_i`` and ``S_p`` of one queue, ``p`` its index,
  and ``S_A`` their sum over the active queues;
- ``L`` the largest packet (bytes), ``s`` the size of every packet, ``g`` the greatest common divisor of all sizes;
- ``deficit`` by how much a threshold lies below S_i, ``lacking`` the sum of the other queues' deficits (bytes),
  ``idle`` the number of queues that do not send, ``active`` those that do, ``others`` the number of queues beside one,
  ``smallest`` a lower bound on S;
- ``weight`` and ``w_p`` the weight of one queue, ``whole`` an amount that is divided by weights;
- ``offered`` and ``fair`` the arrival rate of a queue and its share of the line by weight (bytes/s); ``backlogged``
  true if it has bytes to send;
- ``lam`` the marking coefficient lambda, ``quantum`` the bytes that a queue may send in one round, ``T_round`` the
  duration of a round (s);
- ``run`` a finished run of an engine, from which the symbols are read.
"""

from dtmodel.theory.dynaq.formulas import margins, shares

__all__ = ["margins", "shares"]
