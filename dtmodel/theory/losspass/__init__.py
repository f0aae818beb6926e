"""LossPass and ECN: headroom, absorbable bursts, utilisation, and the parameter sheet.

The modules use the symbols of the paper, with some of our own; lengths are in one unit, bytes or packets:

- ``C`` the rate of the link, ``D`` or ``bdp`` = C RTT, ``B`` or ``buffer`` that of the port, ``K`` or ``threshold``
  the length above which ECN marks;
- ``N`` or ``flows`` large flows with the ``windows`` w_i, of which ``window`` is one, and ``W`` their sum;
- ``a`` or ``segment`` the growth of a window in one round trip (the paper's "1", a packet), ``cut`` the share beta of
  its window by which a sender shrinks it (1/2 for ECN*, alpha/2 for DCTCP), ``delay`` the round trips until then;
- ``tau`` the share of the buffered bytes that belongs to large flows, ``B_l`` or ``reserve`` the part of Q_l that is
  never evicted;
- ``Q_s`` or ``small`` and ``Q_l`` or ``large`` the lengths of the two queues, ``q`` or ``length`` that of both;
- ``F`` the free buffer (bytes), ``s`` or ``size`` of a small packet, ``v`` or ``victim`` of a large one, ``m`` or
  ``count`` the number of large packets, all of them ``victims``, of which ``most`` may be evicted.
"""

from dtmodel.theory.losspass.ecn import Sawtooth, least_threshold
from dtmodel.theory.losspass.formulas import Comparison, burst_in_packets, compare_with_ecn

__all__ = ["Comparison", "Sawtooth", "burst_in_packets", "compare_with_ecn", "least_threshold"]
