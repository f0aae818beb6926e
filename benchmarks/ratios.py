"""Exact competitive ratios at the largest switches that the search is meant for: seconds of one core.

    python benchmarks/ratios.py

On two shared cores of a 2023 server, with the native core, no switch took more than 8 s.
"""

import time

from dtmodel import DT, LQD, ratio

SWITCHES = ((2, 60), (3, 20), (4, 12))
POLICIES = {"DT, alpha = 1": DT(1), "DT, alpha = 2": DT(2), "LQD": LQD()}


def main() -> None:
    """Print the ratio of each policy on each switch, and the seconds of the processor that it took."""
    for ports, buffer in SWITCHES:
        for name, policy in POLICIES.items():
            begin = time.process_time()
            found = ratio(policy, ports=ports, buffer=buffer)
            took = time.process_time() - begin
            print(f"N = {ports}, B = {buffer}, {name}: {found.ratio} in {took:.1f} s ({found.engine})")


if __name__ == "__main__":
    main()
