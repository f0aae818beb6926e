"""Packets in the native core: its answers are those of the engine in Python, and what it cannot do Python does."""

import ctypes
import random
from collections import Counter
from contextlib import suppress
from fractions import Fraction
from math import inf, isfinite, nan
from typing import Any

import numpy as np
import pytest
from refusals import refused

from dtmodel import DT, EDT, LQD, CompleteSharing, InputError, StaticPartition
from dtmodel.native.library import loaded
from dtmodel.packet.arrivals import poisson
from dtmodel.packet.compiled import MergedStreams
from dtmodel.packet.core import LARGEST, PacketSwitch
from dtmodel.packet.engine import PacketRun, run_packets
from dtmodel.policies import Occamy, Threshold
from dtmodel.policies.admission import Admission, PacketForm
from dtmodel.policies.edt_circuit import READINGS, CircuitSettings, EdtPolicy

F = Fraction
pytestmark = pytest.mark.needs("native")
COUNTS = (F(1), F(2), F(3), F(9, 2), F(6))
TIMERS = (None, F(1), F(1, 2), F(2), F(7, 5), F(8))
GAPS = (F(0), F(0), F(1), F(1, 2), F(1, 3), F(4))


def case(rng: random.Random, number: Any, name: str = "dt") -> dict[str, Any]:
    """Draw a small switch: mostly with arrivals that meet departures, else with times of many denominators."""
    ports, ties = rng.randint(1, 5), rng.random() < 0.7
    streams = []
    for _ in range(ports):
        now, rows = number(0), []
        for _ in range(rng.randint(0, 40)):
            now += number(rng.choice(GAPS) if ties else F(rng.random()).limit_denominator(9))
            rows.append((now, number(rng.choice((F(1), F(2), F(1, 2), F(3), F(1, 10)))), rng.choice((None, 1))))
        streams.append(rows)
    alphas = [rng.choice((F(1), F(2), F(1, 2), F(8), F(5, 3))) for _ in range(ports)]
    return {
        "buffer": number(rng.choice((4, 6, 12, 20, 30))),
        "rates": [number(rng.choice((F(1), F(2), F(1, 2), F(1, 3)))) for _ in range(ports)],
        "policy": DT(alphas)
        if name == "dt"
        else EDT(alphas, rng.choice(COUNTS), rng.choice(TIMERS), rng.choice(TIMERS)),
        "streams": streams,
        "until": number(rng.choice((4, 16, 60))),
        "initial": [[number(1)] * rng.randint(0, 1) for _ in range(ports)] if ports < 5 else [],
    }


def both(given: dict[str, Any]) -> tuple[PacketRun, PacketRun]:
    return run_packets(**given), run_packets(**given, engine="native")


@pytest.mark.parametrize("number", [F, float])
@pytest.mark.parametrize("name", ["dt", "edt"])
def test_every_packet_meets_the_same_fate_as_in_python(name: str, number: Any) -> None:
    rng, seen = random.Random(1), Counter[tuple[str, bool]]()
    for _ in range(150):
        given = case(rng, number, name)
        python, native = both(given)
        assert native == python
        assert [(lost.time, lost.burst) for lost in native.lost] == [(lost.time, lost.burst) for lost in python.lost]
        seen[native.engine, bool(native.lost)] += 1
        if name == "edt":
            plain = run_packets(**given | {"policy": DT(given["policy"].alpha)}, engine="native")
            seen["otherwise than DT", plain != native] += 1
    assert seen["native core", True] > 100
    assert seen["native core", False] > 2
    assert name == "dt" or seen["otherwise than DT", True] > 50


CELLS = ((F(1),), (F(1), F(2), F(3)), (F(1), F(8)), (F(1, 2), F(1, 3), F(5)), (F(1, 10), F(1, 5), F(3, 10)))


def crowd(rng: random.Random, number: Any) -> dict[str, Any]:
    """Draw a switch of up to 64 ports, a few of them busy, with equal packets or several small ones for a large one."""
    ports, sizes = rng.choice((1, 2, 3, 4, 8, 64, rng.randint(1, 64))), rng.choice(CELLS)
    buffer = max(F(rng.choice((1, 2, 3, 5, 9, 16, 30))), *sizes)
    gaps = rng.choice(((F(0),), (F(0), F(0), F(1)), (F(0), F(1, 2), F(1, 3)), (F(0),) * 9 + (F(2), F(40), F(5, 7))))
    busy = rng.sample(range(ports), max(1, ports // rng.choice((1, 1, 2, 4))))
    streams, now = [list[Any]() for _ in range(ports)], F(0)
    for record in range(rng.randint(1, 60 if ports < 9 else 160)):
        now += rng.choice(gaps)
        port = rng.choice(busy) if rng.random() < 0.8 else rng.randrange(ports)
        streams[port].append((number(now), number(rng.choice(sizes)), rng.choice((None, record))))
    held = [list[Any]() for _ in range(ports)]
    for _ in range(int(buffer / max(sizes)) - 1 if rng.random() < 0.4 else 0):
        rng.choice(held).append(number(max(sizes)))
    speeds = rng.choice(((F(1),), (F(1, 100),), (F(1), F(2), F(1, 2), F(1, 3), F(1, 50))))
    rates = [number(rng.choice(speeds)) for _ in range(ports)]
    until = number(rng.choice((F(0), F(3), F(50), F(1000))))
    return {"buffer": number(buffer), "rates": rates, "streams": streams, "initial": held, "until": until}


class Watched:
    """LQD in Python with the events of its search for victims."""

    def __init__(self) -> None:
        self.seen, self.last = set[str](), list[Any]()

    def admission(self, *given: Any) -> Admission:
        made = LQD().admission(*given)
        find = made.victim

        def victim(port: int, size: Any, lengths: Any, candidates: Any) -> int | None:
            found = find(port, size, lengths, candidates)
            again, self.last = lengths is self.last, lengths
            self.seen.add(f"{'another' if again else 'one'} {'not ' if found is None else ''}found")
            if found is not None and [lengths[k] for k in candidates].count(lengths[found]) > 1:
                self.seen.add("a tie")
            if found is None and max(lengths) == lengths[port] + size:
                self.seen.add("a tie with its own")
            return found

        made.victim = victim  # type: ignore[method-assign]  # as it is, and watched
        return made


@pytest.mark.parametrize("traces", [200, pytest.param(20_000, marks=pytest.mark.exhaustive)])
def test_the_longest_queue_loses_the_same_packets_as_in_python(traces: int) -> None:
    rng, seen = random.Random(traces), Counter[Any]()
    for _ in range(traces):
        given, watched = crowd(rng, rng.choice((F, float))), Watched()
        for policy in (watched, CompleteSharing()):
            python = run_packets(**given, policy=policy)
            native = run_packets(**given, policy=LQD() if policy is watched else policy, engine="native")
            assert (native, native.engine) == (python, "native core")
        seen.update(watched.seen)
    assert len(seen) == 6
    assert min(seen.values()) > traces // 20


def pushed(sizes: str, buffer: int, arrivals: list[tuple[int, int]]) -> list[tuple[Any, ...]]:
    """Return port, record, size and free buffer of each loss of LQD; `sizes` are held, those of each port in a word."""
    rates, initial = [F(1)] * len(sizes.split()), [[F(size) for size in word.strip("-")] for word in sizes.split()]
    streams: list[Any] = [[] for _ in rates]
    for record, (port, size) in enumerate(arrivals):
        streams[port].append((F(0), F(size), record))
    given = {"buffer": F(buffer), "rates": rates, "policy": LQD(), "streams": streams, "until": F(0)}
    python, native = both(given | {"initial": initial})
    assert (native, native.engine) == (python, "native core")
    return [(lost.port, lost.burst, lost.size, lost.free) for lost in native.lost]


def test_of_equal_queues_the_first_loses_its_last_packet() -> None:
    assert pushed("- 111 111", 6, [(0, 1)]) == [(1, None, 1, 1)]
    assert pushed("- 112 121", 8, [(0, 1), (0, 1), (0, 1)])[:2] == [(1, None, 2, 2), (2, None, 1, 1)]


def test_a_packet_of_a_queue_as_long_as_the_longest_is_lost_itself() -> None:
    assert pushed("11 111", 5, [(0, 1)]) == [(0, 0, 1, 0)]
    assert pushed("11 1111", 6, [(0, 1)]) == [(1, None, 1, 1)]


def test_the_packet_in_transmission_is_not_pushed_out() -> None:
    assert pushed("- 9 11", 11, [(0, 1)]) == [(2, None, 1, 1)]
    assert pushed("- 9 1", 10, [(0, 1)]) == [(0, 0, 1, 0)]


def test_nothing_is_pushed_out_for_a_packet_that_would_not_fit_even_then() -> None:
    """For one of 3 bytes two would leave its own queue the longest; one of 2 bytes at five others pushes out two."""
    assert pushed("- 1111 -", 4, [(0, 3)]) == [(0, 0, 3, 0)]
    assert pushed("- 1111 -", 4, [(0, 3), (2, 1), (2, 1)]) == [(0, 0, 3, 0), *[(1, None, 1, 1)] * 2]
    assert pushed("- 11111 -", 5, [(0, 2)]) == [(1, None, 1, 1), (1, None, 1, 2)]


def test_no_rounding_of_a_length_closes_a_queue_without_a_threshold() -> None:
    """A queue of 1 - 2^-53 and 2^-54 bytes is as long as the buffer in floats, in which 2^-54 bytes are free."""
    stream = [(0.0, size, None) for size in (1 - 2**-53, 2**-54, 2**-54)]
    for policy in (LQD(), CompleteSharing()):
        given = {"buffer": 1.0, "rates": [1.0], "policy": policy, "streams": [stream], "until": 0.0}
        python, native = both(given)
        assert (native, native.engine, native.lost) == (python, "native core", [])


def test_a_departure_makes_room_for_the_packet_that_arrives_at_its_instant() -> None:
    given = {"buffer": F(1), "rates": [F(1), F(1)], "policy": DT(9), "until": F(9)}
    _, native = both(given | {"streams": [[(F(0), F(1), None), (F(1), F(1), None)], []]})
    assert (native.engine, native.lost, native.sent) == ("native core", [], [2, 0])
    _, native = both(given | {"streams": [[(F(1), F(1), None)], [(F(1), F(1), None), (F(2), F(1), None)]]})
    assert [(lost.time, lost.port, lost.free) for lost in native.lost] == [(1, 1, 0)]


def test_tm1_begins_anew_when_a_port_is_controlled_again() -> None:
    """Two packets make the port uncontrolled until TM2 ends at 1; the third starts TM1 at 6, not to expire before 14.

    So the fourth reaches cn2 at 9, and the fifth enters a queue of 4 beside 8 free, where DT with 1/2 has no room.
    """
    given = {"buffer": F(12), "rates": [F(1, 100)], "policy": EDT(F(1, 2), F(2), 8, 1), "until": F(99)}
    stream = [(time, F(1), None) for time in (F(0), F(0), F(6), F(9), F(9))]
    python, native = both(given | {"streams": [stream]})
    assert (native, native.engine, native.lost) == (python, "native core", [])


def test_packets_that_depart_together_do_so_in_the_order_of_ports() -> None:
    """Sums of floats round differently in another order, and the packet of 9 bytes at last says what is free then."""
    rng = random.Random(6)
    for _ in range(20):
        sizes = [rng.random() for _ in range(6)]
        streams = [[(0.0, size, None)] for size in sizes]
        given = {"buffer": 9.0, "rates": sizes, "policy": DT(9), "until": 9.0}
        streams[0] += [(1.0, 0.5, None), (1.0, 9.0, None)]
        python, native = both(given | {"streams": streams})
        assert (native, native.engine, len(native.lost)) == (python, "native core", 1)


def test_streams_that_share_a_generator_are_read_in_the_same_order() -> None:
    def streams() -> list[Any]:
        rng = random.Random(3)
        return [poisson(2e3, 10.0, rng, stop=5.0) for _ in range(3)]

    given = {"buffer": 99.0, "rates": [1e3] * 3, "policy": DT(F(1, 3)), "until": 4.0}
    python = run_packets(**given, streams=streams())
    native = run_packets(**given, streams=streams(), engine="native")
    assert native.engine == "native core"
    assert native == python
    assert len(python.lost) > 100


PLAIN: dict[str, Any] = {
    "buffer": F(9), "rates": [F(1)], "policy": DT(1), "until": F(9),
    "streams": [[(F(0), F(1), None), (F(1), F(8), None)]],
}  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"policy": Occamy()}, "policy"),
        ({"account": lambda _: 1}, "counts bytes"),
        ({"policy": EDT(1, F(1, 10**19)), "rates": [F(1, 10**18)]}, "too large"),
        ({"sample": 1}, "samples"),
        ({"buffer": 9}, "neither all floats nor all fractions"),
        ({"buffer": 9.0}, "neither all floats nor all fractions"),
        ({"rates": [1]}, "neither all floats nor all fractions"),
        ({"until": F(-1)}, "before it begins"),
        ({"streams": [[(F(-1), F(1), None)]]}, "before time 0"),
        ({"streams": [[(F(1), F(1), None), (F(0), F(1), None)]]}, "before time 0 or out of order"),
        ({"streams": [[(F(1), F(0), None)]]}, "no bytes"),
        ({"initial": [[F(9), F(1)]]}, "do not fit"),
        ({"streams": [[(F(1, 10**19), F(1), None)]]}, "too large"),
        ({"streams": [[(F(1, 3**20), F(1), None), (F(1, 2**31), F(1), None)]]}, "too large"),
        ({"policy": DT(F(1, 10**19))}, "too large"),
        ({"rates": [F(1, 10**19)]}, "too large"),
    ],
)
def test_what_the_core_does_not_compute_runs_in_python_which_says_why(changes: dict[str, Any], why: str) -> None:
    python, native = both(PLAIN | changes)
    assert native == python
    assert native.engine.startswith("Python (")
    assert why in native.engine
    assert python.engine == "Python"


def test_a_policy_with_a_past_runs_in_python_and_is_changed_by_it() -> None:
    given = PLAIN | {"policy": EDT(1, 1).admission(1, F(9), lambda size: size)}
    native = run_packets(**given, engine="native")
    assert "changes no admission object" in native.engine
    assert given["policy"].form() is None
    for reading in set(READINGS) - {"circuit"}:
        assert EdtPolicy(CircuitSettings(F(1), 3, F(1), None, None, READINGS[reading]), 1, F(9)).form() is None


def test_a_packet_that_is_larger_than_the_buffer_is_refused_alike() -> None:
    for engine in ("python", "native"):
        with pytest.raises(InputError, match="no larger than the buffer"):
            run_packets(**PLAIN | {"streams": [[(F(0), F(10), None)]]}, engine=engine)
    with pytest.raises(InputError, match="engine"):
        run_packets(**PLAIN, engine="other")


def test_the_last_instants_that_fit_are_run_and_the_next_are_left_to_python() -> None:
    for tick, engine in ((2**60, "native core"), (2**61, "Python")):
        given = PLAIN | {"streams": [[(F(1), F(1), None), (F(3, 2), F(1), None)]], "rates": [F(tick)]}
        _, native = both(given)
        assert native == run_packets(**given)
        assert native.engine.startswith(engine)


def test_no_float_that_is_out_of_bounds_reaches_the_core() -> None:
    for changes in ({"rates": [1e-300]}, {"rates": [0.5], "streams": [[(inf, 1.0, None)]], "until": inf}):
        given = {
            "buffer": 9.0,
            "rates": [1.0],
            "policy": DT(1),
            "until": 9.0,
            "streams": [[(0.0, 1.0, None)]],
        } | changes
        python, native = both(given)
        assert native == python
        assert "too large" in native.engine


def test_streams_that_were_looked_at_are_given_back_whole() -> None:
    rng = random.Random(5)
    for _ in range(50):
        given = case(rng, F)
        merged = MergedStreams([iter(stream) for stream in given["streams"]], given["until"])
        assert [packet[:2] for packet in merged.packets] == sorted(
            (time, port)
            for port, stream in enumerate(given["streams"])
            for time, _, _ in stream
            if time <= given["until"]
        )
        assert [[*stream] for stream in merged.streams()] == given["streams"]


def switch(buffer: Any = 9.0, form: PacketForm | None = None, **scale: int) -> PacketSwitch:
    number = F if scale else float
    return PacketSwitch(number(buffer), [number(1)], form or PacketForm((Threshold(number(1), number(0)),)), **scale)


@pytest.mark.parametrize(
    ("columns", "field"),
    [
        (([0.0], [1], [1.0]), "port"),
        (([0.0], [-1], [1.0]), "port"),
        (([0.0], [0], [0.0]), "size"),
        (([0.0], [0], [nan]), "size"),
        (([0.0], [0], [inf]), "size"),
        (([0.0], [0], [9.5]), "size"),
        (([nan], [0], [1.0]), "time"),
        (([inf], [0], [1.0]), "time"),
        (([-1.0], [0], [1.0]), "time"),
        (([1.0, 0.5], [0, 0], [1.0, 1.0]), "time"),
        (([0.0], [0, 0], [1.0]), "records"),
        (([[0.0]], [[0]], [[1.0]]), "records"),
    ],
)
def test_the_boundary_names_what_is_wrong_with_a_packet(columns: Any, field: str) -> None:
    with refused(field):
        switch().feed(*columns, [0] * len(columns[0]))


def test_the_boundary_refuses_what_would_overflow() -> None:
    one = switch(LARGEST, unit=1, tick=1)
    with pytest.raises(InputError, match="fit into"):
        one.feed([LARGEST], [0], [LARGEST], [0])
    late = switch(LARGEST, PacketForm((Threshold(F(9)),)), unit=1, tick=1)
    with refused("time"):
        late.feed([2**60] * 2, [0, 0], [2**60, 1], [0, 1], until=LARGEST)
    many = switch(LARGEST, PacketForm((Threshold(F(0)),)), unit=1, tick=1)
    with pytest.raises(InputError, match="fit into"):
        many.feed([0] * 4, [0] * 4, [LARGEST] * 4, [0] * 4)
    for wrong in (PacketForm((Threshold(F(1, 3 * LARGEST)),)), PacketForm((Threshold(F(1, 3 * LARGEST), F(1, 3)),))):
        with pytest.raises(ArithmeticError):
            switch(9, wrong, unit=1, tick=1)
    for rate in (0.0, nan, -1.0, 1e302):
        with pytest.raises(ArithmeticError):
            PacketSwitch(9.0, [rate], PacketForm((Threshold(1.0),)))  # type: ignore[arg-type]  # the core's are floats
    with pytest.raises(InputError, match="one for each"):
        PacketSwitch(9.0, [1.0, 1.0], PacketForm((Threshold(1.0),)))  # type: ignore[arg-type]  # as above
    with refused("initial"):
        switch().feed([0.0, 0.0], [0, 0], [9.0, 0.5], [0, 1], held=True)


def test_forms_that_do_not_fit_together_make_no_switch() -> None:
    """Random counts, flags and numbers: the core says no, or makes a switch that takes a packet or refuses it."""
    rng, library, made = random.Random(2), loaded()[0], 0
    for _ in range(2000):
        ports, whole = rng.choice((-1, 0, 1, 1, 2, 2**40)), rng.randint(0, 1)
        count = 4 + 4 * ports if rng.random() < 0.9 and 0 < ports < 9 else rng.randint(-1, 12)
        values = [rng.choice((1.0, 5.0, 2.0, *([0.0, -1.0, nan, inf, 1e-320] if rng.random() < 0.1 else [3.0])))
                  for _ in range(12)]  # fmt: skip
        numbers = np.array([value if isfinite(value) else 0 for value in values], np.int64)
        given = numbers if whole else np.array(values)
        fields = [("a", ctypes.c_int64 * 3), ("b", ctypes.c_int32 * 3), ("c", ctypes.c_void_p)]
        form = type("Form", (ctypes.Structure,), {"_fields_": fields})(
            (ctypes.c_int64 * 3)(ports, count, rng.randint(-1, 2)),
            (ctypes.c_int32 * 3)(whole, rng.randint(0, 1), rng.randint(0, 1)),
            given.ctypes.data,
        )
        handle = library.dtmodel_switch_make(ctypes.byref(form))
        if handle:
            assert count == 4 + 4 * ports
            one = switch()
            one._made, one.ports, kept = handle, ports, one._made
            one._type, one._whole = (np.int64, True) if whole else (np.float64, False)
            with suppress(InputError):
                one.feed([0, 1, 2], [0, 0, 0], [1, 1, 5], [0, 1, 2])
            assert len(one.tallies()) == ports
            library.dtmodel_switch_forget(handle)
            one._made, made = kept, made + 1
    assert 100 < made < 1900


def test_static_thresholds_are_known_and_those_with_a_memory_are_not() -> None:
    assert StaticPartition((3, 4)).admission(2, F(9), lambda size: size).form() == PacketForm(
        (Threshold(F(0), F(3)), Threshold(F(0), F(4)))
    )
    rng = random.Random(4)
    for _ in range(20):
        given = case(rng, F)
        sizes = [F(rng.randint(6, 9), 2)] * len(given["rates"])
        python, native = both(given | {"policy": StaticPartition(sizes), "buffer": sum(sizes)})
        assert native == python
