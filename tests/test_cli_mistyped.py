"""Mistyped input: the message names the field as it was typed, the value, and the nearest word or the units."""

import json
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from dtmodel.cli import run

SCENARIO: dict[str, Any] = {
    "switch": {"ports": 2, "buffer": "6", "rate": "1"}, "policy": {"name": "dt", "alpha": "1"},
    "queues": [{"arrivals": [["0", "3"], ["2", "0"]]}], "until": "4",
}  # fmt: skip
FAMILY: dict[str, Any] = {
    "symbols": {"B": "> 0", "C": "> 0", "alpha": "> 0", "R": "> C"}, "policy": {"name": "dt", "alpha": "alpha"},
    "switch": {"buffer": "B", "rate": "C"}, "queues": [{"arrivals": [["0", "R"]]}], "ask": [{"first_drop": 0}],
}  # fmt: skip
SWEEP: dict[str, Any] = {"scenario": SCENARIO, "axes": {"a": {"set": "policy.alpha", "values": ["1", "2"]}}}
LOSSPASS: dict[str, Any] = {"algorithm": "losspass", "buffer": 3, "events": [["arrive", 0, "large", 1]]}
DOCUMENTS = {"simulate": SCENARIO, "derive": FAMILY, "sweep": SWEEP, "trace": LOSSPASS}
SONIC = {
    "BUFFER_POOL": {"p": {"size": "1000000", "type": "ingress", "mode": "dynamic", "xoff": "1000"}},
    "BUFFER_PROFILE": {"q": {"pool": "p", "size": "1000", "dynamic_th": "0", "xoff": "500"}},
    "BUFFER_PG": {"Ethernet0|3": {"profile": "q"}}, "PORT": {"Ethernet0": {"speed": "100000"}},
}  # fmt: skip
MISSING, RENAMED = object(), "<renamed>"


def changed(document: Any, place: str, value: Any) -> Any:
    """Return a copy with another value at a place such as ``queues.0.initial``, without it, or with its key renamed."""
    made = deepcopy(document)
    *path, last = [int(step) if step.isdecimal() else step for step in place.split(".")]
    node = made
    for step in path:
        node = node[step]
    if value is MISSING:
        del node[last]
    elif isinstance(value, str) and value.startswith(RENAMED):
        node[value.removeprefix(RENAMED)] = node.pop(last)
    else:
        node[last] = value
    return made


def message(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Run a command that must refuse its input in one line."""
    assert run(arguments) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: ")
    assert said.count("\n") == 1
    for word in ("nothing'", "None", "among", "Traceback", "internal"):
        assert word not in said
    return said


@pytest.mark.parametrize(
    ("command", "place", "value", "said"),
    [
        ("simulate", "switch", MISSING, "switch: missing;"),
        ("simulate", "until", MISSING, "until: missing;"),
        ("simulate", "until", f"{RENAMED}untli", "untli: got '4'; expected one of the keys.*did you mean 'until'"),
        ("simulate", "switch", f"{RENAMED}swich", "swich: got .*did you mean 'switch'"),
        ("simulate", "switch.buffer", MISSING, r"switch\.buffer: missing;"),
        ("simulate", "switch.buffer", f"{RENAMED}bufer", r"switch\.bufer: got '6'.*did you mean 'buffer'"),
        ("simulate", "policy.name", MISSING, r"policy\.name: missing; expected one of dt, edt"),
        ("simulate", "policy.name", f"{RENAMED}naem", r"policy\.name: missing.*it has a key 'naem'"),
        ("simulate", "policy.name", "weigthed", "policy.name: got 'weigthed'.*did you mean 'weighted'"),
        ("simulate", "policy.alpha", f"{RENAMED}alpah", r"policy\.alpah: got '1'.*did you mean 'alpha'"),
        ("simulate", "policy.alpha", "1 MB", r"policy\.alpha: got '1 MB'; expected a number .*without a unit"),
        ("simulate", "queues.0.arrivals", f"{RENAMED}arivals", r"queues\[0\]\.arivals: got .*did you mean 'arrivals'"),
        ("simulate", "queues.0.initial", "stedy", r"queues\[0\]\.initial: got 'stedy'.*did you mean 'steady'"),
        ("simulate", "queues.0.initial", "Steady", r"queues\[0\]\.initial: got 'Steady'.*did you mean 'steady'"),
        ("simulate", "queues.0.arrivals.0", ["0", "1 mb/s"], r"arrivals\[0\]\[1\]: got '1 mb/s'.*Mbps or MB/s"),
        ("simulate", "switch.buffer", "64 mb", r"switch\.buffer: got '64 mb'.*'mb' may be MB or Mbit; the units"),
        ("simulate", "switch.buffer", "65pkts", r"switch\.buffer: got '65pkts'.*the units are B, KB"),
        ("simulate", "switch.rate", "100G", r"switch\.rate: got '100G'.*'G' may be Gbps or GB/s or GiB/s; the units"),
        ("simulate", "switch.rate", "1 GBPS", "got '1 GBPS'.*'GBPS' may be Gbps or GB/s"),
        ("simulate", "until", "5 sec", "until: got '5 sec'.*the units are s, ms, us, ns, min"),
        ("trace", "algorithm", "lospass", "algorithm: got 'lospass'.*did you mean 'losspass'"),
        ("trace", "algorithm", MISSING, "algorithm: missing; expected one of losspass"),
        ("trace", "buffer", f"{RENAMED}bufer", "bufer: got 3; .*did you mean 'buffer'"),
        ("trace", "buffer", MISSING, "buffer: missing; expected a size"),
        ("trace", "events", MISSING, "events: missing; expected a list"),
        ("trace", "events.0.0", "arive", r"events\[0\]\[0\]: got 'arive'.*did you mean 'arrive'"),
        ("derive", "symbols", MISSING, "symbols: missing;"),
        ("derive", "policy.name", MISSING, r"policy\.name: missing;"),
        ("derive", "policy.name", "dtt", "policy.name: got 'dtt'.*did you mean 'dt'"),
        ("derive", "ask.0", {"first_dropp": 0}, r"ask\[0\]: got .*did you mean 'first_drop'"),
        ("derive", "queues.0.initial", "stedy", r"queues\[0\]\.initial: got 'stedy'.*did you mean 'steady'"),
        ("derive", "switch.buffer", "64 mb", r"switch\.buffer: got '64 mb'.*may be MB or Mbit"),
        ("derive", "switch.rate", MISSING, r"switch\.rate: missing;"),
        ("sweep", "scenario", f"{RENAMED}scenrio", "got 'axes, scenrio'.*did you mean 'scenario'"),
        ("sweep", "axes", f"{RENAMED}axis", "axis: got .*did you mean 'axes'"),
        ("sweep", "axes.a.set", "policy.alpa", r"policy\.alpa: got '1'.*did you mean 'alpha'"),
        ("sweep", "axes.a.values", MISSING, r"axes\.a\.from: missing; expected a value: an axis has values, or"),
        ("sweep", "measure", ["droped"], "measure: got 'droped'.*did you mean 'dropped'"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_document_is_named_with_what_is_near(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, place: str, value: Any, said: str
) -> None:
    path = tmp_path / "d.json"
    path.write_text(json.dumps(changed(DOCUMENTS[command], place, value)), encoding="utf-8")
    more = ["-o", str(tmp_path / "out")] if command == "sweep" else []
    found = message([command, str(path), *more], capsys)
    assert re.search(said, found), found


DT = "params dt --ports 4 --buffer 1MB --rate 1Gbps"
EDT = "params edt --ports 4 --buffer 1MB --rate 1Gbps"
LINK = "params losspass --rate 1Gbps --rtt 1ms --buffer 1MB --flows 2 --threshold 9 --tau 1"
DYNAQ = "params dynaq --buffer 85KB --rate 1Gbps --rtt 500us"
COMPARE = "compare --ports 4 --buffer 1MB --rate 1Gbps"
REPLAY = "replay-trace TRACE --ports 4 --buffer 1MB --rate 1Gbps"
MAKE = "make-trace x.csv --ports 4 --rate 1Gbps --duration 1ms"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("simulat", "No such command 'simulat' (did you mean 'simulate'?)"),
        ("verfy", "(did you mean 'verify'?)"),
        ("helf", "No such command 'helf': one of show, search"),
        ("params dtt", "No such command 'dtt' (did you mean 'dt'?)"),
        ("params dt", "Missing option '--ports'"),
        ("simulate nowhere.toml", "file: got 'nowhere.toml'; expected a readable file"),
        ("simulate --example dtt", "--example: got 'dtt'; expected one of dt,"),
        (f"{DT} --buffer 64mb", "--buffer: got '64mb'; expected a size"),
        (f"{DT} --rate 100G", "'G' may be Gbps or GB/s or GiB/s; the units are bps"),
        (f"{DT} --ports 0", "--ports: got 0; expected a whole number of at least 1"),
        (f"{DT} --steady 9", "--bursts + --steady: got 9; expected at most 4"),
        (f"{DT} --steady -1", "--steady: got -1;"),
        (f"{DT} --alpha half", "--alpha: got 'half';"),
        (f"{DT} --burst-rate 1Gb", "--burst-rate: got '1Gb'; expected a rate"),
        (f"{DT} --burst_rate 1Gbps", "No such option '--burst_rate'"),
        (f"{EDT} --packet 65pkts", "--packet: got '65pkts'; expected a size"),
        (f"{EDT} --duration 10Ms", "'Ms' may be ms; the units are s,"),
        (f"{EDT} --smallest-rate 1Gbps", "--smallest-rate: got '1Gbps'; expected more than the port's rate"),
        (f"{LINK} --threshold 65pks", "--threshold: got '65pks';"),
        (f"{LINK} --tau 150%", "--tau: got '150%'; expected a share"),
        (f"{LINK} --rtt 1msec", "--rtt: got '1msec';"),
        (f"{LINK} --flows 0", "--flows: got 0;"),
        (f"{LINK} --cut 2", "--cut: got '2';"),
        ("params dynaq", "--buffer: missing; expected a value, or --preset"),
        ("params dynaq --preset testbd", "(did you mean 'testbed'?)"),
        (DYNAQ, "--weights: missing; expected weights, or --queues, or --preset"),
        (f"{DYNAQ} --weights 1,x", "--weights[1]: got 'x'; expected a number"),
        (f"{DYNAQ} --queues two", "--queues: got 'two';"),
        ("params l2bm --buffer 4MB", "--sojourn: missing; expected a time for each queue, or --weight"),
        ("params l2bm --buffer 4MB --weight x", "--weight: got 'x';"),
        ("params l2bm --buffer 4MB --sojourn 5MB", "--sojourn: got '5MB'; expected a time"),
        ("params l2bm --buffer 4MB --sojourn 5us --normalisation harmonc", "(did you mean 'harmonic'?)"),
        ("params abm --buffer 4MB --queue 3", "--queue: got 3; expected an index below 1"),
        ("params abm --buffer 4MB --queue 0:2", "--queue: got '2'; expected a fraction"),
        ("params abm --buffer 4MB --queue 0 --burst-rate 1Gbps", "--rate: missing; expected the rate of the ports"),
        (
            "params abm --buffer 4MB --queue 0 --rate 1Gbps --burst-rate 2Gbps --burst-priority 7",
            "--burst-priority: got 7; expected an index below 1",
        ),
        ("params pools --buffer 4MB --queue alfa=1", "--queue.alfa: got '1'; expected one of the keys"),
        ("params pools --buffer 4MB --queue alpha=1,reserved=10kb", "--queue.reserved: got '10kb';"),
        ("params profile SONIC --side ingres", "'--side': got 'ingres'; expected one of ingress, egress (did you mean"),
        ("params profile SONIC --active Ethernet9|3", "--active: got 'Ethernet9|3'; expected Ethernet0|3 (did you"),
        ("params profile SONIC --cable 300yd", "the units are m, km, cm, ft"),
        ("params profile SONIC --memory 64mb", "--memory: got '64mb';"),
        (f"{COMPARE} --bursts 0", "--bursts: got 0;"),
        (f"{COMPARE} --steady 9", "--bursts + --steady: got 10;"),
        (f"{COMPARE} --duration 5MB", "--duration: got '5MB'; expected a time"),
        (f"{COMPARE} --steady-rate 1Mbps --steady 1", "--steady-rate: got '1Mbps'; expected at least the rate"),
        (f"{COMPARE} --policy no-such-policy", "--policy: got 'no-such-policy'; expected one of"),
        (f"{REPLAY} --policy dt:alpa=1", "--policy: policy.alpa: got '1'; expected one of the keys name, alpha here"),
        (f"{REPLAY} --policy lqd --buffer 64mb", "--buffer: got '64mb';"),
        (
            f"{REPLAY} --policy lqd --time-unit msec",
            "'--time-unit': got 'msec'; expected one of s, ms, us, ns (did",
        ),
        (f"{MAKE} --pattern poison", "'--pattern': got 'poison'; expected one of poisson, on-off, incast (did you"),
        (f"{MAKE} --sizes websearch", "(did you mean 'web-search'?)"),
        (f"{MAKE} --load x", "--load: got 'x';"),
        (f"{MAKE} --senders 0", "--senders: got 0;"),
        (f"{MAKE} --rate 1G", "--rate: got '1G'; expected a rate"),
        ("derive TRACE --schema answr", "'--schema': got 'answr'; expected one of file, answer (did you mean"),
        ("verify edt.eq2 --limit x", "'--limit': 'x' is not a valid number of seconds"),
        ("verify edt.thm11", "expected a claim id, such as edt.thm1"),
        ("show edt.thm11", "got 'edt.thm11'; expected a claim id, such as edt.thm1"),
        ("figure edt.fg2", "(did you mean 'edt.fig2'?)"),
        ("lab --too x", "No such option '--too'"),
        ("--budget digit=9 simulate x", "--budget: got 'digit'; expected one of events"),
    ],
)
def test_a_mistake_on_the_command_line_is_named_as_it_was_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("time,port,bytes\n0,0,1500\n", encoding="utf-8")
    Path("sonic.json").write_text(json.dumps(SONIC), encoding="utf-8")
    files = {"TRACE": "t.csv", "SONIC": "sonic.json"}
    assert said in message([files.get(word, word) for word in line.split()], capsys)


def test_a_value_of_an_axis_may_have_a_unit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    axes = {"rate": {"set": "switch.rate", "values": ["1 Gbps", "2 Gbps"]}, **SWEEP["axes"]}
    path = tmp_path / "d.json"
    path.write_text(json.dumps({**SWEEP, "axes": axes}), encoding="utf-8")
    arguments = ["sweep", str(path), "-o", str(tmp_path / "out"), "--plot", str(tmp_path / "x.png"), "--at"]
    assert run([*arguments, "rate=2gbps"]) == 0
    capsys.readouterr()
    assert "--at rate: got '2G'" in message([*arguments, "rate=2G"], capsys)
