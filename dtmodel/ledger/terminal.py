"""The report at a terminal."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from textwrap import TextWrapper
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dtmodel.base.errors import printable
from dtmodel.base.mathtext import text_of
from dtmodel.ledger.claim import NOT_EXECUTABLE
from dtmodel.ledger.settings import Settings

KERNEL_FORMS = {
    "follows": "the executable form follows from the theorems: Coq proves it",
    "itself": "the executable form is proved in Coq, beside the theorems",
    "apart": "the executable form says something that the theorems do not",
    "unwritten": "the executable form cannot be written in Coq here (rounding, a range from 0)",
}
"""Relations between the executable form of a claim and the theorems that the claim names."""
STYLES = {
    "holds": "green",
    "holds-under-assumption": "yellow",
    "misprint": "magenta",
    "refuted": "red",
    "inconsistent": "red",
    "depends-on-reading": "yellow",
    "not-reproduced": "magenta",
    "not-checkable": "dim",
    "not run": "cyan",
    "undecided": "bold red",
}


def print_report(console: Console, report: Mapping[str, Any]) -> None:
    """Print the verdict table, the faults, and the summary."""
    longest = max((len(claim["id"]) for claim in report["claims"]), default=0)
    titles = (("claim", longest), ("verdict", len("holds-under-assumption !")), ("strength", 8))
    rows = [
        (claim["id"], claim["verdict"] + " !" * (not claim["as_recorded"]), claim["strength"] or "-", rests_on(claim))
        for claim in unfolded(report)
    ]
    elsewhere = "settings, drawings and facts from elsewhere: --json has each"
    rows += [(section, f"{len(claims)} folded", "-", elsewhere) for section, claims in folded(report).items()]
    if console.is_terminal:
        table = Table(box=None, pad_edge=False, header_style="bold", collapse_padding=True, expand=True)
        for title, width in titles:
            table.add_column(title, no_wrap=True, width=width)
        table.add_column("rests on", overflow="ellipsis", no_wrap=True, ratio=1)
        for name, verdict, *others in rows:
            table.add_row(name, Text(verdict, STYLES.get(verdict.removesuffix(" !"), "")), *others)
        console.print(table)
    else:  # a line for each claim, which is never cut
        lines = [
            " ".join([*(cell.ljust(width) for cell, (_, width) in zip(cells, titles, strict=True)), last]).rstrip()
            for *cells, last in [(*(title for title, _ in titles), "rests on"), *rows]
        ]
        console.print(Text("\n".join(lines)), soft_wrap=True)
    print_faults(console, report)
    print_summary(console, report)


def unfolded(report: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the claims with a row of their own: all if claims were selected, else all but settings and the like."""
    return [claim for claim in report["claims"] if report["selectors"] or not claim.get("folded")]


def folded(report: Mapping[str, Any]) -> dict[str, list[Mapping[str, Any]]]:
    """Return the claims without a row of their own, by section: ``dynaq.sec5``, ``l2bm.fig``."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for claim in report["claims"]:
        if claim.get("folded") and not report["selectors"]:
            section = re.sub(r"((fig|fn|eq)\d*|@.*)$", r"\2", ".".join(claim["id"].split(".")[:2]))
            found.setdefault(section, []).append(claim)
    return found


def print_faults(console: Console, report: Mapping[str, Any]) -> None:
    """Print every fault with its remedy."""
    faults = [("", text) for text in report["problems"]]
    faults += [(claim["id"], text) for claim in report["claims"] for text in claim["faults"]]
    if faults:
        console.print(Text(f"\n{len(faults)} {'thing is' if len(faults) == 1 else 'things are'} wrong:", "bold red"))
    for claim, text in faults:
        console.print(Text.assemble("  ", (f"{claim}: " if claim else "", "bold"), text))


def print_summary(console: Console, report: Mapping[str, Any]) -> None:
    """Print claims by verdict and strength for each document, skipped evidence, time and versions."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("document", "claims", "folded", "verdicts", "strengths"):
        table.add_column(title, justify="right" if title in ("claims", "folded") else "left", overflow="fold")
    for paper, counts in report["summary"].items():
        numbers = (str(counts[key]) for key in ("claims", "folded"))
        table.add_row(paper, *numbers, *(_counts(counts[key]) for key in ("verdicts", "strengths")))
    console.print()
    console.print(table)
    hold, kernel = (sum(counts["theorems"][key] for counts in report["summary"].values()) for key in ("hold", "kernel"))
    if kernel:
        console.print(
            f"\n{kernel} of {hold} theorems and steps of proofs that hold are proved in Coq; the others say why not"
        )
    executable = sum((Counter(counts["executable"]) for counts in report["summary"].values()), Counter[str]())
    if executable:
        others = ", ".join(f"{count} {why}" for why, count in executable.most_common() if why != "yes")
        yes, total = executable["yes"], executable.total()
        console.print(f"{yes} of {total} universal claims that are true are executable; the others: {others or 'none'}")
    forms = sum((Counter(counts["kernel_forms"]) for counts in report["summary"].values()), Counter[str]())
    for line in kernel_forms(forms):
        console.print(line)
    reasons: dict[str, list[Mapping[str, Any]]] = {}
    for entry in report["skipped"]:
        reasons.setdefault(entry["reason"], []).append(entry)
    for reason, entries in reasons.items():
        claims = {claim for entry in entries for claim in entry["claims"]}
        console.print(Text(f"skipped: {len(entries)} pieces of evidence for {len(claims)} claims: {reason}", "cyan"))
    versions = ", ".join(f"{name} {version}" for name, version in report["engines"].items())
    done = "all as recorded" if report["as_recorded"] else "NOT as recorded"
    style = "bold green" if report["as_recorded"] else "bold red"
    console.print(Text.assemble("\n", (done, style), f"; {report['seconds']:.1f} s; {versions}"))


def kernel_forms(counts: Mapping[str, int]) -> Iterator[str]:
    """Write the relation of executable forms to their theorems in Coq as a sentence.

    >>> list(kernel_forms({"follows": 3, "itself": 1, "apart": 1}))
    ['4 arithmetic forms are propositions in Coq, of which 3 follow from their theorems; others: 1 apart']
    """
    written = counts.get("follows", 0) + counts.get("itself", 0)
    if written:
        left = ", ".join(f"{counts[key]} {key}" for key in ("apart", "unwritten") if counts.get(key))
        follow = f"{written} arithmetic forms are propositions in Coq, of which {counts.get('follows', 0)} follow"
        yield f"{follow} from their theorems; others: {left or 'none'}"


def print_claims(console: Console, claims: Sequence[Mapping[str, Any]], words: Callable[[str], str] = text_of) -> None:
    """Print claims: id, kind and source, verdict and strength, caption or sentence; `words` reads the LaTeX."""
    wrap = TextWrapper(console.width, "  ", "  ", break_on_hyphens=False).fill
    lines: list[Text] = []
    for claim in claims:
        head = Text.assemble(
            (claim["id"], "bold"), "  ", (claim["verdict"], STYLES.get(claim["verdict"], "")), "  ",
            (claim["strength"], "dim"), f"  {claim['kind']}",
        )  # fmt: skip
        if claim["corrected"]:
            head.append(f"  -> {claim['corrected']}", "green")
        lines += [head, Text(wrap(claim["source"]), "dim"), Text(wrap(words(claim["caption"] or claim["statement"])))]
    if console.is_terminal:
        console.print(Text("\n").join(lines), soft_wrap=True)
    else:  # plain output is much faster
        plain = "".join(f"{printable(part)}\n" for line in lines for part in line.plain.split("\n"))
        console.out(plain, end="", highlight=False)


def print_settings(console: Console, page: Settings) -> None:
    """Print the settings that the statements of several claims share, by the titles that stand in them."""
    if shared := page.printed():
        rows = [(text_of(title), text_of(said)) for title, said in shared.items()]
        console.print(Text('Settings, which the statements name after "Given"', "bold"), _pairs(rows), "", sep="\n")


def print_claim(
    console: Console, claim: Mapping[str, Any], theorems: Mapping[str, str], page: Settings, *, everything: bool = False
) -> None:
    """Print one claim with statement, verdict, evidence and Coq statements, without the settings printed in `page`."""
    verdict = Text(claim["verdict"], STYLES.get(claim["verdict"], ""))
    if claim["strength"]:
        verdict.append(f" ({claim['strength']}{', relation' if claim.get('relation') else ''})", "dim")
    if claim["verdict"] != claim["recorded"]:
        verdict.append(f"; recorded: {claim['recorded']}", "bold red")
    rows: list[tuple[str, Any]] = [
        ("caption", text_of(claim["caption"])),
        ("statement", "\n\n".join(map(text_of, page.text(claim["statement"]).split("\n\n")))), ("verdict", verdict),
        ("rests on", "\n".join([", ".join(claim["rests_on"]), *below(claim)]).strip()),
    ]  # fmt: skip
    rows += [(key, text_of(claim[key])) for key in ("assumption", "repair", "corrected", "reason", "note")]
    rows += [("source", claim["source"]), ("kind", claim["kind"])]
    if claim["executable"] not in ("", "yes"):
        rows.append(("not executable", NOT_EXECUTABLE.get(claim["executable"], "not yet")))
    rows += [("relation of", claim.get("relation_of", ""))]
    rows += [("not in Coq", text_of(claim["not_in_kernel"]))]
    rows += [("claim in", f"{claim['file']}:{claim['line']}"), ("figures", ", ".join(claim["figures"]))]
    rows += [("computed in", "\n".join(claim.get("code", ())))]
    console.print(Text(claim["id"], "bold"))
    console.print(_pairs([(key, value) for key, value in rows if value]))
    for item in claim["evidence"]:
        print_evidence(console, item)
    for name in claim["coq"]:
        console.print(Text(f"\nCoq theorem {name}", "bold"))
        console.print(Text(theorems.get(name, "(its statement is not pinned)")))
    if tests := claim.get("tests", ()):
        places = "\n".join(tests) if everything else f"{len(tests)} places, which --all lists"
        console.print(Text("\ntested in", "bold"))
        console.print(Text(places))
    for text in claim["faults"]:
        console.print(Text.assemble(("\nwrong: ", "bold red"), text))


def below(claim: Mapping[str, Any]) -> Iterator[str]:
    """Yield lines with the claims and theorems that a claim rests on, and the strength of the weakest.

    >>> theorem = {"theorem": "one", "theorems": ["two"], "definitions": ["sum"]}
    >>> claim = {"corrected": "x.b", "uses": [], "strength": "kernel", "effective": "smt"}
    >>> list(below({**claim, "rests_below": [theorem]}))
    ['Coq theorem one, whose proof uses two; it speaks of sum', 'x.b, which corrects it', 'the weakest below it: smt']
    """
    for item in claim.get("rests_below", ()):
        used = f", whose proof uses {', '.join(item['theorems'])}" if item["theorems"] else ""
        spoken = f"; it speaks of {', '.join(item['definitions'])}" if item["definitions"] else ""
        yield f"Coq theorem {item['theorem']}{used}{spoken}"
    if claim["corrected"]:
        yield f"{claim['corrected']}, which corrects it"
    yield from (f"{name}, which its words name" for name in claim["uses"])
    if claim.get("effective", claim["strength"]) != claim["strength"]:
        yield f"the weakest below it: {claim['effective'] or 'undecided'}"


def print_evidence(console: Console, item: Mapping[str, Any]) -> None:
    """Print one piece of evidence."""
    console.print(Text.assemble("\n", (item["function"], "bold"), f"  {item['file']}:{item['line']}"))
    rows = [("does", text_of(item["summary"])), ("aims at", f"the {item['form']} form, {item['strength']}")]
    outcome = dict(item["outcome"] or {"type": "fault", "fault": item["fault"]})
    kind = outcome.pop("type")
    rows.append(("outcome", kind))
    witness = outcome.pop("witness", None)
    certificate = outcome.pop("certificate", None) or {}
    if certificate.get("kind") == "coq":
        names = " and ".join(certificate["theorems"])
        outcome["detail"] = f"Coq theorem{'s' if len(certificate['theorems']) > 1 else ''} {names}, stated below"
    elif certificate:
        outcome["certificate"] = f"{certificate.get('kind', 'yes')} (export: dtmodel verify --certificates)"
    if witness:
        rows += [("says", text_of(witness["says"])), ("witness", _short(witness["data"]))]
        rows += [(key, _short(witness[key])) for key in ("expected", "claimed")]
    rows.append(("Coq proves", item.get("negation", "")))
    rows.append(("its form", KERNEL_FORMS.get(item.get("kernel_form", ""), "")))
    rows += [(k, text_of(v) if isinstance(v, str) else _short(v)) for k, v in outcome.items() if v]
    console.print(_pairs([(key, value) for key, value in rows if value]))


def rests_on(claim: Mapping[str, Any]) -> str:
    """Return one line with the evidence that a verdict rests on."""
    text = ", ".join(claim["rests_on"])
    if claim["fallback_from"]:
        text += f" ({claim['fallback_from']} skipped)"
    if claim["verdict"] == "depends-on-reading":
        text += f" (reproduced in {', '.join(claim['reproduced'])}; not in {', '.join(claim['missed'])})"
    if claim["verdict"] == "not run":
        text = "skipped: " + "; ".join(claim["skipped"])
    return text or text_of(claim["reason"])


def _pairs(rows: Sequence[tuple[str, Any]]) -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for key, value in rows:
        grid.add_row(f"  {key}", value if isinstance(value, Text) else Text(str(value)))
    return grid


def _short(value: object, *, inside: bool = False) -> str:
    if isinstance(value, Mapping):
        text = ", ".join(f"{key}: {_short(item, inside=True)}" for key, item in value.items())
        return f"{{{text}}}" if inside else text
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_short(item, inside=True) for item in value) + "]"
    return "null" if value is None else str(value)


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items()) or "-"
