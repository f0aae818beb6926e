"""Panels with menus and texts: a theorem derived for a policy and classes, and the checks of a buffer profile."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from html import escape
from typing import TYPE_CHECKING, Any, final

from dtmodel.base.documents import choice, only_keys, table
from dtmodel.base.errors import InputError
from dtmodel.base.mathtext import html_of
from dtmodel.companion.witness_svg import witness_html
from dtmodel.lab.assets import made
from dtmodel.lab.errata import errata
from dtmodel.lab.panel import Panel
from dtmodel.lab.setting import Slider

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LONGEST = 2_000_000
"""The largest number of characters in a text."""
_CHIPS = ("generic", "td2", "td3", "th", "th2", "th3", "th5", "th6", "spectrum1", "spectrum2", "spectrum3", "spectrum4")


@final
@dataclass(frozen=True, eq=False)
class Form(Panel):
    """A panel with HTML: `fields` (menus, sliders, texts), initial values, `compute` for ``html`` and hidden fields."""

    title: str
    note: str
    fields: tuple[Slider, ...]
    begin: Mapping[str, str]
    compute: Callable[[Mapping[str, str]], Mapping[str, Any]]

    kind = "form"

    @property
    def sliders(self) -> tuple[Slider, ...]:
        """No slider: the fields of a form are in its description."""
        return ()

    def values(self) -> dict[str, str]:
        """The initial values of the fields."""
        return dict(self.begin)

    def start(self, movable: Sequence[str], *, live: bool) -> dict[str, Any]:
        """Describe the form to the browser, as `Panel.start` does."""
        fields = [{"name": field.name, "label": field.label, "options": field.options} for field in self.fields]
        return super().start(movable, live=live) | {"fields": fields, "note": self.note}

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Compute the HTML for the values of the fields; `InputError` if one is not accepted."""
        values = {**self.begin, **table(request.get("values", {}), "values")}
        only_keys(values, tuple(self.begin), "")
        for field in self.fields:
            if field.options:
                choice(values[field.name], field.name, field.options)
            elif not isinstance(values[field.name], str) or len(values[field.name]) > _LONGEST:
                raise InputError(field.name, "a long text", f"a text of at most {_LONGEST:,} characters")
        return {"values": values, **self.compute(values)}

    def figure(self) -> Figure:
        """Draw the answer as text."""
        from dtmodel.plot.picture import Picture

        drawn = Picture()
        drawn.text(0.02, 0.5, self.title)
        return drawn


TWO = "DT, another alpha for steady queues"


def derivation() -> Form:
    """Return the panel that derives the first drop of bursts beside steady queues."""
    fields = (
        Slider("policy", "policy", ("DT", TWO, "complete sharing")),
        Slider("bursts", "bursts", ("1", "2", "M")),
        Slider("steady", "steady queues", ("0", "1", "N")),
        Slider("rate", "rate of a burst", ("2*C", "10*C", "R")),
        *(Slider(name, f"{name} at the mark", options) for name, (_, _, options) in _AXES.items()),
    )
    begin = {"policy": "DT", "bursts": "1", "steady": "N", "rate": "R",
             "alpha": "1", "beta": "1/2", "R": "5", "N": "6", "M": "2"}  # fmt: skip
    note = "A theorem about the first drop of a burst: proved by computer algebra, in this page, for every symbol."
    return Form("Derive a theorem", note, fields, begin, _derived)


_ALPHAS = tuple(str(Fraction(number, 8)) for number in (*range(1, 9), *range(10, 66, 2)))
_AXES: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    "alpha": ("1/8", "8", _ALPHAS),
    "beta": ("1/8", "8", _ALPHAS),
    "R": ("11/10", "10", tuple(str(Fraction(number, 4)) for number in range(5, 41))),
    "N": ("0", "16", tuple(map(str, range(17)))),
    "M": ("1", "16", tuple(map(str, range(1, 17)))),
}
"""The axes of the map of cases (the first two symbols of a theorem): both ends, and the values of the mark."""


def _derived(values: Mapping[str, str]) -> dict[str, Any]:
    family = tuple(values[name] for name in ("policy", "bursts", "steady", "rate"))
    theorem = _theorem(*family)
    used = [name for name in _AXES if name in theorem.family.symbols]
    given = {"B": "1 MB", "C": "1 Gbps"} | {name: _typed(name, values[name]) for name in used}
    first = theorem.evaluate(**given).first_drop
    drop = "never" if first is None else f"at {float(first) * 1e6:.4g} µs"
    said = ", ".join(f"{name} = {value}" for name, value in given.items())
    shown = f"<p>At {said}, the burst loses its first byte {drop}.</p>"
    axes = [name for name in _AXES if name in used and (name, "beta" in used) != ("alpha", True)][:2]
    if len(axes) == 2:
        others = tuple((name, value) for name, value in given.items() if name not in axes)
        shown += _marked(_map(family, *axes, others), {name: values[name] for name in axes})
    return {"html": f"{html_of(theorem._repr_latex_())}{shown}", "idle": [n for n in _AXES if n not in used]}


def _typed(name: str, value: str) -> str:
    return f"{value} Gbps" if name == "R" else value


@lru_cache(maxsize=256)
def _map(family: tuple[str, ...], x: str, y: str, others: tuple[tuple[str, str], ...]) -> str:
    from dtmodel.derive.theorem.picture import region_map

    across, up = ((name, _typed(name, _AXES[name][0]), _typed(name, _AXES[name][1])) for name in (x, y))
    return region_map(_theorem(*family), across, up, dict(others))


def _marked(drawn: str, values: Mapping[str, str]) -> str:
    from dtmodel.derive.theorem.picture import marked

    ends = {name: (Fraction(_AXES[name][0]), Fraction(_AXES[name][1])) for name in values}
    shares = (
        float((Fraction(value) - ends[name][0]) / (ends[name][1] - ends[name][0])) for name, value in values.items()
    )
    return marked(drawn, *shares)


@cache
def _theorem(policy_name: str, bursts: str, steady: str, rate: str) -> Any:
    from dtmodel.derive import derive

    policies: dict[str, dict[str, Any]] = {
        "DT": {"name": "dt", "alpha": "alpha"},
        TWO: {"name": "dt", "alpha": ["alpha", "beta"]},
        "complete sharing": {"name": "complete-sharing"},
    }
    policy = policies[policy_name]
    queues: list[dict[str, Any]] = [{"count": bursts, "arrivals": [["0", rate]]}]
    if steady != "0":
        held = "steady" if "alpha" in policy else "0"
        queues.append({"count": steady, "initial": held, "arrivals": [["0", "2*C"]]})
    elif policy_name == TWO:
        policy = policies["DT"]
    used = {"B", "C", bursts, steady, rate} | {*str(policy.get("alpha", "")).split("'")}
    symbols = {"alpha": "> 0", "beta": "> 0", "B": "> 0", "C": "> 0", "M": ">= 1", "N": ">= 0", "R": "> C"}
    document = {
        "symbols": {name: domain for name, domain in symbols.items() if name in used},
        "policy": policy, "switch": {"buffer": "B", "rate": "C"}, "queues": queues, "ask": [{"first_drop": 0}],
    }  # fmt: skip
    return derive(document)


def chip() -> Form:
    """Return the panel that checks the buffer profile of a switch, and counts packets until a pause and a drop."""
    fields = (
        Slider("chip", "chip", _CHIPS),
        Slider("side", "side", ("ingress", "egress")),
        Slider("packet", "packet to count with, such as 64 B (may be empty)", ()),
        Slider("profile", "buffer tables of a SONiC configuration, as JSON", ()),
    )
    begin = {"chip": "generic", "side": "ingress", "packet": "", "profile": _SAMPLE}
    note = "The text is read in this page by Python in your browser: nothing of it leaves the page."
    return Form("Check a buffer profile", note, fields, begin, _checked)


def _checked(values: Mapping[str, str]) -> dict[str, Any]:
    from dtmodel.studies.parameter_sheets import sheet

    try:
        document = json.loads(values["profile"])
    except (json.JSONDecodeError, RecursionError) as error:
        raise InputError("profile", values["profile"][:40], f"JSON ({error})") from error
    packet = values["packet"].strip() or None
    found = sheet("profile", document, side=values["side"], chip=values["chip"], check=True, packet=packet)
    checks = "".join(f"<li><strong>{one.verdict}</strong> {escape(str(one.name))}</li>" for one in found.checks)
    return {"html": f"<ul>{checks}</ul>{found._repr_html_()}"}


def corrections() -> Form:
    """Return the panel of the statements that are false as printed: their corrections, and their witnesses replayed."""
    names = made("errata") or list(errata().claims)
    note = "Each statement is false as printed. Its evidence runs in this page, which replays the witness exactly."
    fields = (Slider("claim", "statement", tuple(names)),)
    return Form(
        "Errata and their witnesses", note, fields, {"claim": "edt.fn9"}, lambda values: _false(values["claim"])
    )


@cache
def _false(claim: str) -> dict[str, Any]:
    from dtmodel.companion.running import replays

    try:
        drawn = [witness_html(each["kind"], each["data"], each["answer"]) for each in replays(claim)]
    except InputError:  # refuted by an argument
        drawn = []
    return {"html": "".join([errata().told(claim), *drawn])}


_SAMPLE = """\
{
  "BUFFER_POOL": {
    "ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "10875072", "xoff": "4194112"},
    "egress_lossy_pool": {"type": "egress", "mode": "dynamic", "size": "9243812"}
  },
  "BUFFER_PROFILE": {
    "ingress_lossy_profile": {"pool": "ingress_lossless_pool", "size": "0", "dynamic_th": "3"},
    "egress_lossy_profile": {"pool": "egress_lossy_pool", "size": "1518", "dynamic_th": "3"},
    "pg_lossless_100000_300m_profile": {
      "pool": "ingress_lossless_pool", "size": "1248", "xon": "2288", "xoff": "268736", "xon_offset": "2288",
      "dynamic_th": "0"
    }
  },
  "BUFFER_PG": {
    "Ethernet0,Ethernet4|0": {"profile": "ingress_lossy_profile"},
    "Ethernet0,Ethernet4|3-4": {"profile": "pg_lossless_100000_300m_profile"}
  },
  "BUFFER_QUEUE": {
    "Ethernet0,Ethernet4|0-2": {"profile": "egress_lossy_profile"}
  }
}
"""
