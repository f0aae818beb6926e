"""The ledger's pages: one for each document and section, made of the report of ``dtmodel verify`` by its own writer."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from docs.svg import save
from dtmodel.ledger.html import claim_writer, html_report

TITLES = {
    "edt": "DT and EDT",
    "losspass": "ECN headroom and LossPass",
    "dynaq": "DynaQ",
    "l2bm": "L2BM",
    "derived": "Derived theorems",
}
_PLACES = (
    (r"(?i)^(our )?own\b", "ours", "Our own statements"),
    (r"^LossPass slides", "slides", "The slides"),
    (r"\bSections? ([IVX\d]+(?:[.-][A-Z\d]+)*)", "section-{}", "Section {}"),
    (r"(?i)\babstract|\bintroduction", "abstract", "Abstract and introduction"),
    (r"\bAlgorithm (\d)", "algorithm-{}", "Algorithm {}"),
    (r"\bTheorem", "theorems", "Theorems and their proofs"),
    (r"\bFigure|\bTable|\bfootnote", "figures", "Figures, tables and footnotes"),
)


def place(claim: Mapping[str, Any]) -> tuple[str, str]:
    """Return the name and the title of the page of a claim: what its source names first.

    Examples
    --------
    >>> place({"source": "DT/EDT paper, Section 4.1 and Figure 7"})
    ('section-4.1', 'Section 4.1')
    >>> place({"source": "own theorem, after (77) of the DT/EDT paper"})[0]
    'ours'
    """
    found = [
        (match.start(), name.format(*match.groups()), title.format(*match.groups()))
        for pattern, name, title in _PLACES
        if (match := re.search(pattern, claim["source"]))
    ]
    return min(found)[1:] if found else ("elsewhere", "Elsewhere")


def pages(report: Mapping[str, Any], pictures: Mapping[str, Path], theorems: Mapping[str, str]) -> dict[str, bytes]:
    """Return the pages, with the pictures of witnesses beside them.

    Parameters
    ----------
    report : mapping
        A report of ``dtmodel verify``.
    pictures : mapping
        The file of each witness that is drawn, by the name that `picture_name` gives it.
    theorems : mapping
        Where each theorem of Coq that has a page stands, below the site.
    """
    papers: dict[str, dict[tuple[str, str], list[Mapping[str, Any]]]] = {}
    for claim in report["claims"]:
        papers.setdefault(claim["paper"], {}).setdefault(place(claim), []).append(claim)
    where = {claim["id"]: f"../{_address(claim)}" for claim in report["claims"]}
    proved = {name: f"../../{page}" for name, page in theorems.items()}
    link, picture = where.__getitem__, partial(_picture, pictures)
    write = claim_writer(link, picture, lambda name: proved.get(name, ""), report["claims"])
    texts = {"ledger/index.md": _index(report, papers)}
    for paper, sections in papers.items():
        ordered = sorted(sections, key=lambda page: _order(page[0]))
        texts[f"ledger/{paper}/index.md"] = _paper(paper, [(page, sections[page]) for page in ordered])
        for name, title in ordered:
            claims = sections[name, title]
            texts[f"ledger/{paper}/{name}.md"] = _section(f"{TITLES.get(paper, paper)}: {title}", claims, write)
    known = {claim["id"]: f"ledger/{_address(claim)}" for claim in report["claims"]}
    texts["extra/report.html"] = html_report(report, elsewhere=known.__getitem__)
    found = {name: text.encode() for name, text in texts.items()}
    return found | {f"extra/witnesses/{name}.svg": path.read_bytes() for name, path in pictures.items()}


def _address(claim: Mapping[str, Any]) -> str:
    return f"{claim['paper']}/{place(claim)[0]}.html#{claim['id']}"


def picture_name(data: object) -> str:
    """Return the name of the picture of a witness: a hash of its data."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]


def draw(report: Mapping[str, Any], folder: Path) -> dict[str, Path]:
    """Draw the witnesses that are runs into the folder, those that are not there yet; return their files by name."""
    from joblib import Parallel, delayed

    folder.mkdir(parents=True, exist_ok=True)
    wanted = {picture_name(item["outcome"]["witness"]["data"]): item for item in _runs(report)}
    found = {name: folder / f"{name}.svg" for name in wanted}
    missing = [name for name, path in found.items() if not path.is_file()]
    Parallel(n_jobs=-1)(delayed(_draw)(wanted[name], found[name]) for name in missing)
    return found


def _runs(report: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the evidence whose witness is a run with queues to draw."""
    for claim in report["claims"]:
        for item in claim["evidence"]:
            witness = (item["outcome"] or {}).get("witness")
            if witness and (witness["kind"] == "fluid" or witness["data"].get("algorithm") == "losspass"):
                yield item


def _draw(item: Mapping[str, Any], path: Path) -> None:
    from dtmodel.companion.witness_pictures import witness_picture
    from dtmodel.plot.style import styled

    witness = item["outcome"]["witness"]
    with styled():
        drawn = witness_picture(witness["kind"], witness["data"], item.get("replayed", {}))
        save(path, drawn)


def _picture(pictures: Mapping[str, Path], _claim: object, item: Mapping[str, Any]) -> str:
    name = picture_name(item["outcome"]["witness"]["data"])
    return f"../../witnesses/{name}.svg" if name in pictures else ""


def _order(name: str) -> tuple[int, list[tuple[int, str]]]:
    """Put sections in their order, roman ones too, between the abstract and what is ours."""
    ranks = {"abstract": 0, "theorems": 2, "algorithm": 3, "figures": 4, "slides": 5, "elsewhere": 6, "ours": 7}
    words = name.removeprefix("section-").replace(".", "-").split("-")
    roman = ("I", "II", "III", "IV", "V", "VI", "VII")
    numbers = [(int(word), "") if word.isdigit() else (roman.index(word) + 1, "") if word in roman else (0, word)
               for word in words]  # fmt: skip
    return ranks.get(name.partition("-")[0], 1), numbers


def _section(title: str, claims: Sequence[Mapping[str, Any]], write: Any) -> str:
    settings, pieces = write(claims)
    told = zip(claims, pieces, strict=True)
    written = "\n".join(f"::::::::{{claim}} {claim['id']}\n{piece.strip()}\n::::::::\n" for claim, piece in told)
    return f"# {title}\n\n{_counted(claims)}\n\n{settings.strip()}\n\n{written}"


def _counted(claims: Sequence[Mapping[str, Any]]) -> str:
    verdicts = [claim["verdict"] for claim in claims]
    counts = ", ".join(f"{verdicts.count(word)} {word}" for word in dict.fromkeys(sorted(verdicts, key=_rank)))
    return f"{len(claims)} {'claim' if len(claims) == 1 else 'claims'}: {counts}."


def _rank(verdict: str) -> int:
    from dtmodel.ledger.claim import VERDICTS

    return VERDICTS.index(verdict) if verdict in VERDICTS else len(VERDICTS)


def _paper(paper: str, sections: Sequence[tuple[tuple[str, str], Sequence[Mapping[str, Any]]]]) -> str:
    rows = "\n".join(f"| [{title}]({name}.md) | {_counted(claims)} |" for (name, title), claims in sections)
    tree = "\n".join(f"{title} <{name}>" for (name, title), _ in sections)
    return (
        f"# {TITLES.get(paper, paper)}\n\n| section | claims |\n|---|---|\n{rows}\n\n"
        f"```{{toctree}}\n:hidden:\n\n{tree}\n```\n"
    )


def _index(report: Mapping[str, Any], papers: Mapping[str, Mapping[tuple[str, str], list[Mapping[str, Any]]]]) -> str:
    rows = "\n".join(
        f"| [{TITLES.get(paper, paper)}]({paper}/index.md) | "
        f"{_counted([claim for claims in sections.values() for claim in claims])} |"
        for paper, sections in papers.items()
    )
    engines = ", ".join(f"{name} {version}" for name, version in report["engines"].items())
    state = "All verdicts are as recorded" if report["as_recorded"] else "**Not all verdicts are as recorded**"
    tree = "\n".join([*(f"{paper}/index" for paper in papers), "senders"])
    return (
        f"# The ledger\n\n{state}: dtmodel {report['version']}, {engines}.\n\n"
        f"| documents | claims |\n|---|---|\n{rows}\n\n"
        "The search of this site finds the id of a claim and every word of its statement and evidence. "
        '<a href="../report.html">All claims</a> stand on one page, with filters by document, verdict, '
        "strength and kind; `make verify` writes one with their evidence. "
        "[Does the gain survive TCP?](senders.md) has the results that need senders."
        f"\n\n```{{toctree}}\n:hidden:\n\n{tree}\n```\n"
    )
