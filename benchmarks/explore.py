"""The explorer on DynaQ ports: states per second, bytes per state, and how far it came.

    python benchmarks/explore.py [BOUND]

On two shared cores of a 2023 server a million states of the second port took 76 s and 607 bytes each.
"""

import sys
import time

from dtmodel.modelcheck import Progress, explore
from dtmodel.packet.dynaq.algorithm import DynaQ
from dtmodel.packet.dynaq.states import AnyOrder

PORTS = {
    "3 equal queues, 12 bytes, packets of 1 and 2": AnyOrder(DynaQ(12, (1, 1, 1)), (1, 2)),
    "3 equal queues, 16 bytes, packets of 1 and 2": AnyOrder(DynaQ(16, (1, 1, 1)), (1, 2)),
    "4 equal queues, 16 bytes, packets of 1": AnyOrder(DynaQ(16, (1, 1, 1, 1)), (1,)),
}


def tell(progress: Progress) -> None:
    """Print how far the exploration has come."""
    print(
        f"  {progress.states:>9,} states, {progress.waiting:,} waiting, depth {progress.depth}",
        end="\r",
        file=sys.stderr,
    )


def main() -> None:
    """Explore each port up to the bound."""
    bound = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    for name, system in PORTS.items():
        start = time.perf_counter()
        result = explore(system, bound=bound, progress=tell)
        seconds = time.perf_counter() - start
        speed = result.states / seconds
        print(f"{name}: {result.states:,} states to depth {result.depth} in {seconds:.1f} s")
        print(f"  {speed:,.0f} states/s, {result.bytes_per_state:.0f} bytes a state; {result.outcome.value}")


if __name__ == "__main__":
    main()
