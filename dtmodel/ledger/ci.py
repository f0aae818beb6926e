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
            _said(case, "failure", problem)
        papers["collection"] = [*papers.get("collection", []), case]
    for paper, cases in papers.items():
        suite = ET.SubElement(top, "testsuite", name=_legal(paper))
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
        if not claim["as_recorded"]:
            for fault in claim["faults"] or [_difference(claim)]:
                yield f"::error {where}::{_escaped(fault)}"
        elif claim["verdict"] == "not run":
            yield f"::warning {where}::{_escaped('not run: ' + '; '.join(claim['skipped']))}"


def _case(claim: Mapping[str, Any], place: Place) -> ET.Element:
    seconds = sum(item["seconds"] for item in claim["evidence"] if not item["cached"])
    names = {"classname": claim["paper"], "name": claim["id"], "file": place(claim)}
    case = ET.Element("testcase", {key: _legal(text) for key, text in names.items()})
    case.set("line", str(claim["line"]))
    case.set("time", f"{seconds:.3f}")
    if not claim["as_recorded"]:
        for fault in claim["faults"] or [_difference(claim)]:
            _said(case, "failure", fault)
    elif claim["verdict"] == "not run":
        _said(case, "skipped", "; ".join(claim["skipped"]))
    return case


def _difference(claim: Mapping[str, Any]) -> str:
    return f"the computed verdict is {claim['verdict']}, recorded is {claim['recorded']}"


def _said(case: ET.Element, kind: str, text: str) -> None:
    ET.SubElement(case, kind, message=_legal(text))


def _count(element: ET.Element, cases: list[ET.Element], seconds: float) -> None:
    element.set("tests", str(len(cases)))
    for name, kind in (("failures", "failure"), ("skipped", "skipped")):
        element.set(name, str(sum(case.find(kind) is not None for case in cases)))
    element.set("time", f"{seconds:.3f}")


def _legal(text: str) -> str:
    return printable(text)


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
