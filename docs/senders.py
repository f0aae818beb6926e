"""The page on the published results that need senders that react: reproduced, in some readings, not, undecided."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_CLASSES = {
    "reproduced": ("Reproduced in all readings", "The published result comes out whatever the paper leaves open."),
    "depends": ("Depends on a reading", "The published result comes out in some readings of TCP alone."),
    "not reproduced": (
        "Not reproduced",
        "No reading gives the published result. The machines of the paper may still have shown it.",
    ),
    "undecided": (
        "Cannot be decided",
        "A setting is not printed, a word has no measure, or the sentence names a cause or the counts of one run.",
    ),
}
_OF_VERDICT = {"holds": "reproduced", "depends-on-reading": "depends", "not-reproduced": "not reproduced"}
_COLUMNS = "| result | experiment | rule or reason | found |\n|---|---|---|---|"
_HEAD = """# Does the gain survive TCP?

{count} published results of EDT, LossPass and DynaQ need senders that react to losses and marks. An experiment repeats
each on a model of TCP in several *readings*: settings that the paper states stay fixed, and one open setting changes at
a time; one that is not printed, such as a load or the alpha of DT, is open, too. The rule of each was written before
its first run (`validation/decisions.toml`; tolerances and readings in `validation/readings.toml`, or in the file of the
experiment); `dtmodel experiment ID` runs an experiment again. {counts}

```{{image}} ../gallery/edt.fig22_tcp.svg
:alt: completion times of queries under DT and EDT by the size of a response, with the range over ten readings of TCP
```

Figure 22 of EDT again: the median of ten readings of TCP, and their range. Where the bars overlap, the settings that
the paper states do not decide which policy is better. The gallery has the other figures in the same manner, and
[notebook 11](../notebooks/11_does_the_gain_survive_tcp.ipynb) asks the question for a switch of yours.

The network itself is held against ns-3: greatest lengths, drops and bytes are equal until the first recovery from a
loss, and the shares of queues within 5 % after it (`validation/results/ns3.md`, which also says where the two differ).
"""


def decisions(root: Path) -> Mapping[str, Mapping[str, Any]]:
    """Return the rules of all results, by the ids of their claims."""
    found: Mapping[str, Mapping[str, Any]] = tomllib.loads(
        (root / "validation" / "decisions.toml").read_text(encoding="utf-8")
    )["rule"]
    return found


def classed(claim: Mapping[str, Any]) -> str:
    """Return the class of a claim of the ledger's report."""
    return _OF_VERDICT.get(claim["verdict"], "undecided")


def page(claims: Sequence[Mapping[str, Any]], rules: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the page, with a table for each class, from the claims of a report and the rules."""
    found = {claim["id"]: claim for claim in claims}
    groups: dict[str, list[str]] = {name: [] for name in _CLASSES}
    for name in rules:
        groups[classed(found[name])].append(name)
    counts = ", ".join(f"{len(names)} {group}" for group, names in groups.items())
    parts = [_HEAD.format(count=len(rules), counts=f"Of them: {counts}.")]
    for group, (title, about) in _CLASSES.items():
        if groups[group]:
            rows = "\n".join(_row(found[name], rules[name]) for name in groups[group])
            parts.append(f"## {title}\n\n{about}\n\n{_COLUMNS}\n{rows}\n")
    return "\n".join(parts)


def _row(claim: Mapping[str, Any], rule: Mapping[str, Any]) -> str:
    told = rule.get("rule") or claim["reason"]
    return f"| {{claim}}`{claim['id']}` | {rule.get('by', '')} | {_cell(told)} | {_cell(_found(claim))} |"


def _found(claim: Mapping[str, Any]) -> str:
    """Return the outcome of the evidence: published number and range of the readings, and the readings by name."""
    parts = []
    for item in claim["evidence"]:
        outcome = item["outcome"] or {}
        parts.append(outcome.get("detail", ""))
        if claim["verdict"] == "depends-on-reading":
            parts += [f"in {', '.join(outcome['reproduced'])}", f"not in {', '.join(outcome['missed'])}"]
    return "; ".join(part for part in parts if part)


def _cell(text: str) -> str:
    return text.replace("|", r"\|").replace("*", r"\*")
