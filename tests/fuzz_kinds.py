"""What the fuzzer tries: for each kind of input a function of a seeded source that raises if something is wrong.

A function returns False for an input to which its law does not apply; such an input is not counted.
"""

import contextlib
import io
import json
import sys
import tempfile
from fractions import Fraction
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from unittest.mock import patch

import document_mutations
import fluid_comparisons
import laws
import packet_cases
import packet_comparisons
from test_buffer_profile import SWITCH

sys.path.append(str(Path(__file__).parent / "derive"))
import random_families

from dtmodel import InputError, lab
from dtmodel.base import budgets, units
from dtmodel.base.documents import read_documents
from dtmodel.cli import main
from dtmodel.derive import Limits, derive
from dtmodel.fluid import answer
from dtmodel.strategies import policy_generator, scenario_generator, trace_generator
from dtmodel.studies.traces import RecordFile, TraceColumns, read_batches

BUDGETS = {
    "events": 20_000, "digits": 3_000, "work": 400_000, "output": 100_000, "segments": 20_000, "packets": 2_000,
    "queues": 2_000,
}  # fmt: skip
"""Smaller than usual, so that an input that only costs time is refused soon."""


def scenario(name, random):
    """The engine and its second implementation agree, with ``==``; bounds and conservation hold at every event."""
    ours, other = fluid_comparisons.compare(scenario_generator.draw_scenario(random, name))
    assert ours == other, {key: (ours[key], other[key]) for key in ours if ours[key] != other[key]}
    return True


def trace(name, random):
    """The algorithm and its second implementation agree at every step."""
    ours, other = packet_comparisons.trace(trace_generator.draw_trace(random, name))
    assert ours == other
    return True


def engine(name, random):
    """A packet engine and its second implementation agree."""
    draw = {"priority_flow_control": packet_cases.priority_flow_control, "service": packet_cases.service}
    ours, other = getattr(packet_comparisons, name)(draw.get(name, packet_cases.switch)(random))
    assert ours == other
    return True


def law(number, random):
    """One of the laws of the fluid model."""
    chosen = random.choice(laws.LAWS)
    document = scenario_generator.draw_scenario(random, laws.UNDER.get(chosen), plain=True)
    return chosen(document, random, number)


def mutated_scenario(random):
    """A damaged scenario is answered, within bounds, or refused by name."""
    document = document_mutations.mutated(random, scenario_generator.draw_scenario(random))
    with contextlib.suppress(InputError):
        check_answer(answer(document), document)
    return True


def check_answer(result, document):
    """What an answer to a scenario must satisfy whatever the scenario says."""
    buffer = units.bytes_(document["switch"]["buffer"], "buffer")
    for name in ("dropped", "drained"):
        assert all(Fraction(value) >= 0 for value in result[name]), (name, result[name])
    for row in result["queues"]:
        assert all(Fraction(length) >= 0 for length in row), row
        assert sum(map(Fraction, row)) <= buffer, row
    for free in result["free_at_first_drop"]:
        assert free is None or 0 <= Fraction(free) <= buffer, free
    json.dumps(result)


def mutated_trace(random):
    """A damaged trace is answered with a step for each event, or refused by name."""
    document = document_mutations.mutated(random, trace_generator.draw_trace(random))
    name = document.get("algorithm")
    algorithm = name if name in trace_generator.ALGORITHMS else random.choice(trace_generator.ALGORITHMS)
    with contextlib.suppress(InputError):
        result = import_module(f"dtmodel.packet.{algorithm}").run_trace(document)
        assert len(result["steps"]) == len(document["events"])
        json.dumps(result)
    return True


def command_line(random):
    """``dtmodel simulate`` and ``trace`` answer a damaged file with status 0, or refuse it with status 2."""
    command = random.choice(("simulate", "trace"))
    make = scenario_generator.draw_scenario if command == "simulate" else trace_generator.draw_trace
    document = make(random)
    if random.randint(0, 2):
        document = document_mutations.mutated(random, document)
    suffix, text = document_mutations.text(random, document)
    arguments = [command, *random.choice(([], ["--json"], ["--json"]))]
    if suffix != ".toml" and random.randint(0, 1):
        status, out, err = run_main([*arguments, "-"], text)
    else:
        path = scratch() / f"input{suffix}"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        status, out, err = run_main([*arguments, str(path)])
    check_command(status, out, err, as_json="--json" in arguments)
    return True


PARAMETERS = {
    "dt": ("--ports", "--buffer", "--rate", "--alpha", "--steady", "--bursts", "--burst-rate"),
    "edt": ("--ports", "--buffer", "--rate", "--alpha", "--packet", "--duration", "--smallest-rate", "--burst-rate"),
    "losspass": ("--rate", "--rtt", "--buffer", "--flows", "--threshold", "--tau", "--reserve", "--segment", "--cut"),
    "l2bm": ("--buffer", "--sojourn", "--weight", "--alpha", "--normalisation"),
    "dynaq": ("--buffer", "--rate", "--rtt", "--weights", "--queues", "--packet", "--granularity", "--preset"),
}
WORTHY = {
    "--ports": ("16", "2", "1"), "--buffer": ("1 MB", "85 KB", "4MB"), "--rate": ("1 Gbps", "10Gbps"),
    "--alpha": ("1", "1/8", "8"), "--steady": ("2", "0"), "--bursts": ("1", "3"), "--burst-rate": ("2 Gbps", "1 Gbps"),
    "--packet": ("1500", "64 B"), "--duration": ("10 ms",), "--smallest-rate": ("2 Gbps",), "--rtt": ("100 us", "1 ms"),
    "--flows": ("8", "1"), "--threshold": ("30 KB", "45 packets"), "--tau": ("0.95", "1/2"),
    "--reserve": ("9 packets",), "--segment": ("1460",), "--cut": ("1/2",),
    "--sojourn": ("1 ms", "2 ms"), "--weight": ("1", "2"),
    "--normalisation": ("sum", "harmonic"), "--weights": ("4,3,2,1", "1:1"), "--queues": ("4", "8"),
    "--granularity": ("1 B",), "--preset": ("testbed",),
}  # fmt: skip


def parameters(random):
    """``dtmodel params`` works out a sheet, or refuses an odd option with status 2."""
    name = random.choice(tuple(PARAMETERS))
    arguments = ["params", name]
    odd = [value for value in document_mutations.ODD if isinstance(value, str)]
    for option in PARAMETERS[name]:
        if random.randint(0, 9) < 7:
            value = random.choice(odd) if random.randint(0, 4) == 0 else random.choice(WORTHY[option])
            arguments.append(f"{option}={value}")
    as_json = random.randint(0, 1) == 1
    status, out, err = run_main(arguments + ["--json"] * as_json)
    check_command(status, out, err, as_json=as_json)
    return True


FAMILY = {
    "symbols": {"alpha": "> 0", "B": "> 0", "C": "> 0", "M": ">= 1", "R": "> C"},
    "policy": {"name": "dt", "alpha": "alpha"},
    "switch": {"buffer": "B", "rate": "C"},
    "queues": [{"count": "M", "arrivals": [["0", "R"]]}],
    "ask": [{"first_drop": 0}],
}


def family(random):
    """``derive`` answers a damaged family with a theorem, or refuses it by name."""
    with contextlib.suppress(InputError):
        assert str(derive(document_mutations.mutated(random, FAMILY), Limits(seconds=10)))
    return True


EXPRESSIONS = (
    "alpha**N", "B**B", "2**0.5", "M - 2", "B/0", "B/(C - C)", "1/(R_1 - C)", "__import__('os').getcwd()", "lambda: 1",
    "B.real", "B[0]", "B if C else 1", "10**64**64", "B**64*C**64*B**64", "(B + C + 1)**64", "B\nC", "B #", "_", "...",
    "B := 1", "--B", "B//C", "> 0", "> C", "> 0, < 0", "> B", "== B", "== 2*B", ">= R_1", "> C, <= C/2", "< 1", "!= 0",
    "> 0,", ">", "> 10**60", "> 0, < 10**-60", "> C**2", "> 1/C", "> 1/(C - B)", "steady", "never", "+".join("B" * 900),
)  # fmt: skip
"""What a family may have in place of an expression or a domain, and mostly may not."""


def any_family(random):
    """``derive`` writes in all forms what it says of a damaged random family, or refuses it by name."""
    document = random_families.family(random)
    if random.randint(0, 3) == 0:
        document = document_mutations.mutated(random, document)
    for _ in range(random.choice((1, 1, 2))):
        container, key = random.choice(document_mutations.places(document))
        if not isinstance(container[key], dict | list):
            container[key] = random.choice(EXPRESSIONS)
    with contextlib.suppress(InputError):
        theorem = derive(document, Limits(paths=40, seconds=5))
        assert theorem.text()
        json.dumps([theorem.latex(), theorem.document()])
    return True


def buffer_profile(random):
    """``dtmodel params profile`` works out a damaged configuration, or refuses it (1: a check failed)."""
    path = scratch() / "profile.json"
    path.write_text(json.dumps(document_mutations.mutated(random, SWITCH)), encoding="utf-8")
    counted = ["--packet", "64", "--chip", random.choice(("td2", "th3", "th5", "spectrum1", "spectrum4"))]
    side = random.choice(([], ["--side", "egress"], ["--active", "Ethernet0|3"], counted))
    as_json = random.randint(0, 1) == 1
    status, out, err = run_main(["params", "profile", str(path), *side, *["--json"] * as_json])
    check_command(status, out, err, as_json=as_json, failed="FAIL" in out)
    return True


@cache
def panels():
    """Every kind of panel of the lab."""
    return lab.threshold_explorer(), lab.edt_designer(), lab.packet_player("losspass"), lab.packet_player("dynaq")


def panel(random):
    """A panel responds to a damaged request of its browser, with an error if it is not accepted."""
    chosen = random.choice(panels())
    values = dict(random.sample(sorted(chosen.values().items()), random.randint(0, len(chosen.values()))))
    request = document_mutations.mutated(random, {"values": values, "view": 1, "serial": 2})
    if random.randint(0, 1):
        request = document_mutations.mutated(random, random.choice(([request], {"ahead": [request, {}]})))
    json.dumps(chosen.respond(request))
    return True


def recorded(random):
    """A damaged file of records is read in batches, or refused by name."""
    suffix, exact = random.choice((".csv", ".parquet")), random.randint(0, 1) == 1
    content = bytearray(records(suffix))
    for _ in range(random.choice((0, 1, 1, 2, 9))):
        begin, odd = random.randrange(len(content)), random.choice([*document_mutations.ODD, *document_mutations.TEXTS])
        content[begin : begin + random.randint(0, 9)] = str(odd).encode("utf-8", "surrogatepass")[
            : random.randint(0, 99)
        ]
    path = scratch() / f"records{suffix}"
    path.write_bytes(content)
    named = [random.choice(("time", "port", "bytes", "é", "")) for _ in range(3)]
    columns = random.choice((TraceColumns(), TraceColumns(rates=True), TraceColumns(*named)))
    with contextlib.suppress(InputError):
        assert all(len(set(map(len, batch))) == 1 for batch in read_batches(path, 3, columns, exact=exact))
    return True


@cache
def records(suffix):
    """Eight records of packets as a file."""
    path = scratch() / f"whole{suffix}"
    with RecordFile(path, {"time": "float", "port": "int", "bytes": "int"}) as file:
        for number in range(8):
            file.add(number / 8, number % 3, 1500)
    return path.read_bytes()


NESTED = (("a = ", "[", "]"), ("a = ", "{a = ", "}"), ("", "a.", " = 1"), ("", '"=".', " = 1"), ("[", "a . ", "a]"),
          ("a = ", "9", ""), ("", "[[a]]\n", ""), ("", "k", " = 1"), ("a = 0x", "f", ""))  # fmt: skip
"""How text of TOML begins, is repeated and ends; of JSON likewise."""
NESTED_JSON = (("", "[", "]"), ("", '{"a": ', "}"), ('{"a": ', "9", "}"), ('{"a": 1e', "9", "}"), ('{"', "k", '": 1}'))


def nested(random):
    """A document that is deep, long or wide is read, or refused by name."""
    suffix, forms = random.choice(((".toml", NESTED), (".json", NESTED_JSON)))
    begin, again, end = random.choice(forms)
    number = random.choice((1, 3, 99, 101, 2_000))
    path = scratch() / f"nested{suffix}"
    inner = random.choice(("", "1", "a"))
    path.write_text(begin + again * number + inner + end * (number if end in ("]", "}") else 1), encoding="utf-8")
    with contextlib.suppress(InputError):
        assert list(read_documents(str(path)))
    return True


TRACES_MADE = {
    "--ports": ("2", "1", "3", "4", "10000000000"), "--rate": ("1Gbps", "1"),
    "--duration": ("1us", "1 ms", "9 ms", "1e300"),
    "--pattern": ("poisson", "on-off", "incast"), "--load": ("1/2", "1", "9"),
    "--senders": ("1", "3", "9", "40", "1000000000"),
    "--packet": ("1460", "1"), "--seed": ("1",),
}  # fmt: skip


def made_trace(random):
    """``dtmodel make-trace`` writes a whole file, or none."""
    path = scratch() / f"made{random.choice(('.csv', '.parquet'))}"
    path.unlink(missing_ok=True)
    odd = [value for value in document_mutations.ODD if isinstance(value, str) and "\x00" not in value]
    given = {name: random.choice(odd if random.randint(0, 9) == 0 else values) for name, values in TRACES_MADE.items()}
    status, out, err = run_main(["make-trace", str(path), *(f"{name}={value}" for name, value in given.items())])
    check_command(status, out, err, as_json=False)
    assert path.exists() == (status == 0), (given, status)
    if status == 0:
        number = sum(len(times) for times, _, _ in read_batches(path, 2_000))
        assert f": {number:,} packets" in out, (given, out)
    return True


def check_command(status, out, err, *, as_json, failed=False):
    assert status in ({1} if failed else {0, 2}), (status, err)
    assert "Traceback" not in out + err, err
    if status == 2:
        assert err.lower().startswith(("error: ", "usage: ")), err
    if as_json and status < 2:
        for line in out.splitlines() if out.startswith('{"id"') else [out]:
            json.loads(line)


@cache
def scratch():
    """One folder for the files of this process; it goes when the process ends."""
    folder = tempfile.TemporaryDirectory()  # kept for as long as the process lives
    scratch.keep = folder
    return Path(folder.name)


def run_main(arguments, stdin=""):
    """Run the command line in this process: (status, standard output, standard error)."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    typed = io.TextIOWrapper(io.BytesIO(stdin.encode("utf-8", "surrogatepass")), "utf-8")
    with patch.multiple(sys, argv=["dtmodel", *arguments], stdin=typed, stdout=out, stderr=err):
        try:
            main()
            status = 0
        except SystemExit as stop:
            status = stop.code or 0
    return status, *(stream.buffer.getvalue().decode("utf-8", "replace") for stream in (out, err))


TRACES = {"losspass": 240, "dynaq": 80, "l2bm": 160, "edt": 24}
KINDS = {
    **{f"scenario, {name}": (partial(scenario, name), 1) for name in policy_generator.POLICIES},
    **{f"trace, {name}": (partial(trace, name), TRACES[name]) for name in trace_generator.ALGORITHMS},
    "engine, switch": (partial(engine, "switch"), 16),
    "engine, EDT switch": (partial(engine, "edt_switch"), 16),
    "engine, PFC": (partial(engine, "priority_flow_control"), 48),
    "engine, service queues": (partial(engine, "service"), 160),
    "law, exact": (partial(law, Fraction), 4),
    "law, float": (partial(law, float), 4),
    "damaged document, scenario": (mutated_scenario, 16),
    "damaged document, trace": (mutated_trace, 240),
    "damaged document, family": (family, 40),
    "damaged document, any family": (any_family, 1),
    "command line, buffer profile": (buffer_profile, 2),
    "command line, file": (command_line, 4),
    "command line, generated trace": (made_trace, 16),
    "damaged file, records": (recorded, 16),
    "document, deep or long": (nested, 80),
    "panel, damaged request": (panel, 8),
    "command line, parameters": (parameters, 4),
}
"""For each kind a function that tries one input, and the number of inputs in one round: more where one costs less."""


@contextlib.contextmanager
def small_budgets():
    """Use `BUDGETS` in a block."""
    with budgets.raised(**BUDGETS):
        yield
