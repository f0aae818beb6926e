"""Reports, their report_changes, certificates, the cache, and the statements as text."""

import base64
import hashlib
import html.parser
import io
import json
import re
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from ledger_cases import CLAIMS, FALSE, claim, double, evidence, pieces_of_each_kind, root
from pages import driven
from rich.console import Console

from dtmodel.companion.witness_svg import fluid_svg
from dtmodel.fluid import run_scenario
from dtmodel.fluid.scenario import Scenario
from dtmodel.ledger import collect
from dtmodel.ledger.cache import library_versions
from dtmodel.ledger.certificates import export
from dtmodel.ledger.diff import report_changes
from dtmodel.ledger.html import claim_writer, html_report
from dtmodel.ledger.report import report_document
from dtmodel.ledger.runner import Options, run_claims
from dtmodel.ledger.settings import Settings
from dtmodel.ledger.terminal import print_claim, print_report, print_summary

PROVED = "return Proved('by $\\\\alpha$', EXAMPLE, certificate={'kind': 'slack', 'strict': False})"
PIECES = pieces_of_each_kind(PROVED)


def report(folder: Path, claims: list[str] = CLAIMS, pieces: list[str] = PIECES) -> dict[str, Any]:
    collection = collect([root(folder, claims, pieces)])
    done = run_claims(collection, replayers={"double": double})
    return report_document(done, collection, version="1", engines={"python": "3"}, pins={"t": "abc"})


def test_the_report_counts_by_document_and_says_what_was_skipped(tmp_path: Path) -> None:
    document = report(tmp_path)
    assert document["summary"]["edt"] == {
        "claims": 3,
        "folded": 0,
        "as_recorded": 3,
        "verdicts": {"holds": 1, "refuted": 1, "not run": 1},
        "strengths": {"symbolic": 2},
        "theorems": {"hold": 0, "kernel": 0},
        "executable": {"not yet": 2},
        "kernel_forms": {},
    }
    assert document["skipped"] == [{"evidence": "third", "reason": "no Coq", "claims": ["edt.eq3"]}]
    assert document["as_recorded"]
    assert json.loads(json.dumps(document)) == document


def printed(show: Callable[[Console, Any], None], document: Any) -> str:
    console = Console(record=True, width=200, file=io.StringIO())
    show(console, document)
    return console.export_text()


def test_the_report_finds_the_code_of_a_claim(tmp_path: Path) -> None:
    (tmp_path / "validation" / "edt" / "figures").mkdir(parents=True)
    (tmp_path / "validation" / "edt" / "figures" / "fig01.py").write_text(
        '"""Figure 1 (edt.eq2)."""\n', encoding="utf-8"
    )
    first, second, _ = report(tmp_path)["claims"]
    assert (first["figures"], second["figures"]) == ([], ["validation/edt/figures/fig01.py"])
    piece = first["evidence"][0]
    lines = (tmp_path / piece["file"]).read_text(encoding="utf-8").splitlines()
    assert "@evidence('edt.eq1'" in lines[piece["line"] - 1]
    assert (first["file"], first["line"]) == ("validation/edt/claims.toml", 1)


class Page(html.parser.HTMLParser):
    """Reads a page: its elements with their attributes, whether each is closed, its style sheet and its script."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.style = self.script = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in ("meta", "br", "input", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.style += data if self.open[-1:] == ["style"] else ""
        self.script += data if self.open[-1:] == ["script"] else ""


def test_the_html_report_is_one_well_formed_file(tmp_path: Path) -> None:
    claims = [claim(statement=r"$\frac{1}{2} < x$ & <y>"), *CLAIMS[1:]]
    text = html_report(report(tmp_path, claims))
    assert Page(text).open == []
    assert "<mfrac>" in text
    assert "&amp; &lt;y&gt;" in text
    assert 'id="edt.eq2"' in text


def test_a_report_with_the_pages_of_its_claims_has_their_first_lines_and_links(tmp_path: Path) -> None:
    page = Page(html_report(report(tmp_path), elsewhere="there.html#{}".format))
    assert page.open == []
    whole = Page(html_report(report(tmp_path)))
    ids = [[a["id"] for tag, a in each.elements if tag == "details" and "id" in a] for each in (page, whole)]
    assert ids[0] == ids[1] != []
    assert [f"there.html#{name}" for name in ids[0]] == [
        a["href"] for _, a in page.elements if "there" in a.get("href", "")
    ]
    assert not [tag for tag, _ in page.elements if tag == "pre"]


TWO_PORTS = {
    "switch": {"ports": 5, "buffer": "6", "rate": "1"}, "policy": {"name": "dt", "alpha": "1"}, "until": "4",
    "queues": [{"arrivals": [["0", "3"]]}, *[{"arrivals": [["0", "2"]], "initial": "steady"}] * 4],
}  # fmt: skip


def test_a_fluid_witness_is_drawn_in_the_report_with_words_for_who_does_not_see_it(tmp_path: Path) -> None:
    document = report(tmp_path)
    outcome = document["claims"][1]["evidence"][0]["outcome"]
    outcome["witness"] |= {"kind": "fluid", "data": TWO_PORTS}
    assert "<svg" not in html_report(document)
    text = html_report(document, fluid_svg)
    page = Page(text)
    assert page.open == []
    assert [attributes.get("role") for tag, attributes in page.elements if tag == "svg"] == ["img", None]
    assert not [name for _, attributes in page.elements for name in attributes if name in ("style", "src")]
    run = run_scenario(Scenario.read(TWO_PORTS), Fraction)
    assert run.first_drop(0) == Fraction(1, 2)
    said = "port 0: at most 1 B, first drop at 500 ms; 4 ports like port 1: at most 1.2 B, first drop at 0 s"
    assert f"<desc>{said}</desc>" in text
    lines = "port 0 (solid), 4 ports like port 1 (dashed)"
    assert f"<figcaption>Lengths of {lines}; thresholds in fine dots; crosses: first drops.</figcaption>" in text
    assert "M0.0,130.0L" in fluid_svg(TWO_PORTS)  # the burst begins with nothing


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (TWO_PORTS | {"until": "soon"}, "until: got"),
        (TWO_PORTS | {"queues": []}, "empty all the time"),
        (TWO_PORTS | {"policy": {"name": "<b>"}}, "&lt;b&gt;"),
    ],
)
def test_what_cannot_be_drawn_says_so(data: dict[str, Any], why: str) -> None:
    assert fluid_svg(data).startswith('<p class="dim">not drawn: ')
    assert why in fluid_svg(data)


def test_a_claim_is_written_for_another_page_with_its_links_and_its_picture(tmp_path: Path) -> None:
    conflict = "return Conflict('edt.eq2, edt.eq3', 'not all', {'eq1': '1', 'eq2': '2', 'eq3': '3'})"
    ids = ("edt.eq1", "edt.eq2", "edt.eq3")
    claims = [claim(name, "inconsistent") for name in ids]
    pieces = [evidence(conflict, *ids, strength="exact"), evidence(FALSE, "edt.eq1", name="second", strength="exact")]
    first, *_ = report(tmp_path, claims, pieces)["claims"]
    write = claim_writer("there.html#{}".format, lambda one, item: f"{one['id']}-{item['function']}.svg")
    page = Page(write([first])[1][0])
    assert page.open == []
    assert [a["href"] for tag, a in page.elements if tag == "a"] == ["there.html#edt.eq2", "there.html#edt.eq3"]
    assert [a["src"] for tag, a in page.elements if tag == "img"] == ["edt.eq1-second.svg"]
    assert "<img" not in claim_writer(str, lambda _claim, _item: "")([first])[1][0]


def test_a_setting_that_two_statements_share_is_printed_once_and_linked_by_its_title() -> None:
    said = [f"Let $x > 0$. Let $y = x + x_1 + x_2$.\n\nThen $y > {n} x$." for n in (2, 3)]
    claims = [{"id": f"own.eq{n}", "paper": "own", "caption": "One", "statement": text, "evidence": [], "faults": []}
              for n, text in enumerate(said)]  # fmt: skip
    settings, pieces = claim_writer(str, lambda _claim, _item: "")(claims)
    assert settings.count("<li") == 1
    assert '<li id="own-setting-1"><div><strong><math><mi>y</mi></math></strong>: Let ' in settings
    for piece in pieces:
        assert 'Given <a href="#own-setting-1" aria-label="y"><math><mi>y</mi></math></a>.<br>Then ' in piece
        assert piece.count("Let ") == 1
    assert claim_writer(str, lambda _claim, _item: "", among=claims)(claims[1:]) == (settings, pieces[1:])


HOSTILE = [
    r"$\text{<script>alert(1)</script>}$ and $\text{if a<b}$",
    r"$\href{javascript:alert(1)}{x}$ $\style{background:url(https://elsewhere.example/a.png)}{y}$",
    '<script src="https://elsewhere.example/a.js"></script><img src=x onerror=alert(1)>',
    "`</code><iframe src=https://elsewhere.example>` </style><style>*{}</style>",
]


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("key", ["statement", "source", "note", "repair", "corrected"])
def test_a_hostile_claim_puts_nothing_on_the_page_but_its_words(tmp_path: Path, key: str, hostile: str) -> None:
    piece = evidence(f"return Counterexample(FALSE, {hostile!r})", strength="exact")
    page = Page(html_report(report(tmp_path, [claim(**{key: hostile, "verdict": "refuted"})], [piece])))
    tags = [tag for tag, _ in page.elements]
    assert not {"img", "iframe", "link", "object", "base", "form"} & set(tags)
    assert tags.count("style") == tags.count("script") == 1
    assert "alert" not in page.script
    for _, attributes in page.elements:
        assert not [name for name in attributes if name.startswith("on") or name in ("src", "style")]
        assert (attributes.get("href") or "#").startswith("#")


def test_the_page_allows_its_own_style_sheet_and_script_and_nothing_else(tmp_path: Path) -> None:
    page = Page(html_report(report(tmp_path)))
    policy = next(a["content"] for _, a in page.elements if a.get("http-equiv") == "Content-Security-Policy")
    style, script = (
        base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (page.style, page.script)
    )
    own = f"style-src 'sha256-{style}'; script-src 'sha256-{script}'"
    assert policy == f"default-src 'none'; {own}; base-uri 'none'; form-action 'none'"


FILTERING = """<script>
const said = [document.getElementById("found").textContent, document.querySelector("details[open]").id];
for (const [name, value] of [["verdict", "refuted"], ["verdict", ""], ["kind", "theorem"]]) {
  const select = document.querySelector(`select[name=${name}]`);
  select.value = value;
  select.dispatchEvent(new Event("change"));
  said.push(found.textContent);
}
search.value = "nowhere";
search.dispatchEvent(new Event("input"));
said.push(found.textContent, document.querySelectorAll("details.claim[id]:not([hidden])").length);
document.body.replaceChildren(Object.assign(document.createElement("pre"), { textContent: JSON.stringify(said) }));
</script>"""


@pytest.mark.needs("chromium")
def test_a_browser_opens_the_report_at_a_claim_and_filters(tmp_path: Path) -> None:
    """What the driver adds to the page is allowed only because the page's policy is taken out."""
    page = re.sub('<meta http-equiv="Content-Security-Policy"[^>]*>', "", html_report(report(tmp_path)))
    whole, one = "3 of 3 claims", "1 of 3 claims"
    assert driven(page, FILTERING, tmp_path, "#edt.eq2") == [whole, "edt.eq2", one, whole, one, "0 of 3 claims", 0]


def test_a_fault_stands_in_the_html_report(tmp_path: Path) -> None:
    text = html_report(report(tmp_path, [claim()], []))
    assert "Not as recorded." in text
    assert "no evidence: write some" in text


def test_the_difference_of_two_reports_names_what_changed(tmp_path: Path) -> None:
    old = report(tmp_path / "old")
    new = report(tmp_path / "new", [claim(statement="$x < 3$"), claim("edt.eq4")], [evidence(PROVED, strength="smt")])
    new["pins"] = {"t": "def", "u": "123"}
    changes = report_changes(old, new)
    assert changes["added"] == [{"id": "edt.eq4", "verdict": "undecided"}]
    assert [item["id"] for item in changes["removed"]] == ["edt.eq2", "edt.eq3"]
    assert {(item["field"], item["old"], item["new"]) for item in changes["changed"]} == {
        ("strength", "symbolic", "smt"),
        ("statement", "$x < 2$", "$x < 3$"),
    }
    assert changes["pins"] == [{"id": "t", "old": "abc", "new": "def"}, {"id": "u", "old": None, "new": "123"}]
    assert not any(report_changes(old, old).values())


def test_settings_are_folded_into_a_row_of_their_section_unless_they_are_asked_for(tmp_path: Path) -> None:
    claims = [claim("edt.sec5.rate", kind="setting"), claim("edt.sec5.load", kind="setting"), claim("edt.eq1")]
    document = report(tmp_path, claims, [evidence(PROVED, "edt.sec5.rate", "edt.sec5.load", "edt.eq1")])
    assert {key: document["summary"]["edt"][key] for key in ("claims", "folded")} == {"claims": 1, "folded": 2}
    assert len(document["claims"]) == 3
    lines = printed(print_report, document).splitlines()
    assert [line.split()[:3] for line in lines[1:3]] == [["edt.eq1", "holds", "symbolic"], ["edt.sec5", "2", "folded"]]
    assert html_report(document).count("edt.sec5.rate</span>") == 1
    asked = printed(print_report, {**document, "selectors": ["edt.sec5"]})
    assert ("edt.sec5.rate" in asked, "folded into" in asked) == (True, False)


def test_the_report_counts_theorems_that_hold_and_those_in_the_kernel(tmp_path: Path) -> None:
    claims = [
        claim("edt.eq1"),
        claim("edt.thm1", kind="theorem", not_in_kernel="no $x$ there"),
        claim("edt.s", kind="ours"),
    ]
    pieces = [evidence(PROVED, "edt.eq1", "edt.thm1"), evidence(PROVED, "edt.s", strength="kernel", name="second")]
    document = report(tmp_path, claims, pieces)
    assert document["summary"]["edt"]["theorems"] == {"hold": 2, "kernel": 1}
    assert "1 of 2 theorems" in printed(print_summary, document)
    shown = printed(lambda console, item: print_claim(console, item, {}, Settings([])), document["claims"][1])
    assert "not in Coq" in shown
    assert "no x there" in shown


def test_the_statement_is_written_from_the_form_that_runs(tmp_path: Path) -> None:
    """In the report, on its page and in the terminal, where it stands before the verdict and all else."""
    document = report(tmp_path, [claim(formal="for x > 0; where x < 1; then x/2 < 1/2")], [evidence(PROVED)])
    (found,) = document["claims"]
    assert (
        found["statement"]
        == r"Let $x > 0$. This relates numbers alone. Suppose that $x < 1$. Then $\frac{x}{2} < \frac{1}{2}$."
    )
    assert found["caption"] == "Bound edt eq1"
    assert re.search(r"<dt>statement</dt><dd>Let .*Suppose that .*Then ", html_report(document), re.DOTALL)
    lines = printed(lambda console, item: print_claim(console, item, {}, Settings([])), found).splitlines()
    assert [line.split()[:2] for line in lines[1:5]] == [
        ["caption", "Bound"], ["statement", "Let"], ["verdict", "holds"], ["rests", "on"]
    ]  # fmt: skip
    assert "Let x > 0. This relates numbers alone. Suppose that x < 1. Then x/2 < 1/2." in lines[2]


def test_tests_are_counted_at_the_end_and_listed_on_demand(tmp_path: Path) -> None:
    (found,) = report(tmp_path, [claim()], [evidence(PROVED)])["claims"]
    found |= {"tests": ["tests/test_one.py:3 (one)", "tests/test_two.py:4 (one)"]}
    few, all_ = (
        printed(partial(print_claim, theorems={}, page=Settings([]), everything=everything), found)
        for everything in (False, True)
    )
    assert few.endswith("tested in\n2 places, which --all lists\n")
    assert all_.endswith("tested in\ntests/test_one.py:3 (one)\ntests/test_two.py:4 (one)\n")


def test_certificates_and_witnesses_are_exported_once_with_their_claims(tmp_path: Path) -> None:
    pieces = [evidence(PROVED, "edt.eq1", "edt.eq3"), PIECES[1]]
    assert export(report(tmp_path, CLAIMS, pieces), tmp_path / "out") == {"slack": 1, "values": 1}
    slack, values = sorted((tmp_path / "out").iterdir())
    assert json.loads(slack.read_text())["claims"] == ["edt.eq1", "edt.eq3"]
    assert json.loads(values.read_text())["statement"] == "x < 2"


def test_versions_are_those_installed() -> None:
    assert {"python", "sympy"} <= set(library_versions())


def test_progress_counts_every_piece(tmp_path: Path) -> None:
    seen: list[tuple[int, int, str]] = []
    collection = collect([root(tmp_path, CLAIMS, PIECES)])
    run_claims(collection, replayers={}, options=Options(progress=lambda *args: seen.append(args)))
    assert [(done, total) for done, total, _ in seen] == [(1, 3), (2, 3), (3, 3)]
    assert {name for *_, name in seen} == {"first", "second", "third"}
