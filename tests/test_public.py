"""What the commands do can be done from Python, and gives the same answers."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from refusals import refused

import dtmodel
from dtmodel import InputError, Switch, sheet
from dtmodel import companion as papers
from dtmodel.cli import run
from dtmodel.ledger.provers import coq, coq_negation
from dtmodel.studies.parameter_sheets import SYSTEMS
from dtmodel.theory.sheet import Sheet

SWITCH = Switch(ports=8, buffer="1 MB", rate="1 Gbps")
PROFILE = {
    "BUFFER_POOL": {"p": {"type": "ingress", "mode": "dynamic", "size": "1000"}},
    "BUFFER_PROFILE": {"q": {"pool": "p", "size": "10", "dynamic_th": "-1"}},
    "BUFFER_PG": {"Ethernet0|0": {"profile": "q"}, "Ethernet0|1": {"profile": "q"}},
}
CALLS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "dt": ({"steady": 2, "burst_rate": "2 Gbps"}, ["--ports", "8", "--steady", "2", "--burst-rate", "2 Gbps"]),
    "edt": ({"duration": "10 ms"}, ["--ports", "8", "--duration", "10 ms"]),
    "losspass": (
        {"rtt": "1 ms", "flows": 2, "threshold": "9 packets", "tau": "1/2"},
        ["--rtt", "1 ms", "--flows", "2", "--threshold", "9 packets", "--tau", "1/2"],
    ),
    "dynaq": ({"rtt": "500 us", "weights": [4, 3]}, ["--rtt", "500 us", "--weights", "4,3"]),
    "l2bm": ({"sojourns": ["1 us", "9 us"]}, ["--sojourn", "1 us,9 us"]),
}


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert run([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def shown_lines(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[Any]:
    assert run([*arguments, "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def values(made: Sheet) -> dict[str, Any]:
    from dtmodel.cli.params import _document

    document: dict[str, Any] = json.loads(json.dumps(_document(made)))
    return document


@pytest.mark.parametrize("system", CALLS)
def test_one_call_makes_every_sheet(capsys: pytest.CaptureFixture[str], system: str) -> None:
    settings, options = CALLS[system]
    rate = [] if system == "l2bm" else ["--rate", "1 Gbps"]
    printed = shown(capsys, "params", system, "--buffer", "1 MB", *rate, *options)
    assert values(sheet(system, SWITCH, **settings)) == printed


def test_a_configuration_is_a_switch_too(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    file.write_text(json.dumps(PROFILE), encoding="utf-8")
    made = sheet("profile", PROFILE, active=["Ethernet0|0"], check=True)
    assert values(made) == shown(capsys, "params", "profile", str(file), "--active", "Ethernet0|0")
    assert set(CALLS) | {"profile", "abm", "pools", "pfc"} == set(SYSTEMS)
    assert run(["params", "profile", str(file), "--active", "x"]) == 2
    file.write_text(json.dumps([PROFILE, PROFILE]), encoding="utf-8")
    assert run(["params", "profile", str(file)]) == 2
    assert "one configuration" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "settings", "field"),
    [
        (("nonsense", SWITCH), {}, "system"),
        (("dt", SWITCH), {"ports": 4}, "ports"),
        (("dt", SWITCH), {"colour": 4}, "colour"),
        (("dt", SWITCH), {"rate_": 4}, "rate_"),
        (("dt", "switch"), {}, "switch"),
        (("dt",), {"ports": 4, "rate": 1}, "buffer"),
        (("losspass", SWITCH), {}, "rtt"),
        (("profile", SWITCH), {}, "switch"),
        (("profile", PROFILE), {"side": "left"}, "side"),
        (("profile", PROFILE), {"packet": "12.5"}, "packet"),
        (("profile", PROFILE), {"packet": 64, "cell": "3/2"}, "cell"),
        (("profile", PROFILE), {"frame": "12.5"}, "frame"),
    ],
)
def test_a_setting_that_is_unknown_or_missing_is_named(
    arguments: tuple[Any, ...], settings: dict[str, Any], field: str
) -> None:
    with refused(field):
        sheet(*arguments, **settings)


def test_claims_reports_replays_and_traces_are_those_of_the_commands(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert dtmodel.claims("edt.eq1", "edt.eq2") == shown(capsys, "ledger", "edt.eq1", "edt.eq2")
    assert dtmodel.replay("edt.fn9") == shown(capsys, "replay", "edt.fn9")
    report = dtmodel.verify("edt.eq2")
    assert report["as_recorded"]
    (known,) = papers.show("edt.eq2")
    assert known == shown(capsys, "show", "edt.eq2")
    printed = shown(capsys, "verify", "edt.eq2", "--output", str(tmp_path / "r"), "-j", "1")
    assert [claim["verdict"] for claim in printed["claims"]] == [claim["verdict"] for claim in report["claims"]]
    hunted = shown(capsys, "hunt", "edt.ours.continuity", "--cases", "5", "--hypotheses")
    assert dtmodel.hunt("edt.ours.continuity", cases=5, hypotheses=True) == [hunted]
    crossed = shown_lines(capsys, "hunt", "edt.eq5", "--witnesses", str(tmp_path / "r" / "report.json"))
    assert dtmodel.hunt("edt.eq5", witnesses=printed) == crossed == []
    dtmodel.verify("dynaq.eq6", certificates=tmp_path / "c")
    assert run(["verify", "dynaq.eq6", "--certificates", str(tmp_path / "d"), "--output", str(tmp_path / "r")]) == 0
    written = [{path.name: path.read_text() for path in (tmp_path / name).iterdir()} for name in "cd"]
    assert written[0] == written[1] != {}
    capsys.readouterr()
    request = {"algorithm": "losspass", "buffer": 1, "events": [["arrive", 0, "large", 1]]}
    (tmp_path / "t.json").write_text(json.dumps(request), encoding="utf-8")
    assert dtmodel.trace(request) == shown(capsys, "trace", str(tmp_path / "t.json"))
    with pytest.raises(InputError, match="algorithm: missing; expected one of losspass, dynaq, l2bm, edt"):
        dtmodel.trace({})
    with refused("request"):
        dtmodel.trace("losspass")  # type: ignore[arg-type]  # what somebody may try


def test_a_replay_puts_nothing_to_coq(monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(*_: object) -> None:
        raise AssertionError("a replay asked Coq")

    for name in ("theorems", "is_built"):
        monkeypatch.setattr(coq, name, asked)
    monkeypatch.setattr(coq_negation, "negations", asked)
    assert [item["kind"] for item in dtmodel.replay("edt.eq33")] == ["values"]


def test_a_figure_that_does_not_exist_is_refused() -> None:
    with pytest.raises(InputError, match=r"figure: got 'edt.fig99'; expected one of .*edt.fig2"):
        dtmodel.figure("edt.fig99")


def test_the_package_begins_with_no_engine_and_each_public_name_loads_its_own_module() -> None:
    code = "import sys, dtmodel; print([m for m in sys.modules if m.startswith(('dtmodel.fluid', 'dtmodel.packet'))])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout == "[]\n"
    assert all(getattr(dtmodel, name).__name__ == name for name in dtmodel.__all__)
    assert set(dtmodel.__all__) <= set(dir(dtmodel))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        dtmodel.nothing  # noqa: B018 - reading it is the test
