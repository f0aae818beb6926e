"""``python -m docs [REPORT]`` builds the site; ``check [all] [OUTPUT]``, ``speed [OUTPUT]``, ``lab-check`` try it."""

import sys
from pathlib import Path

from docs.build import SITE, build

if __name__ == "__main__":
    if sys.argv[1:2] == ["check"]:
        from docs.check import SHARE, check

        every, outputs = "all" in sys.argv[2:], [Path(name) for name in sys.argv[2:] if name != "all"]
        sys.exit(check(SITE / "html", SITE / "shots", 1 if every else SHARE, *outputs))
    if sys.argv[1:2] == ["speed"]:
        from docs.speed import check as check_speed

        sys.exit(check_speed(SITE / "html", *map(Path, sys.argv[2:3])))
    if sys.argv[1:2] == ["lab-check"]:
        from docs.lab_check import check as check_lab

        sys.exit(check_lab(SITE / "shots", *sys.argv[2:3]))
    sys.exit(build(Path(*(sys.argv[1:] or ["build/ledger/report.json"]))))
