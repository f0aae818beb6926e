"""The explorer: shortest runs, proofs by exhaustion, bounds, stopping, symmetry, and lassos."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtmodel.modelcheck import SearchOutcome, always, explore, reachable_graph, shortest_lasso
from dtmodel.packet.dynaq.algorithm import DynaQ
from dtmodel.packet.dynaq.states import AnyOrder, Scheduled, as_events
from dtmodel.packet.schedulers import WeightedRoundRobin


class Graph:
    """A system given by its edges."""

    def __init__(self, edges, start=0):
        self.edges, self.start = edges, start

    def initial(self):
        return [self.start]

    def successors(self, state):
        return [((a, b), b) for a, b in self.edges if a == state]


class Tokens:
    """Three interchangeable cells that count to 3: symmetric under every permutation."""

    def initial(self):
        return [(0, 0, 0)]

    def successors(self, state):
        for i, n in enumerate(state):
            if n < 3:
                yield f"cell {i}", (*state[:i], n + 1, *state[i + 1 :])

    def canonical(self, state):
        return tuple(sorted(state))


class Plain(Tokens):
    def canonical(self, state):
        return state


def anything(*_):
    return True


EDGES = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=24)


def distances(edges):
    found = {0: 0}
    for step in range(1, 9):
        found.update({b: step for a, b in edges if found.get(a) == step - 1 and b not in found})
    return found


@given(EDGES, st.integers(0, 7))
def test_a_found_state_is_at_its_distance_and_an_absent_one_is_proved_absent(edges, goal):
    result = explore(Graph(edges), lambda state: state == goal)
    expected = distances(edges)
    if goal in expected:
        assert result.outcome is SearchOutcome.FOUND
        assert len(result.found) == expected[goal]
        assert result.found.states[0] == 0
        assert result.found.states[-1] == goal
        assert all(step in edges for step in result.found.labels)
    else:
        assert result.complete
        assert result.states == len(expected)


def test_every_state_is_visited_once_and_every_step_counted():
    result = explore(Plain())
    assert (result.states, result.steps, result.depth) == (64, 3 * 48, 9)


def test_symmetric_states_are_visited_once_and_runs_are_lifted_to_the_system_itself():
    result = explore(Tokens(), lambda state: state == (1, 2, 3))
    assert result.found.states[-1] in set(itertools.permutations((1, 2, 3)))
    state = result.found.states[0]
    for label, following in zip(result.found.labels, result.found.states[1:], strict=True):
        assert (label, following) in list(Tokens().successors(state))
        state = following
    assert explore(Tokens()).states == 20


def test_the_bound_on_states_is_kept_and_reported():
    result = explore(Plain(), bound=10)
    assert result.outcome is SearchOutcome.BOUND
    assert result.states == 10
    assert not result.complete
    assert result.depth < 9


def test_progress_is_reported_and_can_stop_the_exploration():
    seen = []

    def progress(report):
        seen.append(report)
        return len(seen) < 3

    result = explore(Plain(), progress=progress, every=5)
    assert result.outcome is SearchOutcome.STOPPED
    assert [report.states for report in seen] == [5, 10, 15]
    assert result.states == 15


def test_an_interrupt_stops_and_says_how_far_it_came():
    def find(state):
        if sum(state) == 2:
            raise KeyboardInterrupt
        return False

    result = explore(Plain(), find)
    assert result.outcome is SearchOutcome.STOPPED
    assert result.states > 3


def test_the_memory_of_a_state_is_reported():
    assert 50 < explore(Plain()).bytes_per_state < 1000


def test_an_invariant_is_proved_or_refuted_and_never_left_open():
    assert always(Plain(), lambda state: sum(state) <= 9).complete
    assert len(always(Plain(), lambda state: sum(state) < 4).found) == 4
    with pytest.raises(MemoryError):
        always(Plain(), anything, bound=5)
    with pytest.raises(MemoryError):
        reachable_graph(Plain(), bound=5)


def cycles(edges, start):
    """All simple cycles of a small graph through `start`, by brute force."""
    inner = [[start]]
    while inner:
        path = inner.pop()
        for a, b in edges:
            if a != path[-1]:
                continue
            if b == start:
                yield [*path, b]
            elif b not in path:
                inner.append([*path, b])


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=10, unique=True))
def test_the_shortest_lasso_is_the_shortest(edges):
    lasso = shortest_lasso(reachable_graph(Graph(edges)), anything)
    reached = distances(edges)
    lengths = [reached[s] + len(c) - 1 for s in reached for c in cycles(edges, s)]
    if lasso is None:
        assert not lengths
    else:
        assert len(lasso.stem) + len(lasso.cycle) == min(lengths)
        assert lasso.stem.states[-1] == lasso.cycle.states[0] == lasso.cycle.states[-1]


@given(
    st.dictionaries(st.tuples(st.integers(0, 4), st.integers(0, 4)), st.integers(-2, 2), max_size=9),
    st.sets(st.integers(0, 4)),
)
def test_a_weighted_lasso_is_negative_allowed_and_shortest(weights, forbidden):
    edges = list(weights)
    graph = reachable_graph(Graph(edges))
    lasso = shortest_lasso(graph, lambda *step: step[2] not in forbidden, lambda *step: weights[step[1]], longest=10)
    kept = [edge for edge in edges if edge[1] not in forbidden]
    reached = distances(edges)
    good = [
        reached[s] + len(c) - 1
        for s in reached
        for c in cycles(kept, s)
        if sum(weights[step] for step in itertools.pairwise(c)) < 0
    ]
    if lasso is None:
        assert not good
    else:
        assert sum(weights[label] for label in lasso.cycle.labels) < 0
        assert not forbidden & set(lasso.cycle.states)
        assert len(lasso.stem) + len(lasso.cycle) <= min(good, default=99)


def test_the_rounds_of_a_lasso_are_written_out():
    lasso = shortest_lasso(reachable_graph(Graph([(0, 1), (1, 2), (2, 1)])), anything)
    assert lasso.labels(2) == ((0, 1), (1, 2), (2, 1), (1, 2), (2, 1))


def test_a_dynaq_port_in_any_order_contains_the_scheduled_port():
    rules = DynaQ(3, (1, 1))
    wide = set(reachable_graph(AnyOrder(rules, (1,))).steps)
    narrow = {state.port for state in reachable_graph(Scheduled(rules, (1,), WeightedRoundRobin((1, 1)))).steps}
    assert narrow <= wide


def test_busy_queues_never_run_empty_and_silent_ones_stay_empty():
    graph = reachable_graph(AnyOrder(DynaQ(4, (1, 1, 1, 1)), (1,), busy=(0,), silent=(3,)))
    assert all(state.contents[0] and not state.contents[3] for state in graph.steps)


def test_labels_are_written_as_trace_events():
    assert as_events([("arrive", 1, 3), ("depart", 0), ("depart", None)]) == [
        ["arrive", None, 2, 3],
        ["depart", None, 1],
    ]


@pytest.mark.exhaustive
def test_a_million_states_are_explored():
    result = explore(AnyOrder(DynaQ(16, (1, 1, 1)), (1, 2)), lambda state: sum(state.thresholds) != 16)
    assert result.states >= 1_000_000
