"""The page "Where does the burst go?": its text, the recorded answers of its steps, and the script that moves them."""

import re
from pathlib import Path

from dtmodel.lab.assets import asset
from dtmodel.lab.panel import script
from dtmodel.lab.story import STEPS

_MARK = re.compile(r"<!-- story: (\w+) -->")


def page(path: Path) -> str:
    """Return the text of the page with a block of HTML for each step and the script at the end.

    Parameters
    ----------
    path : Path
        The text, in which a comment ``<!-- story: NAME -->`` stands for each step.
    """
    text = _MARK.sub(lambda found: _html(_step(found[1])), path.read_text(encoding="utf-8"))
    css, module = asset("lab.css"), asset("lab.js") + asset("story.js")
    return text + "\n" + _html(f'<style>{css}</style>\n<script type="module">\n{module}</script>')


def _html(block: str) -> str:
    return f"````{{raw}} html\n{block}\n````"


def _step(name: str) -> str:
    step = STEPS[name]
    data = script({"start": step.start([step.control], live=False), "answers": step.recorded([step.control])})
    return f'<div class="story-step" data-step="{name}"><script type="application/json">{data}</script></div>'
