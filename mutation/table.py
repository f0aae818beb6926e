"""The published table: what kills the mutants, which survive, and why that is harmless."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from mutation.campaign import Found
from mutation.record import Result

__all__ = ["markdown", "open_survivors"]

_HEAD = """# Mutants

Deliberate errors in the formulas and algorithms, and what notices them. Written by `python -m mutation run`; how it
is done is in `mutation/README.md`. A mutant counts as killed when a test or a piece of evidence fails on it, or no
longer ends. The score is the share of all mutants that are killed; a survivor is *harmless* when no input can tell it
from the original, or when it only says the same otherwise, for the reason given, and *open* when there is no reason.
"""


def markdown(
    found: Sequence[Found], results: Mapping[str, Result], reasons: Mapping[str, str], *, made_with: str
) -> str:
    """Write the table of mutants, their results and the reasons of survivors; `made_with` names commit and versions."""
    by_file: defaultdict[str, list[Found]] = defaultdict(list)
    for item in found:
        by_file[item.mutant.file].append(item)
    parts = [
        _HEAD,
        made_with,
        *_scores(by_file, results, reasons),
        *_killers(by_file, results),
        *_functions(by_file, results),
    ]
    survivors = [item for item in found if item.mutant.id in results and results[item.mutant.id].status == "survived"]
    parts += ["", "## Survivors that are harmless", ""]
    parts += _explained([item for item in survivors if item.mutant.id in reasons], reasons)
    left = [item for item in survivors if item.mutant.id not in reasons]
    parts += ["", "## Survivors that are open", "", *(_listed(left) or ["None."])]
    return "\n".join(parts) + "\n"


def open_survivors(found: Sequence[Found], results: Mapping[str, Result], reasons: Mapping[str, str]) -> list[Found]:
    """Return the survivors without a reason."""
    return [
        item
        for item in found
        if item.mutant.id not in reasons and item.mutant.id in results and results[item.mutant.id].status == "survived"
    ]


def _scores(
    by_file: Mapping[str, Sequence[Found]], results: Mapping[str, Result], reasons: Mapping[str, str]
) -> list[str]:
    columns = ("file", "mutants", "killed", "of these by time limit", "harmless", "open", "not run", "score")
    rows = ["", "## Scores", "", *_header(*columns)]
    total: Counter[str] = Counter()
    for file, items in by_file.items():
        counts = Counter(_kind(item, results, reasons) for item in items)
        total += counts
        rows.append(_score(f"`{file}`", counts))
    return [*rows, _score("**all**", total)]


def _kind(item: Found, results: Mapping[str, Result], reasons: Mapping[str, str]) -> str:
    result = results.get(item.mutant.id)
    if result is None:
        return "not run"
    if result.status == "survived":
        return "harmless" if item.mutant.id in reasons else "open"
    return result.status


def _score(name: str, counts: Counter[str]) -> str:
    killed = counts["killed"] + counts["timeout"]
    run = counts.total() - counts["not run"]
    score = f"{100 * killed / run:.1f} %" if run else "-"
    cells = [counts.total(), killed, counts["timeout"], counts["harmless"], counts["open"], counts["not run"]]
    return f"| {name} | {' | '.join(map(str, cells))} | {score} |"


def _killers(by_file: Mapping[str, Sequence[Found]], results: Mapping[str, Result]) -> list[str]:
    """Say which test files and evidence files kill how many mutants of each file."""
    rows = [
        "",
        "## Killed by",
        "",
        *_header("file", "tests and evidence, with the number of mutants that each kills first"),
    ]
    for file, items in by_file.items():
        killers = Counter(_where(results[item.mutant.id].killer) for item in items
                          if item.mutant.id in results and results[item.mutant.id].killer)  # fmt: skip
        rows.append(f"| `{file}` | {', '.join(f'{_code(name)} {count}' for name, count in killers.most_common(8))} |")
    return rows


def _functions(by_file: Mapping[str, Sequence[Found]], results: Mapping[str, Result]) -> list[str]:
    columns = ("file", "function", "mutants", "killed", "the tests and evidence that kill most of them")
    rows = ["", "## Killed by, function by function", "", *_header(*columns)]
    for file, items in by_file.items():
        functions: defaultdict[str, list[Found]] = defaultdict(list)
        for item in items:
            functions[item.mutant.outer].append(item)
        for function, mine in functions.items():
            killers = Counter(results[i.mutant.id].killer for i in mine if i.mutant.id in results)
            del killers[""]
            names = ", ".join(f"{_code(_short(name))} {count}" for name, count in killers.most_common(3))
            cells = (f"`{file}`", _code(function or "module level"), str(len(mine)), str(killers.total()), names)
            rows.append(f"| {' | '.join(cells)} |")
    return rows


def _header(*columns: str) -> list[str]:
    return [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]


def _where(killer: str) -> str:
    if "evidence_items" in killer:
        return killer.split("[", 1)[-1].split(":", 1)[0].replace(".", "/") + ".py"
    return killer.split("::", 1)[0]


def _short(killer: str) -> str:
    if "evidence_items" in killer:
        return killer.split("[", 1)[-1].removesuffix("]")
    return killer.split("::", 1)[-1]


def _explained(items: Sequence[Found], reasons: Mapping[str, str]) -> list[str]:
    by_reason: defaultdict[str, list[Found]] = defaultdict(list)
    for item in items:
        by_reason[reasons[item.mutant.id]].append(item)
    lines: list[str] = []
    for reason, mine in by_reason.items():
        lines += [f"**{reason}**", "", *_listed(mine), ""]
    return lines[:-1] or ["None."]


def _listed(items: Sequence[Found]) -> list[str]:
    return [
        f"- `{m.id}` {m.file}:{m.line} {_code(m.outer or 'module level')}: {_code(m.change)}"
        for m in (item.mutant for item in items)
    ]


def _code(text: str) -> str:
    fence = "``" if "`" in text else "`"
    return f"{fence}{text.replace('|', chr(92) + '|')}{fence}" if text else ""
