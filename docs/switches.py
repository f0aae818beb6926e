"""The page of measured switches: public numbers of hardware tests beside the counts that the theory predicts."""

from collections.abc import Iterator

from dtmodel.base.tables import Cells
from dtmodel.switches.chips import Chip, chips
from validation.support.measured import Measurement, measurements

_LONG = 6
_INTRODUCTION = """# What the theory says your switch does

Open network operating systems ship a buffer configuration for each switch, and public tests that say after how many
packets of 64 bytes a group pauses, drops or resumes. This page computes these numbers from the configuration alone,
with the formulas of `dtmodel params profile FILE --chip CHIP --packet 64`, and puts them beside the measured ones.
Numbers are packets, if nothing else is said; "within" is the margin of the test itself.
"""
_READINGS = """## The readings

A field of the same name means different things on different chips. Each part below has the public number that shows it,
or is inferred. The parts that are not listed have the value of the generic reading without a source.
"""


def pages() -> dict[str, str]:
    """Return the page by its path."""
    return {
        "switches.md": "\n".join([_INTRODUCTION, *_devices(), _needs(), _READINGS, *map(_reading, chips().values())])
    }


def _devices() -> Iterator[str]:
    found: dict[str, list[Measurement]] = {}
    for each in measurements().values():
        found.setdefault(each.facts["device"], []).append(each)
    for device, members in found.items():
        rows = tuple(row for each in members for row in _rows(each))
        chip = members[0].facts["chip"]
        yield _table(f"{device} ({chip})", ("count", "measured", "predicted", "within", "source"), rows)


def _table(title: str, headings: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> str:
    return Cells(title, headings, rows).markdown() + "\n"


def _rows(measured: Measurement) -> Iterator[tuple[str, ...]]:
    predicted, facts = measured.predicted(), measured.facts
    for name, value in measured.expected.items():
        source = f"{facts['source']}; {facts['computed']}" if "computed" in facts else facts["source"]
        link = f" ({facts['link']})" if facts["link"] else ""
        yield f"{name}{link}", _short(value), _short(predicted[name]), str(facts["margin"]), source


def _short(value: object) -> str:
    if not isinstance(value, list):
        return str(value)
    return ", ".join(map(str, value[:_LONG])) + (f", ... ({len(value)} groups)" if len(value) > _LONG else "")


def _needs() -> str:
    rows = tuple(
        (facts["device"], ", ".join(each.expected), facts["needs"])
        for each in measurements().values() if "needs" in (facts := each.facts)
    )  # fmt: skip
    return _table("Numbers that do not follow from the file", ("device", "count", "needs"), rows)


def _reading(chip: Chip) -> str:
    rows = tuple((name.replace("_", " "), *more) for name, *more in chip.parts() if name in chip.evidence)
    return _table(chip.name, ("part", "value", "evidence"), rows)
