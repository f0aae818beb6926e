"""The same tests everywhere: examples of Hypothesis, no time limit for one (machines differ), and caches that count.

Under continuous integration (``CI`` is set) no cache is trusted; `make verify` runs so. Here each command that shows
a claim would build Coq's development anew.
"""

import os

from hypothesis import HealthCheck, settings

os.environ.pop("CI", None)
settings.register_profile(
    "dtmodel", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("dtmodel")
