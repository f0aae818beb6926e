"""The report as one HTML file with mathematics as MathML and a script that filters; it fetches nothing."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from dtmodel.base.documents import pretty_json
from dtmodel.base.mathtext import html_of, text_of
from dtmodel.ledger.claim import NOT_EXECUTABLE
from dtmodel.ledger.evidence import STRENGTHS
from dtmodel.ledger.settings import Reference, Settings
from dtmodel.ledger.terminal import folded, unfolded

if TYPE_CHECKING:
    from jinja2 import Environment

_TEMPLATES = Path(__file__).with_name("templates")


def html_report(
    report: Mapping[str, Any],
    drawing: Callable[[Mapping[str, Any]], str] | None = None,
    maths: Callable[[str], str] = html_of,
    elsewhere: Callable[[str], str] | None = None,
) -> str:
    """Write a report document as one self-contained HTML page.

    `drawing` writes the data of a ``"fluid"`` witness, `maths` words and mathematics. With `elsewhere`, the address of
    a claim's page, a claim is its first line with a link. A content security policy allows only the page's own style
    and script.
    """
    known = _shared(report["claims"])
    environment = _environment("#{}".format, lambda _claim, _evidence: "", known=known)
    if drawing is not None:
        environment.filters["drawing"] = lambda data: _markup(drawing(data))
    environment.filters["maths"] = lambda text: _markup(maths(str(text)))
    papers: dict[str, list[Mapping[str, Any]]] = {claim["paper"]: [] for claim in report["claims"]}
    for claim in unfolded(report):
        papers[claim["paper"]].append(claim)
    sections: dict[str, dict[str, list[Mapping[str, Any]]]] = {paper: {} for paper in papers}
    for section, claims in folded(report).items():
        sections[claims[0]["paper"]][section] = claims
    counts = report["summary"].values()
    filters = {
        "document": list(papers),
        "verdict": list(dict.fromkeys(verdict for each in counts for verdict in each["verdicts"])),
        "strength": [strength for strength in STRENGTHS if any(strength in each["strengths"] for each in counts)],
        "kind": sorted({claim["kind"] for claim in report["claims"]}),
    }
    return environment.get_template("report.html.j2").render(
        report=report,
        elsewhere=elsewhere,
        known=known,
        papers=papers,
        sections=sections,
        filters=filters,
        style=_own("claims.css", "report.css"),
        script=_own("open.js", "report.js"),
    )


def claim_writer(
    link: Callable[[str], str],
    picture: Callable[[Mapping[str, Any], Mapping[str, Any]], str],
    theorem: Callable[[str], str] = lambda _name: "",
    among: Iterable[Mapping[str, Any]] = (),
) -> Callable[[Sequence[Mapping[str, Any]]], tuple[str, list[str]]]:
    """Return a function that writes the claims of one page as HTML: their common settings, and the claims.

    `link`, `picture`, `theorem`: the addresses of a claim, of the picture of its evidence, and of a Coq theorem, or
    empty. `among`: the claims on all pages, whose settings have one title each.
    """
    known = _shared(among)

    def write(claims: Sequence[Mapping[str, Any]]) -> tuple[str, list[str]]:
        pages = known or _shared(claims)
        page: Any = _environment(link, picture, theorem, pages).get_template("claim.html.j2").module
        said = "".join(str(page.settings(paper, pages[paper], said)) for paper, said in _statements(claims).items())
        return said, [str(page.one(claim)) for claim in claims]

    return write


def _shared(claims: Iterable[Mapping[str, Any]]) -> dict[str, Settings]:
    """Return the settings that the statements of each document share."""
    return {paper: Settings(statements) for paper, statements in _statements(claims).items()}


def _statements(claims: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the statements that are written from forms, by document."""
    said: dict[str, list[str]] = {}
    for claim in claims:
        said.setdefault(claim.get("paper", ""), []).extend([claim["statement"]] if claim.get("caption") else [])
    return said


def _environment(
    link: Callable[[str], str],
    picture: Callable[[Mapping[str, Any], Mapping[str, Any]], str],
    theorem: Callable[[str], str] = lambda _name: "",
    known: Mapping[str, Settings] = MappingProxyType({}),
) -> Environment:
    from jinja2 import Environment, FileSystemLoader

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["maths"] = lambda text: _markup(html_of(str(text)))
    environment.filters["pretty"] = lambda value: _markup(escape(pretty_json(value), quote=False))
    environment.filters["drawing"] = lambda _data: ""
    environment.globals |= {"link": link, "picture": picture, "theorem": theorem, "why_not": NOT_EXECUTABLE}
    environment.globals["said"] = lambda claim: _linked(claim, known[claim["paper"]], environment.filters["maths"])
    return environment


def _linked(claim: Mapping[str, Any], page: Settings, maths: Callable[[str], object]) -> object:
    """Write a statement with links to the settings of its page."""
    titles = {str(number): title for title, number in page.numbers.items()}

    def refer(to: Reference) -> str:
        return f"\1{page.numbers[to.title]}\2{to.title}\3{to.words}"

    def opened(found: re.Match[str]) -> str:
        return f'<a href="#{claim["paper"]}-setting-{found[1]}" aria-label="{escape(text_of(titles[found[1]]))}">'

    said = "<br>".join(str(maths(part)) for part in page.text(claim["statement"], refer).split("\n\n"))
    return _markup(re.sub("\1(\\d+)\2", opened, said).replace("\3", "</a>"))


def _markup(html: str) -> object:
    from markupsafe import Markup

    return Markup(html)  # noqa: S704 - html_of and the functions that draw escape, and our own files are HTML


def _own(*names: str) -> Mapping[str, object]:
    """Return files beside the template as one text, with the hash by which the page's policy allows it."""
    text = "".join((_TEMPLATES / name).read_text(encoding="utf-8") for name in names)
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return {"text": _markup(text), "hash": f"sha256-{digest}"}
