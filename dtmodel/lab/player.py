"""The packet player: steps through a trace of LossPass, DynaQ, L2BM or EDT, or through a witness of the ledger."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any, final

from dtmodel.base import units
from dtmodel.base.documents import only_keys, table
from dtmodel.base.errors import InputError
from dtmodel.lab.panel import Panel
from dtmodel.lab.setting import Slider
from dtmodel.packet import trace

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST = 400
"""The largest number of events in a trace."""

Frame = dict[str, Any]


@final
@dataclass(frozen=True, eq=False)
class PacketPlayer(Panel):
    """A trace `request`, as in `dtmodel.trace`, step by step, with a title, `name`, and a sentence about it, `says`."""

    request: Mapping[str, Any]
    name: str = ""
    says: str = ""

    kind = "player"
    title = "Packet player"

    @property
    def sliders(self) -> tuple[Slider, ...]:
        """One slider, the number of events so far."""
        return (Slider("step", "events so far", tuple(map(str, range(len(self.frames))))),)

    def values(self) -> dict[str, str]:
        """The initial values of the sliders: no event so far."""
        return {"step": "0"}

    @cached_property
    def frames(self) -> tuple[Frame, ...]:
        """The state of the switch before the first event and after each event, from runs of the algorithm."""
        events = list(self.request["events"])
        runs = [trace({**self.request, "events": events[:count]}) for count in range(len(events) + 1)]
        draw = _BARS[str(self.request["algorithm"])]
        made = []
        for count, run in enumerate(runs):
            step: Mapping[str, Any] = run["steps"][-1] if count else {"decision": "", "reason": "", "victim": None}
            frame = draw(self.request, run["final"])
            victim = "" if step["victim"] is None else f" ({step['victim']})"
            made.append(frame | {"decision": step["decision"] + victim, "reason": step["reason"]})
        return tuple(made)

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the events and one frame; the `request` ``{"values": {"step": "3"}}`` is that after three events."""
        only_keys(request, ("values", "held", "view", "serial"), "")
        values = table(request.get("values", {}), "values")
        only_keys(values, ("step",), "")
        step = values.get("step", "0")
        at = units.count(step, "step")
        if at >= len(self.frames):
            raise InputError("step", step, f"at most {len(self.frames) - 1}, the number of events")
        heights = [height for frame in self.frames for bar in frame["bars"] for height in _heights(bar)]
        return {
            "values": {"step": str(at)},
            "shown": {"step": f"{at} of {len(self.frames) - 1}"},
            "name": self.name,
            "says": self.says,
            "top": max([1.0, *heights]),
            "bottom": min([0.0, *heights]),
            "events": [_event(event) for event in self.request["events"]],
            **self.frames[at],
        }

    def figure(self) -> Figure:
        """Draw all steps: a row for each queue, a column for each event."""
        from dtmodel.plot.picture import Picture

        rows = len(self.frames[0]["bars"])
        upright = len(self.frames) <= 6
        size = (max(4.0, min(16.0, (1.5 if upright else 0.8) * len(self.frames) + 1.5)), 1.8 * rows + 1)
        figure = Picture(figsize=size, layout="constrained")
        for row, axes in enumerate(figure.subplots(rows, 1, sharex=True, squeeze=False)[:, 0]):
            for at, frame in enumerate(self.frames):
                bar = frame["bars"][row]
                below = 0.0
                for box in bar["boxes"]:
                    axes.bar(at, box["size"], bottom=below, width=0.7, color=_COLOURS[box["kind"]], edgecolor="black",
                             hatch="//" if box["marked"] else None)  # fmt: skip
                    below += box["size"]
                for _, limit in bar["limits"]:
                    axes.plot([at - 0.45, at + 0.45], [limit, limit], color="black", ls=":")
            axes.set_ylabel(f"{self.frames[0]['bars'][row]['label']} ({self.frames[0]['unit']})")
        ticks = ["start", *(f"{_event(e)}\n{f['decision']}" for e, f in zip(self.request["events"], self.frames[1:],
                                                                           strict=True))]  # fmt: skip
        axes.set_xticks(range(len(ticks)), ticks, rotation=0 if upright else 90, fontsize="small")
        figure.suptitle(self.name, fontsize="medium")
        return figure


_COLOURS = {"large": "#e69f00", "small": "#bfe3f7", "bytes": "#bfe3f7"}
"""The colours of the browser; they differ in black and white, too."""


def packet_player(source: str | Mapping[str, Any]) -> PacketPlayer:
    """Step through a trace packet by packet, forwards and backwards.

    `source`: a trace, as in `dtmodel.trace`; or the name of an algorithm (``"losspass"``, ``"dynaq"``, ``"l2bm"``,
    ``"edt"``), for its example; or the id of a claim whose witness is a trace, such as ``"losspass.alg1.line4"``.
    Raises `InputError` if `source` is not one of these, or has more than 400 events.

    >>> packet_player({"algorithm": "dynaq", "buffer": 2, "weights": [1, 1], "events": [["arrive", 0, 1, 1]]}).values()
    {'step': '0'}
    """
    if isinstance(source, str):
        return _example(source) if source in _BARS else _witness(source)
    request = table(source, "source")
    trace(request)
    if len(request["events"]) > _MOST:
        raise InputError("events", len(request["events"]), f"at most {_MOST}")
    return PacketPlayer(request, str(request.get("id", request["algorithm"])))


def _example(algorithm: str) -> PacketPlayer:
    text = (files("dtmodel") / "examples" / f"trace-{algorithm}.toml").read_text(encoding="utf-8")
    return packet_player(tomllib.loads(text))


def _witness(claim: str) -> PacketPlayer:
    from dtmodel.companion import replay

    found = [item for item in replay(claim) if item["kind"] == "trace"]
    if not found:
        raise InputError("source", claim, "a claim whose witness is a packet trace")
    played = packet_player(found[0]["data"])
    return PacketPlayer(played.request, claim, str(found[0]["says"]))


def _event(event: Sequence[Any]) -> str:
    kind, _, *rest = event
    words = [str(part) for part in rest if not isinstance(part, Mapping)]
    return f"{kind} {words[0]}, size {words[1]}" if len(words) == 2 else " ".join([str(kind), *words])


def _heights(bar: Mapping[str, Any]) -> Iterable[float]:
    return [sum(box["size"] for box in bar["boxes"]), *(limit for _, limit in bar["limits"])]


def _box(text: str, size: object, kind: str = "bytes", *, marked: bool = False) -> dict[str, Any]:
    return {"text": text, "size": float(Fraction(str(size))), "kind": kind, "marked": marked}


def _bar(label: str, boxes: list[dict[str, Any]], limits: Mapping[str, object]) -> dict[str, Any]:
    lines = [[name, float(Fraction(str(value)))] for name, value in limits.items() if value is not None]
    return {"label": label, "boxes": boxes, "limits": lines}


def _losspass(request: Mapping[str, Any], now: Mapping[str, Any]) -> Frame:
    boxes = [
        _box(str(n), size, kind, marked=n in now["marked"]) for kind in ("large", "small") for n, size in now[kind]
    ]
    buffer = units.bytes_(request["buffer"], "buffer")
    reserve = units.bytes_(request.get("reserve_large", 0), "reserve_large")
    limits = {"B": buffer} | ({"B - B_l": buffer - reserve} if reserve else {})
    marked = ", ".join(map(str, now["marked"])) or "none"
    return {
        "unit": "bytes",
        "bars": [_bar("port", boxes, limits)],
        "facts": [["marked so far", marked], ["boxes", "dark (orange) large, light (blue) small, hatched marked"]],
    }


def _dynaq(request: Mapping[str, Any], now: Mapping[str, Any]) -> Frame:
    bars = [_bar(f"queue {n}", [_box("", length)] if length != "0" else [], {f"T_{n}": threshold}) for n, (length,
            threshold) in enumerate(zip(now["queues"], now["thresholds"], strict=True), 1)]  # fmt: skip
    held = sum(map(Fraction, now["queues"]), Fraction(0))
    return {"unit": "bytes", "bars": bars, "facts": [["in the port", f"{units.plain(held)} of {request['buffer']}"]]}


def _l2bm(request: Mapping[str, Any], now: Mapping[str, Any]) -> Frame:
    del request
    shown = [("total sojourn time", now["total"]), ("mean", now["mean"])]
    bars = [_bar(label, [] if value is None else [_box("", value)], {}) for label, value in shown]
    words = {"total": now["total"], "packets": now["packets"], "updated": now["updated"], "mean": now["mean"]}
    return {"unit": "s", "bars": bars, "facts": [[k, "none" if v is None else str(v)] for k, v in words.items()]}


def _edt(request: Mapping[str, Any], now: Mapping[str, Any]) -> Frame:
    del request
    bars, facts = [], []
    for n, (sizes, port) in enumerate(zip(now["queues"], now["ports"], strict=True), 1):
        bars.append(_bar(f"port {n}", [_box("", size) for size in sizes], {f"T_{n}": port["threshold"]}))
        told = [f"{key} = {'off' if port[key] is None else port[key]}" for key in ("c1", "c2", "tm1", "tm2")]
        facts.append([f"port {n}", f"{port['state']}; " + ", ".join(told)])
    return {"unit": "bytes", "bars": bars, "facts": facts}


_BARS: Mapping[str, Callable[[Mapping[str, Any], Mapping[str, Any]], Frame]] = {
    "losspass": _losspass,
    "dynaq": _dynaq,
    "l2bm": _l2bm,
    "edt": _edt,
}
