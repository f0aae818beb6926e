"""The English of runs of packets is read back, and a writer that tells something else is noticed."""

import ast
from typing import Any

import pytest
from test_statements_read_back import misread, missed

from dtmodel.companion.words import packet_scenes
from dtmodel.ledger.formal import read_formal

SIZES = """for s : int 1..3; v : int 1..3; n : int 1..4; r : oneof "literal", "limited"
for first : oneof "arrive", "depart"; q : oneof "printed", "unused"
for w : list(n) int 1..3; at : list(n) > 0; more : list(n) > 0; kinds : list(2) oneof "yes", "no"
{}
then {}; s + v + n > 1"""
PORTS = (
    SIZES.format(
        'for E : word(4) of [["arrive", "small", s], ["arrive", "large", v], ["depart", "any"], ["depart", "large"]]\n'
        "run x = losspass(E, buffer = s, reserve_large = v, reading = r, mark = record(small = s, port = v))\n"
        'run y = losspass([["arrive", "small", s]] + list(i, 1..n, ["depart", "small"]), buffer = v)\n'
        'run z = losspass(list(i, 1..n, ["arrive", "large", s] if i > 1 else ["depart", "any"]), buffer = v, '
        'reading = "head")',
        'decision(x, 1) == "drop"; decision(y, 1) == "drop"; decision(z, 1) == "drop"',
    ),
    SIZES.format(
        'for E : word(4) of list(i, 1..n, ["arrive", i, s]) + list(i, 1..n, ["depart", i])\n'
        'run x = dynaq(E, buffer = s, weights = w, victims = "unused", admit = "recheck", tie_break = "high", '
        "patience = v)",
        'decision(x, 1) == "drop"',
    ),
    *(
        SIZES.format(
            'for E : word(4) of list(i, 1..n, ["arrive", i, s]) + list(i, 1..n, ["depart", i])\n'
            f"run x = dynaq(E, buffer = s, weights = w, bdp = v{victims})",
            'decision(x, 1) == "drop"',
        )
        for victims in ("", ', victims = "eligible"', ", victims = q")
    ),
    SIZES.format(
        'run x = l2bm(in_order(list(i, 1..n, ["arrive", at[i], i, record(queue_out = w[i], rate = s)]) + '
        'list(i, 1..n, ["depart", more[i], i]), first), reading = "stamped")\n'
        'run y = l2bm(in_order([["pause", s], ["resume", v]] + list(i, 1..n, ["depart", at[i], i]), "depart"))',
        "answered(x, 1).total > 1; answered(y, 1).total > 1",
    ),
    SIZES.format(
        'for E : word(4) of [["arrive", 1, s], ["arrive", 2, v], ["depart", 1]]\n'
        "run x = edt_packets(clocked(E, list(k, 1..len(E), k*s)), ports = 2, buffer = s, alpha = v, cn2 = n, "
        'reading = "signed")\n'
        'run y = edt_packets(list(i, 1..n, ["depart", at[i], 1]), ports = 1, buffer = s, alpha = v)\n'
        "run z = edt_packets(E, ports = 1, buffer = s, alpha = v)",
        'decision(x, 1) == "drop"; decision(y, 1) == "drop"; decision(z, 1) == "drop"',
    ),
    SIZES.format(
        'for E : word(4) of [["arrive", 1, s], ["arrive", 2, v], ["depart", 1]]\n'
        'for reading : oneof "circuit", "arrivals", "signed"\n'
        'let events = list(k, 1..2*len(E), ["tick"] if k % 2 == 1 else E[k/2])\n'
        'let fewer = list(k, 1..2*len(E), ["tick"] if k % 2 == 1 or (E[k/2][2] != v and kinds[k/2] == "no") '
        "else E[k/2])\n"
        "run x = edt_packets(clocked(events, list(k, 1..2*len(E), k*s)), ports = 2, buffer = s, reading = reading, "
        "alpha = v, cn2 = n)\n"
        "run y = edt_packets(clocked(fewer, list(k, 1..2*len(E), k*s)), ports = 2, buffer = v, reading = reading, "
        "alpha = s, cn2 = n)",
        "each(j, 1..len(E), decision(y, j) == decision(x, j) or machine(y, j, 1) != machine(x, j, 1)); "
        'because(x, 1, "the buffer overflows") == because(y, 1, "the buffer overflows"); '
        'some(j, 1..len(E), (decision(x, j) == "drop") != (decision(y, j) == "drop")); '
        "decision(x, 1) != decision(y, 1) or machine(y, 2, 1) == machine(x, 2, 1)",
    ),
    SIZES.format(
        'for E : word(4) of [["arrive", 1, 1, 1], ["arrive", 1, 1, 2], ["arrive", 2, 2, 1], ["arrive", 2, 2, 2], '
        '["depart", 1]]\n'
        "run x = pfc(E, [s, v], list(i, 1..2, record(alpha = s, reserved = v, lossless = kinds[i])), "
        'list(j, 1..2, s if kinds[1] == "yes" else None))',
        'decision(x, 1) == "drop"',
    ),
)
WRONG: tuple[tuple[str, Any], ...] = (
    ("_READINGS", {**packet_scenes._READINGS, "losspass": packet_scenes._READINGS["losspass"] | {
        "head": packet_scenes._READINGS["losspass"]["limited"]}}),
    ("_VICTIMS", dict(zip(packet_scenes._VICTIMS, reversed(packet_scenes._VICTIMS.values()), strict=True))),
    ("_CHECKS", dict(zip(packet_scenes._CHECKS, reversed(packet_scenes._CHECKS.values()), strict=True))),
    ("_TIES", {"low": "the highest", "high": "the lowest"}),
    ("_MEMBERS", packet_scenes._MEMBERS | {"reserved": "a headroom of"}),
    ("_departures", lambda *_: "a departure from the large queue"),
    ("_between", lambda *_: "each of them a departure from egress queue $1$"),
    ("_order", lambda *_: "in order of time, at one instant arrivals first"),
    ("_ends", lambda *_: "$2$ to $n$"),
    ("_all_letters", lambda *_: [("arrive", "small", "$1$")]),
    ("_weights", lambda _, settings: f"queues of weights ${settings.pop('weights') and 1}$"),
    ("_bytes", lambda *_: "$v$ bytes"),
    ("_egress", lambda *_: "the egress queues have no limit"),
    ("_other", lambda *_: r"$\alpha = 7$"),
    ("_seen", lambda *_: "$E$"),
    ("same", lambda *_: True),
    ("_silent", lambda *_: '$kinds_{j} = \\text{"yes"}$'),
    ("_times", lambda *_: "event $k$ at the time $k$"),
    ("_READINGS", {**packet_scenes._READINGS, "edt_packets": packet_scenes._READINGS["edt_packets"] | {
        "signed": packet_scenes._READINGS["edt_packets"]["arrivals"]}}),
    ("_letter", lambda node: ("arrive", node.elts[1], ast.Constant(1))),
)  # fmt: skip
"""Parts of the writer of runs of packets, and what they would be if it told something else."""


@pytest.mark.parametrize("form", PORTS)
def test_each_run_of_packets_is_read_back(form: str) -> None:
    assert misread(read_formal(form)) == []


@pytest.mark.parametrize(("name", "wrong"), WRONG)
def test_a_run_of_packets_that_is_told_otherwise_is_noticed(
    monkeypatch: pytest.MonkeyPatch, name: str, wrong: Any
) -> None:
    monkeypatch.setattr(packet_scenes, name, wrong)
    assert [form for form in PORTS if not missed(form)]
