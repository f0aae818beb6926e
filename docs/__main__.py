"""``python -m docs [REPORT]`` builds the site; ``python -m docs check`` looks at what was built in a browser."""

from __future__ import annotations

import sys
from pathlib import Path

from docs.build import SITE, build

if __name__ == "__main__":
    if sys.argv[1:] == ["check"]:
        from docs.check import check

        sys.exit(check(SITE / "html", SITE / "shots"))
    sys.exit(build(Path(*(sys.argv[1:] or ["build/ledger/report.json"]))))
