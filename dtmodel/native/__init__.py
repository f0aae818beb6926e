"""The native core: fluid runs in floats, and packets, by compiled code (``native``), where there is any.

The fluid part runs what has a threshold a F + b for every queue and no memory (DT, weights, ABM, L2BM, static
partitions, pools and any policy of that kind from outside the package), and with reserves, caps, the counters and
timers of EDT, or complete sharing, what `dtmodel.policies.memory.Form` names. The rest (other memories), and everything
where the package was installed without a compiler, runs in Python, by `dtmodel.fluid.engine`: `status` and
`dtmodel.Run.engine` say which.
``DTMODEL_NATIVE=0`` turns the core off, ``DTMODEL_NATIVE=FILE`` takes another library, such as one with sanitizers.

A run carries a bound of what rounding may have added up to: proved in the source where there is no memory; with one,
each decision is watched, as in `dtmodel.fluid.rounding`. Where it leaves open who loses something, or when, the core
says so, and the exact engine runs that scenario.

`dtmodel.fluid.batch` runs fluid scenarios in the core, and `dtmodel.packet.core` has switches of packets
(``native/packets.cpp``), in the numbers of the engine in Python: their answers are equal.

It is a shared library with a C interface, loaded with ctypes, and not an extension module: one file for all versions of
Python on a platform, nothing to build but one file with the system's compiler, and no lock held while it runs.
"""

from dtmodel.native.library import status

__all__ = ["status"]
