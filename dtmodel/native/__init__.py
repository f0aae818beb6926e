"""The native core: fluid runs in floats, packets and networks, in compiled code (``native``), if it is installed.

The fluid part runs policies with a threshold a F + b for every queue and no memory (DT, weights, ABM, L2BM, static
partitions, pools, and policies of that form from outside the package), with reserves, with caps, with EDT's counters
and timers, or with complete sharing (`dtmodel.policies.memory.Form` names the form). The exact engine runs other
memories, and everything if the package was installed without a compiler, and its results are rounded; `status` and
`dtmodel.Run.engine` name the engine. ``DTMODEL_NATIVE=0`` turns the core off, ``DTMODEL_NATIVE=FILE`` loads another
library, such as one with sanitizers.

A run carries a bound on its rounding errors: proved in the source if there is no memory; with a memory, each decision
is checked. If the bound leaves open which queue loses bytes, or when, the core reports
it, and the exact engine runs that scenario.

`dtmodel.fluid.batch` runs fluid scenarios in the core, `dtmodel.packet.core` has switches of packets
(``native/packets.cpp``), and `dtmodel.network` senders that react (``native/network.cpp``), whose answers equal those
of the engines in Python.

The core is a shared library with a C interface, loaded with ctypes, not an extension module: one file for all versions
of Python on a platform, built from one source file by the system's compiler, and it runs without Python's lock.
"""
