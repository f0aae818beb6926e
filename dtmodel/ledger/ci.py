"""A run of evidence in the formats of continuous integration: JUnit's XML, and GitHub's annotations."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any
from xml.etree import ElementTree as ET

from dtmodel.base.errors import printable

Place = Callable[[Mapping[str, Any]], str]
"""The path of a claim's file in the repository that the job checks out."""


def _in_the_collection(claim: Mapping[str, Any]) -> str:
    return str(claim["file"])


def junit(report: Mapping[str, Any], place: Place = _in_the_collection) -> str:
    """Write a report as JUnit's XML: a test for each claim, and one for faults that belong to no claim."""
    top = ET.Element("testsuites", name="dtmodel verify")
    papers: dict[str, list[ET.Element]] = {}
    for claim in report["claims"]:
        papers.setdefault(claim["paper"], []).append(_case(claim, place))
    if report["problems"]:
        case = ET.Element("testcase", classname="collection", name="problems", time="0.000")
        for problem in report["problems"]:
            ET.SubElement(case, "failure", message=printable(problem))
        papers["collection"] = [*papers.get("collection", []), case]
    for paper, cases in papers.items():
        suite = ET.SubElement(top, "testsuite", name=printable(paper))
        suite.extend(cases)
        _count(suite, cases, sum(float(case.get("time", 0)) for case in cases))
    _count(top, [case for cases in papers.values() for case in cases], float(report["seconds"]))
    ET.indent(top)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(top, encoding="unicode")


def github_annotations(report: Mapping[str, Any], place: Place = _in_the_collection) -> Iterator[str]:
    """Yield a workflow command of GitHub for each fault, and a warning for each claim that was not run."""
    for problem in report["problems"]:
        yield f"::error title=dtmodel verify::{_escaped(problem)}"
    for claim in report["claims"]:
        where = f"file={_property(place(claim))},line={claim['line']},title={_property(claim['id'])}"
        for kind, text in _notes(claim):
            command, said = ("error", text) if kind == "failure" else ("warning", f"not run: {text}")
            yield f"::{command} {where}::{_escaped(said)}"


def _case(claim: Mapping[str, Any], place: Place) -> ET.Element:
    seconds = sum(item["seconds"] for item in claim["evidence"] if not item["cached"])
    names = {"classname": claim["paper"], "name": claim["id"], "file": place(claim)}
    case = ET.Element("testcase", {key: printable(text) for key, text in names.items()})
    case.set("line", str(claim["line"]))
    case.set("time", f"{seconds:.3f}")
    for kind, text in _notes(claim):
        ET.SubElement(case, kind, message=printable(text))
    return case


def _notes(claim: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each fault of a claim as a failure, and the reasons for which it was not run as skipped."""
    if not claim["as_recorded"]:
        difference = f"the computed verdict is {claim['verdict']}, recorded is {claim['recorded']}"
        yield from (("failure", fault) for fault in claim["faults"] or [difference])
    elif claim["verdict"] == "not run":
        yield "skipped", "; ".join(claim["skipped"])


def _count(element: ET.Element, cases: list[ET.Element], seconds: float) -> None:
    element.set("tests", str(len(cases)))
    for name, kind in (("failures", "failure"), ("skipped", "skipped")):
        element.set(name, str(sum(case.find(kind) is not None for case in cases)))
    element.set("time", f"{seconds:.3f}")


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
