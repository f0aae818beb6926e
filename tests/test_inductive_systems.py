"""The transition systems of the certificates are the packet models: every step of one is a transition of the other."""

import random
from fractions import Fraction
from typing import Any

import pytest
from inductive_systems import Beside, certified, never_taken

from dtmodel.packet.dynaq.algorithm import ADMISSIONS, TIE_BREAKS, DynaQ, DynaQPort
from dtmodel.packet.l2bm import algorithm as l2bm
from dtmodel.packet.losspass import algorithm as losspass_algorithm
from dtmodel.packet.losspass.algorithm import READINGS, Arbiter, Arrival, Departure, PortSettings
from dtmodel.policies import edt_circuit as edt
from proofs.dynaq import systems as dynaq_systems
from proofs.edt import systems as edt_systems
from proofs.l2bm import systems as l2bm_systems
from proofs.losspass import systems as losspass_systems
from validation.l2bm import scenarios as pools

ONE = Fraction(1)
TWO_QUEUES = [name for name, reading in READINGS.items() if not reading.fifo]
Kind = losspass_algorithm.Class


def losspass_step(port: Arbiter, beside: Beside, choose: random.Random) -> None:
    """Make one event at the port, and find the transition."""
    sizes = {"small": dict(port_sizes(port, "small")), "large": dict(port_sizes(port, "large"))}
    if choose.random() < 0.3:
        queue: Kind = choose.choice(["small", "large"])
        step = port.depart(Departure(queue))
        if step.packet is not None:
            new = {"s": port.length_small, "l": port.length_large}
            beside.take(f"a {queue} packet departs", new, d=sizes[queue][step.packet])
        return
    kind: Kind = choose.choice(["small", "large"])
    size = Fraction(choose.randint(1, 3), choose.choice([1, 2]))
    step = port.arrive(Arrival(kind, size))
    name = {
        "enqueue": f"line 12 enqueues a {kind}",
        "evict": "lines 5 and 6",
        "drop": "the packet is dropped",
        "evict+drop": "line 10 drops",
    }[step.decision]
    victim = sizes["large"].get(-1 if step.victim is None else step.victim, 0)
    beside.take(name, {"s": port.length_small, "l": port.length_large}, P=size, v=victim)


def port_sizes(port: Arbiter, kind: Kind) -> list[tuple[int, Fraction]]:
    return [(packet.number, packet.size) for packet in (port.small if kind == "small" else port.large)]


def test_losspass_in_every_reading_is_the_certified_port() -> None:
    runs = []
    for seed, reading in enumerate(TWO_QUEUES * 6):
        choose = random.Random(seed)
        port = Arbiter(PortSettings(Fraction(4), Fraction(choose.randint(0, 2)), reading=READINGS[reading]))
        beside = Beside(certified(losspass_systems.port_of_any_reading), B=4)
        for _ in range(60):
            losspass_step(port, beside, choose)
        runs.append(beside)
    assert not never_taken(runs)


@pytest.mark.parametrize(("reading", "limited"), [("intended", False), ("head", False), ("limited", True)])
def test_losspass_with_a_reserve_is_the_certified_port(reading: str, limited: bool) -> None:
    runs = []
    for seed in range(20):
        choose = random.Random(seed)
        reserve = choose.randint(0, 2)
        port = Arbiter(PortSettings(Fraction(4), Fraction(reserve), reading=READINGS[reading]))
        beside = Beside(certified(losspass_systems.port_with_reserve, limited), B=4, b=reserve)
        for _ in range(60):
            losspass_step(port, beside, choose)
        runs.append(beside)
    assert not never_taken(runs)


def unit_port(reading: str, buffer: int, reserve: int = 0) -> Arbiter:
    return Arbiter(PortSettings(Fraction(buffer), Fraction(reserve), reading=READINGS[reading]))


@pytest.mark.parametrize(("reading", "limited"), [("intended", False), ("limited", True)])
def test_losspass_with_packets_of_one_size_is_the_certified_port(reading: str, limited: bool) -> None:
    runs = []
    for seed in range(20):
        choose = random.Random(seed)
        reserve = choose.randint(0, 2)
        port = unit_port(reading, 3, reserve)
        beside = Beside(certified(losspass_systems.port_of_one_size, limited), n=3, r=reserve)
        for _ in range(60):
            kind: Kind = choose.choice(["small", "large"])
            if choose.random() < 0.3:
                step = port.depart(Departure(kind))
                name = f"a {kind} packet departs"
            else:
                step = port.arrive(Arrival(kind, ONE))
                name = f"a {kind} packet " + {"enqueue": "fits", "evict": "evicts", "drop": "is dropped"}[step.decision]
            if step.decision != "idle":
                beside.take(name, {"S": port.length_small, "L": port.length_large})
        runs.append(beside)
    assert not never_taken(runs)


def test_losspass_beside_tail_drop_is_the_certified_coupling() -> None:
    runs = []
    for seed in range(40):
        choose = random.Random(seed)
        B = choose.randint(1, 4)
        b = choose.randint(0, B)
        one, two = unit_port("intended", B, b), unit_port("droptail-2q", B)
        beside = Beside(certified(losspass_systems.coupled_ports), B=B, b=b)
        lost = dict.fromkeys("SLTM", 0)
        for _ in range(80):
            name = coupled_event(one, two, lost, choose)
            lengths = {"s": one.length_small, "l": one.length_large, "t": two.length_small, "m": two.length_large}
            beside.take(name, {**lengths, **lost})
        runs.append(beside)
    assert not never_taken(runs)


def coupled_event(one: Arbiter, two: Arbiter, lost: dict[str, int], choose: random.Random) -> str:
    """Make one event at both ports, count what is lost, and return what the transition is called."""
    if choose.random() < 0.4:
        served = []
        for port, (small, large) in ((one, "sl"), (two, "tm")):
            held = [name for name, queue in ((small, port.small), (large, port.large)) if queue]
            if held:
                served.append(choose.choice(held))
                port.depart(Departure("small" if served[-1] == small else "large"))
        return f"{served[0]} and {served[1]} are served" if served else "neither has anything to serve"
    kind: Kind = choose.choice(["small", "large"])
    said, dropped = one.arrive(Arrival(kind, ONE)).decision, two.arrive(Arrival(kind, ONE)).decision == "drop"
    lost["S" if kind == "small" else "L"] += said == "drop"
    lost["L"] += said == "evict"
    lost["T" if kind == "small" else "M"] += dropped
    return {"enqueue": f"{kind} fits", "evict": "small evicts", "drop": f"{kind} is dropped"}[said]


def test_losspass_under_strict_priority_is_the_certified_isolated_port() -> None:
    runs = []
    for seed in range(30):
        choose = random.Random(seed)
        B = choose.randint(1, 3)
        port, own = unit_port("intended", B), unit_port("droptail-2q", B)
        beside = Beside(certified(losspass_systems.isolated_small_flows), B=B)
        for _ in range(60):
            kind: Kind = choose.choice(["small", "large"])
            if choose.random() < 0.4:
                name = f"{'small' if port.small else 'large' if port.large else 'nothing'} is served"
                port.depart(Departure("any"))
                own.depart(Departure("any"))
            else:
                said = port.arrive(Arrival(kind, ONE)).decision
                name = {"enqueue": f"{kind} fits", "evict": "small evicts", "drop": f"{kind} is dropped"}[said]
                if kind == "small":
                    assert (own.arrive(Arrival(kind, ONE)).decision == "drop") == (said == "drop")
            new = {"s": port.length_small, "l": port.length_large, "i": own.length_small}
            beside.take(name, new)
        runs.append(beside)
    assert not never_taken(runs)


def test_any_policy_beside_a_port_of_its_own_is_the_certified_pair() -> None:
    runs = []
    for seed in range(30):
        choose = random.Random(seed)
        B = choose.randint(1, 3)
        own, x, J, T = unit_port("droptail-2q", B), 0, 0, 0
        beside = Beside(certified(losspass_systems.least_loss), B=B)
        for _ in range(60):
            event = choose.choice(["small", "other", "push", "serve"])
            name = "a packet that is not small arrives"
            if event == "small":
                loses, full = x == B or choose.random() < 0.3, own.arrive(Arrival("small", ONE)).decision == "drop"
                x, T, J = x + (not loses), T + loses, J + full
                name = (("both lose it" if full else "the policy loses it") if loses
                        else "the port of its own loses it" if full else "both enqueue")  # fmt: skip
            elif event == "push" and x:
                x, T, name = x - 1, T + 1, "the policy pushes a small packet out"
            elif event == "serve":
                small, first = x > 0 and choose.random() < 0.6, own.depart(Departure("small")).packet is not None
                x -= small
                name = (("both serve a small packet" if small else "the policy serves something else") if first
                        else "only the policy has one" if small else "neither serves")  # fmt: skip
            beside.take(name, {"i": own.length_small, "x": x, "J": J, "T": T})
        runs.append(beside)
    assert not never_taken(runs)


class Watched:
    """One queue of a DynaQ port beside the system of one queue, while `during` says so."""

    def __init__(self, system: str, index: int) -> None:
        self.system, self.index = system, index
        self.beside: Beside | None = None
        self.runs: list[Beside] = []

    def concerns(self, T: Any, q: Any, S: Any) -> bool:
        if self.system == "non_negative_queue":
            return True
        return q > 0 and (T >= S) == (self.system == "satisfied_queue")

    def before(self, T: Any, q: Any, S: Any) -> None:
        """Begin to watch where the system begins: at the start, or once the queue is as it says."""
        if not self.concerns(T, q, S):
            self.beside = None
        elif self.beside is None:
            e = {"satisfied_queue": T - S, "unsatisfied_queue": S - T}.get(self.system)
            rest = {} if e is None else {"e": e, "a": q}
            self.beside = Beside(certified(WATCHED[self.system]), S=S, **rest)
            assert self.beside.state == {"T": T, "q": q}
            self.runs.append(self.beside)

    def after(self, T: Any, q: Any, size: Any, *, refused: bool) -> None:
        """Find the transition that leads to these values."""
        if self.beside is None:
            return
        old_T, old_q = self.beside.state["T"], self.beside.state["q"]
        grows = "and grows" if q > old_q else ", and the port is full"
        if self.system != "non_negative_queue" and q == 0:
            self.beside = None  # it is no longer active
        elif old_T != T:
            given = f"it is given threshold{' ' if q > old_q else ''}{grows}"
            self.beside.take(given if old_T < T else "it gives", {"T": T, "q": q}, s=size)
        elif q != old_q:
            self.beside.take("line 1 admits" if q > old_q else "it sends", {"q": q}, s=size, d=size)
        else:
            never = refused and self.system == "unsatisfied_queue"
            self.beside.take("line 3 refuses it" if never else "its packet is dropped", s=size)


WATCHED = {name: getattr(dynaq_systems, name) for name in
           ("non_negative_queue", "satisfied_queue", "unsatisfied_queue")}  # fmt: skip


def dynaq_runs(seed: int) -> Any:
    """Yield, event by event of a random run: the port, before and after, the queue, the size and the ruling."""
    choose = random.Random(seed)
    weights = tuple(choose.randint(1, 3) for _ in range(3))
    rules = DynaQ(choose.randint(4, 9), weights, choose.choice(TIE_BREAKS), choose.choice(ADMISSIONS))
    port = DynaQPort(rules)
    for _ in range(50):
        p = choose.randrange(3)
        old = (port.thresholds, tuple(port.lengths))
        if choose.random() < 0.35:
            size = port.packets[p][0][1] if port.packets[p] else Fraction(0)
            port.depart(p)
            yield port, old, p, size, None
        else:
            size = Fraction(choose.randint(1, 4), 2)
            yield port, old, p, size, port.arrive(p, size)


def named(numbers: Any, letter: str) -> dict[str, Any]:
    return {f"{letter}{i + 1}": number for i, number in enumerate(numbers)}


def test_dynaq_with_three_queues_is_the_certified_port() -> None:
    runs = []
    for seed in range(60):
        beside = None
        for port, (T, _), p, size, ruling in dynaq_runs(seed):
            beside = beside or Beside(certified(dynaq_systems.all_queues, 3), **named(port.rules.satisfaction, "S"))
            adjusted = [i for i in range(3) if port.thresholds[i] < T[i]]
            if ruling is None:
                name = f"queue {p + 1} sends"
            elif adjusted:
                grown = "which grows" if ruling.decision == "enqueue" else "and the port is full"
                name = f"queue {adjusted[0] + 1} gives to queue {p + 1}, {grown}"
            else:
                name = f"line 1 admits to queue {p + 1}" if ruling.decision == "enqueue" else "the packet is dropped"
            if size:
                beside.take(name, {**named(port.thresholds, "T"), **named(port.lengths, "q")}, s=size, d=size)
        assert beside is not None
        runs.append(beside)
    assert not never_taken(runs)


@pytest.mark.parametrize("M", [3, 4])
def test_dynaq_with_two_active_queues_is_the_certified_port(M: int) -> None:
    runs = []
    for seed in range(40):
        choose = random.Random(seed)
        weights = tuple(choose.randint(2, 4) for _ in range(M))
        port = DynaQPort(DynaQ(sum(weights), weights, choose.choice(TIE_BREAKS), choose.choice(ADMISSIONS)))
        first = [choose.randint(1, 2) for _ in range(2)]
        for p in range(2):
            port.arrive(p, first[p])
        document = certified(dynaq_systems.two_active_queues, M)
        beside = Beside(document, L=2, **named(port.rules.satisfaction, "S"), **named(first, "a"))
        for _ in range(60):
            p, size, name = choose.randrange(2), Fraction(choose.randint(1, 4), 2), "the packet is dropped"
            T = port.thresholds
            if choose.random() < 0.4 and len(port.packets[p]) > 1:
                size, name = port.packets[p][0][1], f"queue {p + 1} sends"
                port.depart(p)
            else:
                grown = port.arrive(p, size).decision == "enqueue"
                victims = [i for i in range(M) if port.thresholds[i] < T[i]]
                for v in victims:
                    name = f"queue {v + 1} gives to queue {p + 1}, {'which grows' if grown else 'and the port is full'}"
                if grown and not victims:
                    name = f"line 1 admits to queue {p + 1}"
            beside.take(name, {**named(port.thresholds, "T"), **named(port.lengths[:2], "q")}, s=size, d=size)
        runs.append(beside)
    full = {f"queue {v} gives to queue {p}, and the port is full" for v in range(3, M + 1) for p in (1, 2)}
    assert never_taken(runs) <= full  # the idle ones still have room when they give


def test_each_queue_of_dynaq_is_the_certified_queue_while_it_is_as_the_system_says() -> None:
    found: dict[str, list[Beside]] = {name: [] for name in WATCHED}
    for seed in range(60):
        watched = [Watched(name, i) for name in WATCHED for i in range(3)]
        for port, (T, q), _, size, ruling in dynaq_runs(seed):
            for each in watched:
                i = each.index
                each.before(T[i], q[i], port.rules.satisfaction[i])
                refused = ruling is not None and ruling.decision == "drop" and ruling.victim == i
                if size:
                    each.after(port.thresholds[i], port.lengths[i], size, refused=refused)
        for each in watched:
            found[each.system] += each.runs
    for runs in found.values():
        assert not never_taken(runs)


def test_the_sum_of_dynaqs_thresholds_is_the_certified_one() -> None:
    steps = 0
    for seed in range(20):
        beside = None
        for port, (T, _), p, size, ruling in dynaq_runs(seed):
            B = port.rules.buffer
            beside = beside or Beside(certified(dynaq_systems.the_sum_by_roles), B=B, x=T[0], y=T[1])
            if port.thresholds != T:
                v = ruling.victim
                beside.take("others become", {"T_p": T[p], "T_v": T[v], "R": B - T[p] - T[v]}, T_i=T[p], T_j=T[v])
                beside.take("lines 6 and 7", {"T_p": port.thresholds[p], "T_v": port.thresholds[v]}, s=size)
                steps += 1
    assert steps > 20


def edt_step(port: edt.EdtPort, beside: Beside, choose: random.Random, now: int) -> None:
    """Let time pass at the state machine of a port, make one event, and find the transitions."""

    def found(name: str, amount: Any = 0) -> None:
        state = {"c1": port.c1, "c2": port.c2, "u": int(not port.controlled)}
        timers = {"t1": int(port.tm1 is not None), "t2": int(port.tm2 is not None)}
        beside.take(name, state | {key: n for key, n in timers.items() if key in beside.state}, a=amount)

    tm1, tm2 = (end is not None and end <= now for end in (port.tm1, port.tm2))
    assert not (tm1 and tm2) or port.settings.reading.tm1_runs_always
    port.tick(now)
    if tm1 and tm2:  # only where TM1 runs always: one after the other leads to where both lead
        found("TM2 expires")
    elif tm1 or tm2:
        found("TM1 expires" if tm1 else "TM2 expires")
    amount = Fraction(choose.randint(1, 4), 2)
    event = choose.choice(["enter", "enter", "enter", "depart", "depart", "drop", "overflow"])
    if event == "enter":
        freed = port.controlled and port.c2 + amount >= port.settings.cn2
        port.arrived()
        port.enqueued(amount, now)
        found("C2 reaches its number" if freed else "a packet enters", amount)
    elif event == "depart":
        last = port.c1 + 1 == port.settings.cn1
        port.dequeued(amount)
        found("C1 reaches its number" if last else "a departure", amount)
    elif event == "drop":
        heard, old = port.settings.reading.c1_hears_drops, port.controlled
        port.arrived()
        port.dropped()
        found("a packet is dropped and C1 hears it" if heard else "a packet is dropped")
        assert port.controlled == old
    elif not port.controlled:
        port.control()
        found("an overflow returns the port")


@pytest.mark.parametrize(
    ("readings", "flags"),
    [
        (["circuit", "arrivals", "free-running"], {}),
        (["c1-resets-c2"], {"resets_c2": True}),
        (["signed"], {"signed": True}),
        (["circuit", "arrivals"], None),
    ],
)
def test_the_state_machine_of_an_edt_port_is_the_certified_one(
    readings: list[str], flags: dict[str, bool] | None
) -> None:
    system = edt_systems.timers() if flags is None else edt_systems.counters(**flags)
    document, runs = system.certificate().document, []
    for seed, reading in enumerate(readings * (60 // len(readings))):
        choose = random.Random(seed)
        cn1, cn2 = choose.randint(1, 3), Fraction(choose.randint(1, 8), 2)
        settings = edt.CircuitSettings(1, cn1, cn2, choose.randint(1, 4), choose.randint(1, 6), edt.READINGS[reading])
        port, beside = edt.EdtPort(settings), Beside(document, cn1=cn1, cn2=cn2)
        port.start(0)
        for now in range(50):
            edt_step(port, beside, choose, now)
        runs.append(beside)
    left = never_taken(runs)
    assert left <= ({"a packet is dropped and C1 hears it"} if "arrivals" not in readings else set())


@pytest.mark.parametrize("reading", ["literal", "clocked", "stamped"])
def test_l2bms_recorder_is_the_certified_one(reading: str) -> None:
    runs = []
    for seed in range(20):
        choose, recorder, now = random.Random(seed), l2bm.Recorder(), Fraction(0)
        beside, present, error = Beside(certified(l2bm_systems.recorder, reading)), [], Fraction(0)
        for _ in range(40):
            now += Fraction(choose.randint(0, 3), 2)
            sojourn = due = Fraction(choose.randint(1, 5))
            if choose.random() < 0.5 or not present:
                name = f"lines 3 to 11, {'not empty' if present else 'empty'}"
                present.append(now + sojourn)
                recorder = l2bm.enqueue(recorder, now, sojourn * 2, Fraction(2))
            else:
                name, due = "lines 12 to 14", present.pop(choose.randrange(len(present)))
                error += due - now
                recorder = l2bm.dequeue(recorder, now, due, reading=reading)
            new = {"N": recorder.packets, "total": recorder.total, "prev": recorder.updated}
            beside.take(name, {**new, "D": sum(present), "E": error}, now=now, sojourn=sojourn, due=due)
        runs.append(beside)
    assert not never_taken(runs)


def test_the_sums_of_the_pools_are_the_certified_ones() -> None:
    runs = []
    for number, (_, steps) in enumerate(pools.runs()):
        if number % 20:
            continue
        beside = Beside(certified(l2bm_systems.pools))
        for step in steps:
            change = step.stored - beside.state["stored"]
            name = "a packet is stored" if change > 0 else "a packet leaves" if change < 0 else "a packet is dropped"
            sums = {"ingress": sum(step.ingress.values()), "egress": sum(step.egress.values()), "stored": step.stored}
            beside.take(name, sums, size=abs(change) or 1)
        runs.append(beside)
    assert not never_taken(runs)
