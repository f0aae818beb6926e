"""Every row of a parameter sheet says what it means, shows its numbers, and names a claim that is in the ledger."""

import csv
import io
import json
import re
from collections.abc import Mapping
from fractions import Fraction
from math import ceil, floor
from typing import Any

import pytest
from refusals import refused

from dtmodel import Switch, claims, sheet
from dtmodel.base.mathtext import text_of, with_numbers
from dtmodel.cli import run
from dtmodel.studies.parameter_sheets import SYSTEMS
from dtmodel.theory.edt.inverse import largest_rate, longest_burst, rate_cases, smallest_buffer, worst_ports
from dtmodel.theory.l2bm.statements import abm_burst
from dtmodel.theory.sheet import Sheet

F = Fraction
SWITCH = {"ports": 16, "buffer": "1 MB", "rate": "1 Gbps"}
PROFILE = {
    "BUFFER_POOL": {"p": {"type": "ingress", "mode": "dynamic", "size": "1000000"}},
    "BUFFER_PROFILE": {
        "q": {"pool": "p", "size": "1000", "dynamic_th": "-1", "xoff": "20000", "xon": "500"},
        "lossy": {"pool": "p", "dynamic_th": "1"},
    },
    "BUFFER_PG": {"Ethernet0|0": {"profile": "q"}, "Ethernet0|1": {"profile": "lossy"}},
}
CASES: list[tuple[str, Mapping[str, Any], int]] = [
    ("dt", SWITCH | {"steady": 2, "burst_rate": "2 Gbps"}, 7),
    ("dt", SWITCH | {"steady": 0}, 4),
    ("edt", SWITCH | {"duration": "10 ms"}, 14),
    ("edt", SWITCH | {"ports": 5, "alpha": "1/2", "burst_rate": "12 Gbps"}, 13),
    ("edt", SWITCH | {"alpha": 8, "burst_rate": "1.001 Gbps", "duration": "1 ms"}, 13),
    ("edt", {"ports": 7, "buffer": 60, "rate": 1, "packet": 1, "duration": 10, "smallest_rate": 5, "alpha": 2}, 13),
    ("edt", {"ports": 4, "buffer": 36, "rate": 2, "packet": 1, "duration": 10, "smallest_rate": "5/2"}, 13),
    ("losspass", {"rate": "1 Gbps", "rtt": "500 us", "buffer": "128 KB", "flows": 2, "threshold": "45 packets",
                  "tau": "0.95"}, 7),
    ("dynaq", {"buffer": "85 KB", "rate": "1 Gbps", "rtt": "500 us", "weights": [4, 3]}, 10),
    ("l2bm", {"buffer": "4 MB", "sojourns": ["1 us", "9 us"]}, 10),
    ("l2bm", {"buffer": "4 MB", "weights": [1, "1/9"]}, 8),
    ("abm", {"buffer": "4 MB", "alphas": [1, "1/2"], "priorities": [0, 1, 1], "rate": "1 Gbps",
             "burst_rate": "4 Gbps"}, 21),
    ("pools", {"buffer": "4 MB", "queues": [{"alpha": "1/8", "reserved": "10 KB", "headroom": "40 KB", "count": 4}],
               "packet": 64, "cell": 256, "sources": 2}, 5),
    ("profile", {"switch": PROFILE, "packet": 1000}, 8),
    ("profile", {"switch": PROFILE, "packet": 1000, "cell": 208, "chip": "th"}, 10),
    ("profile", {"switch": PROFILE, "packet": 200, "overhead": 16, "chip": "spectrum1"}, 10),
    ("pfc", {"cable": "300m", "rate": "100Gbps", "cell": 192, "mac_phy": 800}, 5),
]  # fmt: skip
UNITS: dict[str, Any] = {
    "TB": 10**12, "GB": 10**9, "MB": 10**6, "KB": 10**3, "B": 1, "Tbps": F(10**12, 8), "Gbps": F(10**9, 8),
    "Mbps": F(10**6, 8), "Kbps": F(10**3, 8), "bps": F(1, 8), "s": 1, "ms": F(1, 10**3), "us": F(1, 10**6),
    "ns": F(1, 10**9),
}  # fmt: skip
SIZE = re.compile(r"(\d[\d,.]*(?:e[+-]?\d+)?) (TB|GB|MB|KB|B|Tbps|Gbps|Mbps|Kbps|bps|ms|us|ns|s)\b")


def evaluated(text: str) -> Fraction | None:
    """Work out a formula with its numbers put in; None if symbols are left in it."""
    text = SIZE.sub(lambda m: f"F('{F(m[1].replace(',', '')) * UNITS[m[2]]}')", text)
    text = re.sub(r"(?<![\w'/.])(\d+(?:\.\d+)?)(?![\w'])", r"F('\1')", text)
    text = re.sub(r"⌈(.*?)⌉", r"ceil(\1)", text).replace("⌊", "floor(").replace("⌋", ")")
    text = re.sub(r"(max|min) ?\{(.*?)\}", r"\1(\2)", text).replace("·", "*").replace("^", "**")
    text = re.sub(r"(?<=[\d)]) ?(?=[(Fcfm])", "*", text)
    if set(re.findall(r"[^\W\d_]+", text)) - {"F", "ceil", "floor", "max", "min"}:
        return None
    return F(eval(text, {"F": F, "ceil": ceil, "floor": floor, "max": max, "min": min}))  # noqa: S307  # from our sheet


def test_a_formula_of_the_sheets_is_worked_out() -> None:
    assert evaluated("(4 · 1 · 1 MB)/((2 + 1 · 16)^2)") == F(4 * 10**6, 18**2)
    assert evaluated("max { (1 MB)/(2 Gbps - 1 Gbps), 10 ms }") == F(1, 100)
    assert evaluated("2 ⌊10 KB / 256 B⌋") == 78
    assert evaluated("1 MB + x") is None


@pytest.mark.parametrize(("system", "settings", "least"), CASES)
def test_the_numbers_put_into_a_formula_give_the_value(system: str, settings: Any, least: int) -> None:
    checked = 0
    for row in made(system, settings).parameters:
        text = text_of(f"${row.worked}$") if row.worked else ""
        value = evaluated(text) if text and not re.search("[<>=≤≥]", text) else None
        if value is not None and isinstance(row.value, F | int):
            if row.unit == "packets":
                assert row.value == value // (256 if "stored" in row.name else 1) or floor(value / 1500) == row.value
            else:
                assert abs(value - row.value) <= abs(F(row.value)) / 10**4, (row.name, text)
            checked += 1
    assert checked >= least


def made(system: str, settings: Any) -> Sheet:
    given = dict(settings)
    return sheet(system, given.pop("switch", None), **given)


def test_every_row_is_in_a_group_with_a_sentence_and_a_claim_of_the_ledger() -> None:
    assert {system for system, _, _ in CASES} == set(SYSTEMS)
    known = {claim["id"] for claim in claims()}
    for system, settings, _ in CASES:
        rows = made(system, settings).parameters
        assert all(row.group and row.meaning.endswith(".") for row in rows)
        assert {row.claim for row in rows if row.claim} <= known
        assert sum(bool(row.claim) for row in rows) >= 2


def test_the_worst_ports_are_where_the_bound_is_reached() -> None:
    case: dict[str, Any] = {"alpha": F(1), "C": F(1), "P": 7}
    for R in (F(3, 2), F(2), F(9)):
        for policy in ("dt", "edt"):
            time, M, N = worst_ports(B=F(100), R=R, policy=policy, **case)
            assert time == longest_burst(B=F(100), R=R, policy=policy, **case)
            assert time <= worst_ports(B=F(100), R=R, policy=policy, **case | {"P": 6})[0]
            assert M + N <= 7
            from dtmodel.theory.edt.drops import Bursts

            bursts = Bursts(F(1), F(100), F(1), M, N, R)
            assert time == (bursts.dt_drop if policy == "dt" else bursts.overflow)
    rate, N, M = min(rate_cases(alpha=F(1), B=F(100), C=F(1), P=7, d=F(20)))
    assert rate == largest_rate(alpha=F(1), B=F(100), C=F(1), P=7, d=F(20))
    assert worst_ports(B=F(100), R=rate, **case)[0] == 20
    assert M + N <= 7
    assert smallest_buffer(alpha=F(1), C=F(1), P=7, R=rate, d=F(20)) == 100


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(["params", *arguments]) == 0
    return capsys.readouterr().out


EDT = ["edt", "--ports", "16", "--buffer", "1MB", "--rate", "1Gbps", "--duration", "10ms"]


def test_a_person_reads_groups_sentences_numbers_and_each_assumption_once(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, *EDT)
    assert text.index("\nsettings\n") < text.index("\nguarantees\n") < text.index("\ninverse questions\n")
    text, lines = " ".join(text.split()), text.splitlines()
    assert "c_n2 = (4 α B)/((2 + α P)^2) = (4 · 1 · 1 MB)/((2 + 1 · 16)^2)" in text
    assert "worst: M = 8, N = 8; DT/EDT paper, equation (73); edt.eq73 (1)" in text
    assert "(1) if: bursts of one rate that begin together, for every M + N <= P" in text
    assert text.count("begin together, for every M + N <= P (2)") == 1
    assert all(len(line) <= 120 for line in lines)


def test_csv_and_markdown_have_every_row(capsys: pytest.CaptureFixture[str]) -> None:
    expected = made("edt", SWITCH | {"duration": "10 ms"})
    rows = list(csv.DictReader(io.StringIO(shown(capsys, *EDT, "--csv"))))
    assert [row["name"] for row in rows] == [row.name for row in expected.parameters]
    assert (rows[0]["value"], rows[0]["unit"], rows[0]["worst M"]) == ("12345.6790123457", "bytes", "8")
    assert rows[0]["claim"] == "edt.eq73"
    lines = shown(capsys, *EDT, "--markdown").splitlines()
    assert lines[0] == "# EDT: 16 ports of 1 Gbps sharing 1 MB, alpha = 1; bursts of R = 2 Gbps (2 C, as none is given)"
    table = [line for line in lines if line.startswith("| ") and not line.startswith("| name")]
    assert len(table) == len(expected.parameters)
    assert {line.count("|") - line.count("\\|") for line in table if "cn2" in line} == {9}


def test_json_is_as_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(shown(capsys, *EDT, "--json"))
    assert list(document) == ["title", "parameters", "warnings"]
    assert set(document["parameters"]["cn2"]) == {"value", "unit", "formula", "source", "assumption"}


def test_the_new_sheets_answer_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    abm = ["abm", "--buffer", "4MB", "--alpha", "1", "--alpha", "1/2", "--queue", "0", "--queue", "1:1/2"]
    values = json.loads(shown(capsys, *abm, "--json"))["parameters"]
    assert (values["weight_2"]["value"], values["reserve_bound"]["value"]) == ("1/4", "1600000")
    assert "first_drop" not in values
    two, both = ["--alpha", "1/2", "--alpha", "1/4"], ["--queue", "0", "--queue", "0:1/2", "--queue", "1:1/2"]
    asked = ["abm", "--buffer", "4MB", *two, *both, "--rate", "10Gbps", "--json"]
    values = json.loads(shown(capsys, *asked))["parameters"]
    assert [values[f"drain_time_{queue}"]["value"] for queue in (1, 2, 3)] == ["1/1875"] * 3
    assert [values[f"drain_bound_{queue}"]["value"] for queue in (1, 2, 3)] == ["1/1250"] * 3
    assert [values[f"isolation_{queue}"]["value"] for queue in (1, 2, 3)] == ["4000000/7", "2000000/7", "2000000/7"]
    pools = ["pools", "--buffer", "4MB", "--queue", "alpha=1/8,reserved=10KB,count=4,name=a"]
    values = json.loads(shown(capsys, *pools, "--json"))["parameters"]
    assert (values["pool.a.threshold"]["value"], values["pool.a.threshold"]["source"]) == (
        "1030000/3",
        "l2bm.ours.pool-steady",
    )
    for wrong in (
        ["abm", "--buffer", "4MB", "--queue", "1"],
        ["abm", "--buffer", "4MB", "--queue", "0", "--burst-rate", "1Gbps"],
        ["abm", "--buffer", "4MB", "--queue", "x"],
        ["pools", "--buffer", "4MB", "--queue", "alpha"],
        ["pools", "--buffer", "4MB", "--queue", "alpha=1,colour=2"],
        ["pools", "--buffer", "4MB", "--queue", "alpha=1,name=a", "--queue", "alpha=2,name=a"],
        ["pools", "--buffer", "4MB", "--queue", "reserved=1"],
        ["pools", "--buffer", "4MB", "--queue", "alpha=1", "--packet", "0"],
        ["pools", "--buffer", "4MB", "--queue", "alpha=1", "--packet", "64", "--sources", "0"],
    ):
        assert run(["params", *wrong]) == 2, wrong
        assert capsys.readouterr().err.startswith("error: ")


def test_the_sheet_of_abm_is_what_the_comparison_finds() -> None:
    from dtmodel import compare

    switch = Switch(16, "1 MB", "1 Gbps")
    found = compare(switch, steady=2, burst_rate="4 Gbps")["ABM"]
    row = sheet("abm", switch, alphas=[1], priorities=[0, 0], burst_rate="4 Gbps")
    assert row["first_drop"] == found.longest_burst == F(1, 2250)
    assert row["free_at_first_drop"] == found.free_at_first_drop == 500_000


def test_the_tolerance_of_abm_is_what_a_burst_of_great_rate_fills_and_its_inverse_finds_the_buffer() -> None:
    """Beside a queue of its own priority and one of another, w = 1/4 and A - w = 5/4: B / (5 * 9/4) of B = 1 MB."""
    asked: dict[str, Any] = {"alphas": [F(1, 2), 1], "priorities": [0, 1], "rate": 1, "burst_priority": 0}
    tolerance, gaps = F(4_000_000, 45), []
    for rate in (2, 10**4, 10**8):
        found = sheet("abm", buffer="1 MB", burst_rate=rate, **asked)
        assert found["tolerance"] == tolerance
        gaps.append((rate - 1) * found["first_drop"] - tolerance)
    assert gaps == sorted(gaps, reverse=True)
    assert 0 < gaps[-1] < 1
    given: dict[str, Any] = {"alpha_p": "1/2", "n_p": 2, "gamma": 1, "A": "3/2", "C": 1, "R": 2}
    assert abm_burst.evaluate(B="1 MB", **given).held == tolerance
    assert abm_burst.evaluate(B="1 MB", **given).burst == 2 * tolerance
    assert abm_burst.solve_for("B", burst=2 * tolerance, **given) == (1_000_000,)
    with refused("R"):
        abm_burst.evaluate(B="1 MB", **given | {"R": 1})


@pytest.mark.parametrize(
    ("latex", "numbers", "text"),
    [
        (r"B_l + B", {"B": "1 B"}, "B_l + 1 B"),
        (r"\beta B", {"B": "2", r"\beta": "1/2"}, "1/2 · 2"),
        (r"(M-2)L", {"M": "4", "L": "3 B"}, "(4-2) · 3 B"),
        (r"W^2 + W^{x}", {"W": "3 B"}, "(3 B)^2 + W^x"),
        (r"4 + \lceil \log_2 M \rceil", {"M": "8"}, "4 + ⌈log_2 8⌉"),
        (r"C \cdot RTT \frac{w_i}{\sum w}", {"C": "1", "w_i": "2", r"\sum w": "3"}, "1 · RTT 2/3"),
        (r"\frac{B}{C} d", {}, "(B/C) d"),
    ],
)
def test_numbers_stand_where_their_symbols_stood(latex: str, numbers: dict[str, str], text: str) -> None:
    assert text_of(f"${with_numbers(latex, numbers)}$") == text
