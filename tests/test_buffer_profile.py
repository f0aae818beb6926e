"""Real buffer configurations: the SONiC import, the closed forms of pools, the sheet and the command."""

import copy
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from refusals import refused

from dtmodel import Arrivals, Switch, simulate
from dtmodel.base.errors import InputError
from dtmodel.cli.params import print_sheet
from dtmodel.cli.params_profile import command
from dtmodel.packet.pfc import Egress, Ingress, Pools, run_pools
from dtmodel.policies import Pool, SharedPools
from dtmodel.policies import QueueLimits as Limits
from dtmodel.switches import sheet as buffer_profile_sheet
from dtmodel.switches.formulas import PortLimits, burst_first_drop, in_cells, pool_steady_state
from dtmodel.switches.profile import read_buffer_profile
from dtmodel.switches.sheet import Group, SharedPool
from dtmodel.switches.tables import buffer_tables, read_file

F = Fraction
ONE = F(1)

SWITCH: dict[str, Any] = {
    "BUFFER_POOL": {
        "ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "12000", "xoff": "4000"},
        "egress_lossy_pool": {"type": "egress", "mode": "dynamic", "size": "7000"},
        "egress_lossless_pool": {"type": "egress", "mode": "static", "size": "20000"},
    },
    "BUFFER_PROFILE": {
        "pg_lossless_25000_5m_profile": {
            "pool": "[BUFFER_POOL|ingress_lossless_pool]", "size": "100", "dynamic_th": "-3", "xoff": "3000",
            "xon": "100", "xon_offset": "200",
        },
        "ingress_lossy_profile": {"pool": "ingress_lossless_pool", "size": "0", "dynamic_th": "3"},
        "egress_lossy_profile": {"pool": "egress_lossy_pool", "size": "50", "dynamic_th": "1"},
        "egress_lossless_profile": {"pool": "egress_lossless_pool", "size": "0", "static_th": "20000"},
    },
    "BUFFER_PG": {
        "Ethernet0,Ethernet4|3-4": {"profile": "[BUFFER_PROFILE|pg_lossless_25000_5m_profile]"},
        "Ethernet0|0": {"profile": "ingress_lossy_profile"},
        "Ethernet4|0": {"profile": "NULL"},
    },
    "BUFFER_QUEUE": {
        "Ethernet0,Ethernet4|0-2": {"profile": "egress_lossy_profile"},
        "Ethernet0|3": {"profile": "egress_lossless_profile"},
    },
    "BUFFER_PORT_INGRESS_PROFILE_LIST": {"Ethernet0": {"profile_list": "ingress_lossy_profile"}},
    "PORT": {"Ethernet0": {"speed": "25000"}},
}  # fmt: skip


def changed(path: str, value: Any) -> dict[str, Any]:
    document = copy.deepcopy(SWITCH)
    *parents, last = path.split(".")
    target = document
    for name in parents:
        target = target[name]
    if value is None:
        del target[last]
    else:
        target[last] = value
    return document


def test_pools_profiles_and_queues_are_read_exactly() -> None:
    profile = read_buffer_profile(SWITCH)
    assert sorted(profile.ingress) == ["Ethernet0|0", "Ethernet0|3", "Ethernet0|4", "Ethernet4|3", "Ethernet4|4"]
    assert len(profile.egress) == 7
    lossless = profile.profile_of("Ethernet4|4")
    assert (lossless.alpha, lossless.reserved, lossless.headroom, lossless.lossless) == (ONE / 8, 100, 3000, True)
    assert lossless.threshold(Fraction(8000)) == 1100
    assert lossless.resumes(Fraction(8000)) == 900
    assert profile.profile_of("Ethernet0|0").resumes(ONE) is None
    assert profile.profile_of("Ethernet0|3", "egress").cap == 20000
    assert profile.pools["ingress_lossless_pool"].headroom == 4000


def test_the_imported_policy_runs_in_the_fluid_engine_and_equals_the_closed_form() -> None:
    profile = read_buffer_profile(SWITCH)
    names = ["Ethernet0|3", "Ethernet4|3", "Ethernet0|4", "Ethernet4|4"]
    switch = Switch(ports=4, buffer=30_000, rate=100)
    arrivals = {0: Arrivals.constant(300), **{port: Arrivals.constant(200) for port in (1, 2, 3)}}
    run_ = simulate(switch, profile.policy(names), arrivals, initial={1: "steady", 2: "steady", 3: "steady"}, until=100)
    held = [(Limits(ONE / 8, Fraction(100)), Fraction(100))] * 3
    drop = burst_first_drop(Fraction(12000), held, Limits(ONE / 8, Fraction(100)), Fraction(100), Fraction(300))
    assert run_.first_drop(0) == drop
    state = pool_steady_state(Fraction(12000), [limit for limit, _ in held])
    assert [run_.queue(port).at(Fraction(0)) for port in (1, 2, 3)] == list(state.thresholds)


def test_a_reserve_lengthens_the_burst_by_the_time_it_takes_to_fill() -> None:
    for reserve, cap in ((0, None), (5, None), (5, 3), (2, 100)):
        policy = SharedPools([Limits(2, reserve, cap), Limits(1, 4)], [Pool(Fraction(60), (0, 1))])
        run_ = simulate(
            Switch(2, 100, 1),
            policy,
            {0: Arrivals.constant(3), 1: Arrivals.constant(4)},
            initial={1: "steady"},
            until=90,
        )
        limit = Limits(Fraction(2), Fraction(reserve), None if cap is None else Fraction(cap))
        assert run_.first_drop(0) == burst_first_drop(Fraction(60), [(Limits(ONE, 4 * ONE), ONE)], limit, ONE, 3 * ONE)


def test_steady_states_with_binding_caps_solve_the_balance() -> None:
    for size in range(1, 60, 3):
        limits = [Limits(2 * ONE, ONE, 3 * ONE), Limits(ONE, ONE, 5 * ONE), Limits(ONE / 2), Limits(None, ONE, ONE / 2)]
        state = pool_steady_state(Fraction(size), limits)
        taken = sum(min(x.alpha * state.free if x.alpha else Fraction(99), x.cap or Fraction(99)) for x in limits)
        assert state.free + taken == size
        assert state.taken == taken
        assert sum(state.thresholds) == taken + 3


def test_of_two_caps_the_one_that_is_small_for_its_weight_binds() -> None:
    """F + 2 F + 1 = 16: the cap of 20 would bind at F = 10, that of 1 binds from F = 1 on."""
    state = pool_steady_state(Fraction(16), [Limits(2 * ONE, cap=20 * ONE), Limits(ONE, cap=ONE)])
    assert (state.free, state.thresholds) == (5, (10, 1))


def test_small_packets_drop_when_the_fluid_does() -> None:
    for reserve, cap in ((0, None), (3, None), (3, Fraction(2))):
        size, rate, pool = ONE / 20, 3, Fraction(20)
        queue = Ingress(ONE / 2, reserved=Fraction(reserve), cap=cap)
        pools = Pools(pool, Fraction(999), {"a": queue, "b": Ingress(ONE)}, {"x": Egress(), "y": Egress()})
        events: list[Any] = [("arrive", "b", "y", size)] * 80  # another queue holds 4 bytes of the pool
        for _ in range(350):
            events += [("arrive", "a", "x", size)] * rate + [("depart", "x")]
        decisions = [step.decision for step in run_pools(pools, events)][80:]
        sent = decisions[: decisions.index("drop")].count("depart")
        policy = SharedPools([Limits("1/2", reserve, cap), Limits(1)], [Pool(pool, (0, 1))])
        fluid = simulate(Switch(2, 100, 1), policy, {0: Arrivals.constant(rate), 1: Arrivals.constant(1)},
                         initial={1: 4}, until=90)  # fmt: skip
        first = fluid.first_drop(0)
        assert first is not None
        assert abs(first - sent * size) <= 2 * size


def test_cells_round_packets_up_in_the_packet_engine() -> None:
    assert [in_cells(Fraction(n), Fraction(208)) for n in (1, 208, 209)] == [208, 208, 416]
    pools = Pools(Fraction(832), Fraction(99_999), {"a": Ingress(ONE)}, {"x": Egress()}, cell=Fraction(208))
    steps = run_pools(pools, [("arrive", "a", "x", Fraction(64))] * 3)
    assert [step.decision for step in steps] == ["enqueue", "enqueue", "drop"]
    assert steps[-1].stored == 416


def test_the_command_prints_thresholds_of_the_queues_named(tmp_path: Path) -> None:
    file = tmp_path / "buffers.json"
    file.write_text(json.dumps(SWITCH), encoding="utf-8")
    names = ["Ethernet0|3", "Ethernet4|3", "Ethernet0|4", "Ethernet4|4"]
    answer = CliRunner().invoke(
        command, [str(file), "--json", *(part for name in names for part in ("--active", name))]
    )
    values = json.loads(answer.output)["parameters"]
    assert values["ingress_lossless_pool.free"]["value"] == "8000"
    assert values["ingress_lossless_pool.pg_lossless_25000_5m_profile.threshold"]["value"] == "1100"
    assert values["ingress_lossless_pool.pg_lossless_25000_5m_profile.resume"]["value"] == "900"
    assert "egress_lossy_pool" in CliRunner().invoke(command, [str(file), "--side", "egress"]).output


def test_the_command_refuses_what_is_not_json(tmp_path: Path) -> None:
    file = tmp_path / "buffers.json"
    file.write_text("{", encoding="utf-8")
    assert isinstance(CliRunner().invoke(command, [str(file)]).exception, InputError)


LOSSLESS = "BUFFER_PROFILE.pg_lossless_25000_5m_profile"


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        ("BUFFER_POOL", None, "BUFFER_POOL"),
        ("BUFFER_PROFILE", None, "BUFFER_PROFILE"),
        ("BUFFER_POOL.egress_lossy_pool.mode", "shared", "BUFFER_POOL.egress_lossy_pool.mode"),
        ("BUFFER_POOL.egress_lossy_pool.type", None, "BUFFER_POOL.egress_lossy_pool.type"),
        ("BUFFER_POOL.egress_lossy_pool.size", None, "BUFFER_POOL.egress_lossy_pool.size"),
        ("BUFFER_POOL.egress_lossy_pool.size", "-1", "BUFFER_POOL.egress_lossy_pool.size"),
        (f"{LOSSLESS}.pool", "nowhere", f"{LOSSLESS}.pool"),
        (f"{LOSSLESS}.pool", None, f"{LOSSLESS}.pool"),
        (f"{LOSSLESS}.dynamic_th", "1/2", f"{LOSSLESS}.dynamic_th"),
        (f"{LOSSLESS}.dynamic_th", "200", f"{LOSSLESS}.dynamic_th"),
        (f"{LOSSLESS}.dynamic_th", None, f"{LOSSLESS}.dynamic_th"),
        (f"{LOSSLESS}.static_th", "5", f"{LOSSLESS}.dynamic_th"),
        ("BUFFER_PG.Ethernet0", {"profile": "ingress_lossy_profile"}, "BUFFER_PG.Ethernet0"),
        ("BUFFER_PG.Ethernet0|4-3", {"profile": "ingress_lossy_profile"}, "BUFFER_PG.Ethernet0|4-3"),
        ("BUFFER_PG.Ethernet0|0", {"profile": "none"}, "BUFFER_PG.Ethernet0|0.profile"),
        ("BUFFER_PG.Ethernet0|0", {}, "BUFFER_PG.Ethernet0|0.profile"),
    ],
)
def test_bad_configurations_are_refused_by_name(path: str, value: Any, field: str) -> None:
    with refused(field):
        read_buffer_profile(changed(path, value))


def test_a_database_and_a_list_of_operations_hold_the_tables_of_a_configuration(tmp_path: Path) -> None:
    operations = [
        {f"{name}_TABLE:{key.replace('|', ':')}": entry, "OP": "SET"}
        for name, entries in SWITCH.items() for key, entry in entries.items()
    ]  # fmt: skip
    dump = {f"{name}|{key}": {"type": "hash", "value": {f"{field}@" if field == "profile_list" else field: value
                                                        for field, value in entry.items()}}
            for name, entries in SWITCH.items() for key, entry in entries.items()}  # fmt: skip
    for number, document in enumerate((SWITCH, dump, operations)):
        file = tmp_path / f"{number}.json"
        file.write_text(json.dumps(document), encoding="utf-8")
        assert {name: dict(entries) for name, entries in buffer_tables(read_file(str(file))).items()} == {
            name: {key.replace(":", "|"): entry for key, entry in entries.items()} for name, entries in SWITCH.items()
        }


def test_a_row_of_a_lookup_file_is_a_profile(tmp_path: Path) -> None:
    file = tmp_path / "pg_profile_lookup.ini"
    file.write_text("# speed cable size xon xoff threshold\n25000 5m 1248 2288 35776 -3  # short\n", encoding="utf-8")
    tables = buffer_tables(read_file(str(file)))
    profile = {"pool": "ingress_lossless_pool", "size": "1248", "xon": "2288", "xoff": "35776", "dynamic_th": "-3"}
    assert tables["BUFFER_PROFILE"] == {"pg_lossless_25000_5m_profile": profile}
    assert tables["BUFFER_PG"] == {"25000_5m|3-4": {"profile": "pg_lossless_25000_5m_profile"}}
    file.write_text("25000 5m 1248\n", encoding="utf-8")
    with refused("line 1"):
        read_file(str(file))


@pytest.mark.parametrize(
    ("call", "field"),
    [
        (lambda: read_buffer_profile(SWITCH).profile_of("Ethernet9|0"), "queue"),
        (lambda: pool_steady_state(ONE, []), "limits"),
        (lambda: Limits(None).shared(ONE), "policy.cap"),
        (lambda: burst_first_drop(ONE, [], Limits(ONE), ONE, ONE), "arrival"),
        (lambda: burst_first_drop(9 * ONE, [(Limits(ONE, cap=ONE), ONE)], Limits(ONE), ONE, 2 * ONE), "held[0].cap"),
        (lambda: in_cells(ONE, Fraction(0)), "cell"),
        (lambda: Pools(ONE, ONE, {}, {}, cell=Fraction(0)), "cell"),
    ],
)
def test_bad_calls_are_refused_by_name(call: Any, field: str) -> None:
    with refused(field):
        call()


def rows(sheet):
    return [(p.name, p.symbol, p.value, p.unit, p.formula, p.source, p.assumption) for p in sheet.parameters]


A, B, C, D = (Limits(F(2), ONE, F(6)), Limits(ONE, F(3), F(4)), Limits(F(1, 2)), Limits(None, F(0), F(5)))


@pytest.mark.parametrize(
    ("size", "free"),
    [
        (30, 10),  # A and B have their caps: 3/2 F + 6 + 4 + 5
        (21, 4),  # B has its cap just now
        (20, F(18, 5)),  # only A has its cap: 5/2 F + 6 + 5
        (14, 2),  # neither has: 9/2 F + 5
        (5, 0),
    ],
)
def test_the_free_pool_solves_the_balance_whichever_caps_bind(size, free):
    state = pool_steady_state(F(size), [B, D, A, C])
    assert (state.free, state.taken) == (free, size - free)
    assert state.thresholds == (3 + min(free, 4), 5, 1 + min(2 * free, 6), F(free, 2))


def test_a_cap_of_nothing_leaves_the_queue_its_reserve():
    assert pool_steady_state(F(3), [Limits(ONE, F(7), F(0)), Limits(F(2))]).thresholds == (7, 2)


@pytest.mark.parametrize(("cap", "free", "held"), [(F(99), 2, 5), (F(6), 2, 5), (F(4), F(9, 4), 4)])
def test_a_queue_with_more_than_its_nested_port_may_hold_is_held_to_the_limit_of_the_port(cap, free, held):
    """The port has 5/2 F: F + 5/2 F + 3 F = 13, or with a cap that fits F + 4 + 3 F = 13."""
    ports = [PortLimits(F(5, 2), None, (0,), nested=True)]
    state = pool_steady_state(F(13), [Limits(None, ONE, cap), Limits(F(3))], ports)
    assert (state.free, state.thresholds) == (free, (1 + held, 3 * free))


@pytest.mark.parametrize("cap", [None, 20, 21, 39])
def test_a_burst_drops_where_the_cap_of_the_other_queue_does_not_bind(cap):
    """F_0 = 60 - F_0 / 2 = 40, so that 20 just binds not; phi + min(phi / 2, 1) = 2 has the root 4/3."""
    held = [(Limits(F(1, 2), cap=None if cap is None else F(cap)), ONE)]
    assert burst_first_drop(F(60), held, Limits(ONE), ONE, F(3)) == 12
    assert burst_first_drop(F(60), held, Limits(ONE, F(4), F(10)), ONE, F(3)) == 7
    assert burst_first_drop(F(60), held, Limits(None, F(4), F(10)), ONE, F(3)) == 7


@pytest.mark.parametrize("limit", [Limits(F(1, 2), cap=F(11)), Limits(None, cap=F(9)), Limits(None, cap=F(60))])
def test_a_held_queue_at_its_cap_is_refused(limit):
    with refused("held[1].cap"):
        burst_first_drop(F(60), [(Limits(ONE), ONE), (limit, ONE)], Limits(ONE), ONE, F(3))


@pytest.mark.parametrize(("alpha", "field"), [(None, "policy.cap"), (F(-1, 2), "policy.alpha")])
def test_a_limit_has_a_weight_of_at_least_0_or_a_cap(alpha, field):
    with refused(field):
        Limits(alpha)


@pytest.mark.parametrize(("size", "cell", "taken"), [(5, 1, 5), (5, F(1, 2), 5), (5, F(3, 2), 6), (F(1, 9), 4, 4)])
def test_a_packet_takes_whole_cells_of_any_size(size, cell, taken):
    assert in_cells(F(size), F(cell)) == taken


LOSSY_LIMIT, LOSSLESS_LIMIT = Limits(F(1, 8), F(10)), Limits(F(1, 4), F(20), F(100))

SONIC = "dynamic_th n is alpha = 2^n, size is the queue's reserve, xoff its headroom (SONiC schema)"

STEADY, BOUND = "l2bm.ours.pool-steady", r"r + \min\left(c, \alpha F\right)"


def test_the_whole_sheet_of_a_pool_with_three_profiles():
    """F + 4 F / 8 + 2 * 100 + 50 = 3250 at F = 2000; alone: 3250 / 9 + 10, 100 + 20, and 50."""
    groups = (
        Group("lossy", 4, LOSSY_LIMIT),
        Group("lossless", 2, LOSSLESS_LIMIT, F(30), F(70)),
        Group("static", 1, Limits(None, cap=F(50))),
    )
    sheet = buffer_profile_sheet.parameters([SharedPool("p", F(3250), groups)])
    assert sheet.title == "Buffer configuration, with the queues named overloaded"
    assert sheet.warnings == ()
    assert rows(sheet) == [
        ("p.size", "S", 3250, "bytes", "", "BUFFER_POOL", SONIC),
        ("p.queues", "n", 7, "", "", "BUFFER_PG or BUFFER_QUEUE", ""),
        ("p.free", "F", 2000, "bytes", r"S - \sum_i \min\left(c_i, \alpha_i F\right)", STEADY, ""),
        ("p.lossy.alpha", r"\alpha", F(1, 8), "", r"2^{dynamic\_th}", "BUFFER_PROFILE", ""),
        ("p.lossy.reserved", "r", 10, "bytes", "", "BUFFER_PROFILE", ""),
        ("p.lossy.threshold", "T", 260, "bytes", r"r + \alpha F", STEADY, ""),
        ("p.lossy.alone", "T_1", F(3250, 9) + 10, "bytes", r"r + \alpha F", STEADY, "one queue alone"),
        ("p.lossless.alpha", r"\alpha", F(1, 4), "", r"2^{dynamic\_th}", "BUFFER_PROFILE", ""),
        ("p.lossless.reserved", "r", 20, "bytes", "", "BUFFER_PROFILE", ""),
        ("p.lossless.threshold", "T", 120, "bytes", BOUND, STEADY, ""),
        ("p.lossless.alone", "T_1", 120, "bytes", BOUND, STEADY, "one queue alone"),
        ("p.lossless.headroom", "H", 30, "bytes", "xoff", "BUFFER_PROFILE", ""),
        (
            "p.lossless.resume",
            "X",
            70,
            "bytes",
            r"\max\left(xon, T - xon\_offset\right)",
            "SONiC schema",
            "at this threshold",
        ),
        ("p.static.reserved", "r", 0, "bytes", "", "BUFFER_PROFILE", ""),
        ("p.static.threshold", "T", 50, "bytes", "r + c", STEADY, ""),
        ("p.static.alone", "T_1", 50, "bytes", "r + c", STEADY, "one queue alone"),
    ]


def test_a_pool_of_which_less_than_a_twentieth_stays_free_is_warned_about():
    pools = [SharedPool(f"p{alpha}", F(420), (Group("g", 1, Limits(F(alpha))),)) for alpha in (18, 19, 20, 41)]
    assert buffer_profile_sheet.parameters(pools).warnings == (
        "p20: with all these queues overloaded only 20 B stay free",
        "p41: with all these queues overloaded only 10 B stay free",
    )


def test_a_profile_that_pauses_without_headroom_is_warned_about():
    groups = tuple(
        Group(
            f"resume {resume}, headroom {headroom}", 1, LOSSY_LIMIT, F(headroom), None if resume is None else F(resume)
        )
        for resume in (None, 0, 5)
        for headroom in (0, 30)
    )
    said = "pauses without headroom for the bytes in flight"
    assert buffer_profile_sheet.parameters([SharedPool("p", F(420), groups)]).warnings == (
        f"p: resume 0, headroom 0 {said}",
        f"p: resume 5, headroom 0 {said}",
    )


def test_what_a_row_means_stands_below_it_where_names_are_long_or_lines_short(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    long = f"pg_lossless_100000_300m_profile_{'of_an_operator_' * 2}"
    sheet = buffer_profile_sheet.parameters([SharedPool("p", F(8), (Group(long, 4, LOSSY_LIMIT),))])
    for columns, name in ((120, f"p.{long}.alpha"), (80, f"p.{long}.alpha"), (40, "p.size")):
        monkeypatch.setenv("COLUMNS", str(columns))
        print_sheet(sheet)
        lines = capsys.readouterr().out.splitlines()
        assert any(line.startswith(f"{name}  ") for line in lines)
        assert "    The weight of a queue in the pool." in lines
        assert max(map(len, lines)) <= columns
