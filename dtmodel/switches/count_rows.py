"""The counts of hardware tests as rows of a sheet, with formulas, and as lines of the testers' files."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor
from typing import Any, TypeAlias

from dtmodel.base.units import plain
from dtmodel.switches import formulas
from dtmodel.switches.chips import chips
from dtmodel.switches.counting import Path, Question, dismissals, group_of, headroom, hysteresis, path_of, tester_counts
from dtmodel.switches.profile import Profile
from dtmodel.theorems.writing import tex_of
from dtmodel.theory.sheet import Explanation, Sheet, SheetRow, explained

_SOURCE = "own statement on buffer configurations"
_CLAIM = "l2bm.ours.packet-counts"
_ALONE = tex_of(formulas.stored_at_pause, "r", "w", "S", "U")
_NESTED = tex_of(formulas.stored_at_pause_of_port, "r", "p", "a", "S", "U", "V")
_CAPPED = tex_of(lambda r, c, S, U: formulas.stored_below_cap(r, c, S - U), "r", "c", "S", "U")
_CAPPED_ALONE = tex_of(formulas.stored_below_cap, "r", "c", "S")
_CELLS = tex_of(formulas.cells_of_packet, "packet", "overhead", "cell")
_GROUPS = tex_of(formulas.headroom_groups, "H'", "full")
_PARTIAL = tex_of(formulas.headroom_partial, "H'", "n", "full")
_BETWEEN = tex_of(formulas.beyond_marks, "size", "xon", "xoff", "cell")
Bound: TypeAlias = tuple[str, dict[str, str]]
"""A formula with its numbers."""
_IF = "the output is blocked and the buffer empty; in cells, then packets = cells // k"


def count_rows(question: Question) -> Iterator[SheetRow]:
    """Yield a row for each count, with its formula and the numbers put in."""
    answer, config = tester_counts(question), question.reading.config
    sizes = (question.packet, question.overhead, question.reading.cell)
    put = {name: f"{plain(size)} B" for name, size in zip(("packet", "overhead", "cell"), sizes, strict=True)}
    yield _row("packet_cells", "k", question.cells, (_CELLS, put))
    if question.profile is not None:
        yield from _of_group(question, question.profile, answer["counts"])
    if question.queue is not None:
        side = answer["refused_by"]["trig_egr_drp"]
        yield _row("trig_egr_drp", "n_e", answer["counts"]["trig_egr_drp"], _of_drop(question, side))
        yield _row("refused_by", "", f"{side}, for {question.queue} ({config.egress[question.queue]})")


def _row(name: str, symbol: str, value: Any, bound: Bound = ("", {})) -> SheetRow:
    unit: Any = "packets" if isinstance(value, int) and name not in ("packet_cells", "headroom_groups") else ""
    row = SheetRow(f"counts.{name}", symbol, value, unit, bound[0], _SOURCE, _IF)
    return explained([row], _EXPLANATIONS, bound[1])[0]


def _of_group(question: Question, profile: Profile, found: Mapping[str, Any]) -> Iterator[SheetRow]:
    path = path_of(question.reading, str(question.group), "ingress")
    cell, pause = question.reading.cell, found["trig_pfc"]
    yield _row("group", "", f"{question.group} ({profile.name})")
    yield _row("fill_min", "n_r", found["fill_min"], _in_packets(question, ("r", {"r": str(path.own)})))
    yield _row("trig_pfc", "n", pause, _in_packets(question, _bound(path)))
    numbers = {"n": str(pause), "H": str(headroom(question, profile) // question.cells)}
    yield _row("trig_ingr_drp", "n_d", found["trig_ingr_drp"], (tex_of(formulas.dropped_packet, "n", "H"), numbers))
    frozen, following = dismissals(question, profile, pause)
    if frozen is not None:
        yield _row("dismiss_frozen", "d_0", frozen, _of_dismissal(question, profile, None))
        yield _row("dismiss_following", "d", following, _of_dismissal(question, profile, path))
    yield _row("hysteresis", "y", found["hysteresis"], _of_hysteresis(question, profile))
    each = _in_packets(question, (_formula(path), _numbers(path, "U", "V")))
    yield _row("trig_pfc_multi", "n_j", ", ".join(map(str, found["trig_pfc_multi"])), each)
    if pool := found["hdrm_pool"]:
        full = tex_of(lambda H, s: formulas.packets_in_each(1, H, s), "H", "cell")
        sizes = {"H": f"{plain(profile.headroom)} B", "cell": f"{plain(cell)} B"}
        shared = {"H'": str(pool["cells"]), "full": str(floor(profile.headroom / cell)), "n": str(pool["groups"])}
        yield _row("headroom_full", "full", pool["full"], _in_packets(question, (full, sizes)))
        yield _row("headroom_groups", "n", pool["groups"], (_GROUPS, shared))
        yield _row("headroom_partial", "", pool["partial"], _in_packets(question, (_PARTIAL, shared)))
        together = tex_of(formulas.stored_together, "r", "w", "S", "n"), _numbers(path) | {"n": str(pool["groups"])}
        yield _row("together", "", pool["trig_pfc"], _in_packets(question, together))


def _of_hysteresis(question: Question, profile: Profile) -> Bound:
    """Return the formula of the packets between the marks of a profile; 0 if its size contains no headroom."""
    if not question.reading.holds_headroom(profile):
        return "0", {}
    sizes = {"size": profile.reserved, "xon": profile.xon or 0, "xoff": profile.headroom, "cell": question.reading.cell}
    return _in_packets(question, (_BETWEEN, {name: f"{plain(size)} B" for name, size in sizes.items()}))


def _of_dismissal(question: Question, profile: Profile, path: Path | None) -> Bound:
    """Return the formula of the packets that end a pause; without a path that of a threshold that does not move."""
    cell = question.reading.cell
    if question.reading.chip.resume == "xon" or profile.xon_offset is None:
        pause = path_of(question.reading, str(question.group), "ingress")
        numbers = {"n": str(pause.own + pause.stored()), "y": str(hysteresis(question, profile)),
                   "x": str(ceil((profile.xon or 0) / cell))}  # fmt: skip
        return _in_packets(question, ("n - y - x + 1", numbers))
    offset = {"o": str(ceil(profile.xon_offset / cell))}
    if path is None or path.weight is None:
        return _in_packets(question, ("o", offset))
    return _in_packets(question, (tex_of(formulas.fall_to_resume, "o", "w"), offset | {"w": plain(path.weight)}))


def _text(value: Any) -> str:
    return "none" if value is None else plain(value)


def _numbers(path: Path, *but: str) -> dict[str, str]:
    """Return the numbers of a path, without those of the symbols in `but`."""
    found = {"r": str(path.own), "w": _text(path.weight), "S": str(path.pool), "U": "0", "V": "0",
             "p": _text(path.alpha), "a": _text(path.port[0])}  # fmt: skip
    return {symbol: number for symbol, number in found.items() if symbol not in but}


def _formula(path: Path) -> str:
    if path.nested and path.alpha is not None and path.port[0] is not None:
        return _NESTED
    return _ALONE if path.weight is not None else _CAPPED


def _bound(path: Path) -> Bound:
    """Return the formula of the limit that binds alone, with its numbers."""
    caps = [cap for cap in (path.cap, path.port[1]) if cap is not None]
    if path.weight is None or path.stored() in (*caps, path.pool):
        return _CAPPED_ALONE, {"r": str(path.own), "c": _text(min(caps, default=path.pool)), "S": str(path.pool)}
    return _formula(path), _numbers(path)


def _in_packets(question: Question, bound: Bound) -> Bound:
    """Return a formula of cells as one of packets, with its numbers."""
    formula, numbers = bound
    if question.cells == 1:
        return bound
    return rf"\left\lfloor{{\frac{{{formula}}}{{k}}}}\right\rfloor", numbers | {"k": plain(question.cells)}


def _of_drop(question: Question, side: str) -> Bound:
    queue = question.queue if side == "queue" else group_of(question.reading.config, str(question.queue))
    path = path_of(question.reading, str(queue), "egress" if side == "queue" else "ingress")
    formula, numbers = _in_packets(question, _bound(path))
    return f"{formula} + 1", numbers


def counted(
    sheet: Sheet,
    question: Question,
    side: str,
    sender: tuple[int, int, int] | None,
    flows: dict[str, Any],
    *,
    named: bool,
) -> Sheet:
    """Add to a sheet the counts, the parts of the reading and, if no chip was named, the counts of the others.

    `side`: the side of profiles that are counted, too. `sender`: leaked packets, egress cells, and a tester's margin.
    """
    answer = tester_counts(question) | flows
    rows = [*sheet.parameters, *reading_rows(question), *profile_rows(question, side), *count_rows(question)]
    rows += [row for number, flow_ in enumerate(answer.get("flows", ()), 1) for row in flow_rows(number, flow_)]
    warnings = sheet.warnings if named else (*sheet.warnings, other_readings(question))
    if sender is not None:
        answer |= {"send": sent(question, *sender)}
        rows += [SheetRow(f"send.{name}", "", value, "packets", _SENT[name][0], _SOURCE, _IF, "inverse questions",
                          _SENT[name][1]) for name, value in answer["send"].items()]  # fmt: skip
    return replace(sheet, parameters=tuple(rows), warnings=warnings, more=answer)


_SENT = {
    "without_pause": ("leak + egress + n - 1 - margin", "The most packets that a tester sends without a pause."),
    "surely_pause": ("leak + egress + n + margin", "The packets after which the group has surely paused."),
}


_EVENTS = {
    "pause": "Its packets at the pause that the next one causes.",
    "drop": "Its packets at the drop that the next one causes.",
    "none": "The output sends them all: none is refused.",
}


def flow_rows(number: int, flow: Mapping[str, Any]) -> Iterator[SheetRow]:
    """Yield the rows of one flow that both sides count."""
    path, state = f"{flow['group']} to {flow['queue']}", "sends" if "time" in flow else "is blocked"
    values = {
        "flow": (path, "", f"An ingress group and an egress queue; the output {state}."),
        "packets": (flow["packets"], "packets", _EVENTS[flow["event"]]),
        "stored": (flow.get("stored"), "packets", "Its packets in the switch at that instant."),
        "time": (flow.get("time") and Fraction(flow["time"]), "seconds", "That instant."),
        "refused_by": (flow["refused_by"], "", "The side and the level that refuse that packet."),
        "headroom": (flow["headroom"], "packets", "Its packets in the headroom, if the sender ignores the pause."),
        "first_dropped": (flow["first_dropped"], "packets", "The number of the first packet that is dropped."),
        "dropped_by": (flow["dropped_by"], "", "The side and the level that drop it."),
    }
    for name, (value, unit, meaning) in values.items():
        if name not in {"flow", *flow}:
            continue
        kind: Any = unit
        yield SheetRow(f"flows.{number}.{name}", "", value, kind, "", _SOURCE, "", "inverse questions", meaning)


def profile_rows(question: Question, side: str) -> Iterator[SheetRow]:
    """Yield for each profile of one side the packets that one of its queues alone holds at the first refusal."""
    config, seen = question.reading.config, set()
    for queue, name in config.side(side).items():
        if name not in seen:
            seen.add(name)
            path, event = path_of(question.reading, queue, side), "pause" if config.profiles[name].lossless else "drop"
            formula, numbers = _in_packets(question, _bound(path))
            row = SheetRow(f"{config.profiles[name].pool}.{name}.packets.before_{event}", "n",
                           question.packets(path.own + path.stored()), "packets", formula, _SOURCE, _IF)  # fmt: skip
            yield from explained([row], _EXPLANATIONS, numbers)


def reading_rows(question: Question) -> Iterator[SheetRow]:
    """Yield a row for each part of the chip reading, with its evidence as the source."""
    for name, value, evidence in question.reading.chip.parts():
        yield SheetRow(f"reading.{name}", "", value, "", "", evidence, group="settings",
                       meaning="A part of the reading of the file.")  # fmt: skip


def other_readings(question: Question) -> str:
    """Return a sentence about the counts of the chips that nobody named."""
    said = []
    for chip in chips().values():
        other = replace(question, reading=replace(question.reading, chip=chip))
        count = tester_counts(other)["counts"]["trig_pfc"]
        said.append(f"{chip.name} {count:,}" if count is not None else "")
    told = ", ".join(filter(None, said))
    return "no --chip: the file is read as generic" + (f"; packets before a pause by reading: {told}" if told else "")


def sent(question: Question, leak: int, egress_memory: int, margin: int) -> dict[str, int]:
    """Return the packets that a tester sends: without a pause, and so many that the group surely pauses.

    `leak`: packets that leave first. `egress_memory`: cells beside the shared ones. `margin`: packets of uncertainty.
    """
    pause = tester_counts(question)["counts"]["trig_pfc"] or 0
    most = max(0, leak + ceil(egress_memory / question.cells) + pause - 1 - margin)
    return {"without_pause": most, "surely_pause": most + 1 + 2 * margin}


def yaml_lines(answer: Mapping[str, Any]) -> str:
    """Return the counts in the layout of the test parameters of open network operating systems.

    >>> print(yaml_lines({"counts": {"trig_pfc": 5, "trig_ingr_drp": None}}), end="")
    xoff_1:
        pkts_num_trig_pfc: 5
    xon_1:
        pkts_num_trig_pfc: 5
    wm_pg_shared_lossless:
        pkts_num_trig_pfc: 5
    """
    found = answer["counts"]
    pool = found.get("hdrm_pool") or {}
    shared = {"pgs_num": pool.get("groups"), "pkts_num_trig_pfc": pool.get("trig_pfc"),
              "pkts_num_hdrm_full": pool.get("full"), "pkts_num_hdrm_partial": pool.get("partial"),
              "pkts_num_trig_pfc_multi": found.get("trig_pfc_multi")}  # fmt: skip
    blocks: dict[str, Mapping[str, Any]] = {
        "xoff_1": _named(found, "trig_pfc", "trig_ingr_drp"),
        "xon_1": _named(found, "trig_pfc", "dismiss_pfc", "hysteresis"),
        "hdrm_pool_size": shared if pool else {},
        "wm_pg_shared_lossless": _named(found, "fill_min", "trig_pfc"),
        "lossy_queue_1": _named(found, "trig_egr_drp"),
    }
    return "".join(_block(name, fields) for name, fields in blocks.items())


def _named(found: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {f"pkts_num_{name}": found.get(name) for name in names}


def _block(name: str, fields: Mapping[str, Any]) -> str:
    lines = [f"    {key}: {value}\n" for key, value in fields.items() if value is not None]
    return f"{name}:\n{''.join(lines)}" if lines else ""


_EXPLANATIONS: dict[str, Explanation] = {
    name: ("inverse questions", meaning, claim)
    for name, meaning, claim in (
        ("before_pause", "The packets that one queue alone holds when the next one makes it pause.", _CLAIM),
        ("before_drop", "The packets that one queue alone holds when the next one is dropped.", _CLAIM),
        ("packet_cells", "The number of cells that one packet takes.", ""),
        ("group", "The lossless group that is counted, and its profile.", ""),
        ("fill_min", "The packets that do not use the pool.", "l2bm.eq1.reserved-first"),
        ("trig_pfc", "The packets in the group when the next one makes it pause.", _CLAIM),
        ("trig_ingr_drp", "The number of the first packet that is dropped, if the sender ignores the pause.", _CLAIM),
        ("dismiss_frozen", "The packets that leave before the pause ends, if its threshold does not move.", ""),
        ("dismiss_following", "The packets that leave before the pause ends, if the threshold rises meanwhile.", ""),
        ("hysteresis", "The packets between the pause and the part of the size that is xon and xoff.", ""),
        ("trig_pfc_multi", "The packets in each group when it pauses, in the order of filling.", _CLAIM),
        ("headroom_full", "The packets that fill the headroom of one group.", ""),
        ("headroom_groups", "The groups whose headroom fills the shared headroom.", ""),
        ("headroom_partial", "The packets in the headroom of the last of them.", ""),
        ("together", "The packets in each of so many groups when they reach their thresholds at once.", _CLAIM),
        ("trig_egr_drp", "The number of the first packet that is dropped for the lossy queue.", _CLAIM),
        ("refused_by", "The side that refuses it: the egress queue, or the ingress group.", ""),
    )
}
"""The group, the meaning and the claim of each count."""
