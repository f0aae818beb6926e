"""Trees of limits in the fluid engine: against the engine of one level, a second implementation and whole packets."""

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from fluid_cases import document
from reference_hierarchy import Tree
from refusals import refused

from dtmodel import Arrivals, Switch, simulate
from dtmodel.fluid import answer, run_scenario
from dtmodel.fluid.scenario import Scenario
from dtmodel.policies import DT, CompleteSharing, Hierarchy, Share, SharedPools, StaticPartition
from dtmodel.strategies.scenario_generator import draw_scenario

F = Fraction


def random_share(rng: random.Random, static: float = 0.2) -> dict[str, Any]:
    alpha = None if rng.random() < static else F(rng.choice([1, 1, 2, 4, 8, 0]), rng.choice([1, 2, 4]))
    cap = F(rng.randint(1, 12), 2) if rng.random() < (0.6 if alpha is None else 0.3) else None
    return {"alpha": alpha, "cap": cap, "reserve": F(rng.choice([0, 0, 1, 2]), 2)}


def random_case(rng: random.Random) -> tuple[dict[str, Any], bool, list[Any], list[Any]]:
    """One pool with queues and ports of queues; levels, rates and times from few values, so that they tie."""
    nested, children, queues = rng.random() < 0.5, [], 0
    for _ in range(rng.randint(1, 3)):
        node = random_share(rng)
        if rng.random() < 0.7:
            static = 1.0 if nested and node["alpha"] in (None, 0) else 0.2
            node["children"] = [random_share(rng, static) for _ in range(rng.randint(1, 2))]
        for leaf in node.get("children", [node]):
            leaf["queue"], queues = queues, queues + 1
        children.append(node)
    rates = [F(rng.randint(1, 3), 2) for _ in range(queues)]
    offers = []
    for _ in range(queues):
        times = sorted(rng.sample(range(10), rng.randint(1, 3)))
        offers.append([(F(t), F(rng.randint(0, 8), 2)) for t in times])
    return {"size": F(rng.randint(0, 8)), "children": children}, nested, rates, offers


def share_of(node: dict[str, Any], parent: str) -> Share:
    alpha = "inf" if node["alpha"] is None else node["alpha"]
    return Share(alpha, node["reserve"], node["cap"], parent)


def policy_of(pool: dict[str, Any], nested: bool) -> Hierarchy:
    groups, limits = {}, []
    for number, node in enumerate(pool["children"]):
        if "children" in node:
            groups[f"port {number}"] = share_of(node, "pool")
        limits += [
            share_of(leaf, f"port {number}" if leaf is not node else "pool") for leaf in node.get("children", [node])
        ]
    return Hierarchy(limits, groups, {"pool": pool["size"]}, "parent" if nested else "pool")


def as_defined(pool: dict[str, Any]) -> dict[str, Any]:
    """The same tree with alpha 0 as a limit of 0."""
    for node in pool["children"]:
        for each in (node, *node.get("children", ())):
            if each["alpha"] == 0:
                each["alpha"], each["cap"] = None, F(0)
    return pool


def check_case(seed: int) -> None:
    pool, nested, rates, offers = random_case(random.Random(seed))
    n = len(rates)
    arrivals = {i: Arrivals([(t, r) for t, r in offer]) for i, offer in enumerate(offers)}
    run = simulate(Switch(n, 99, 1), policy_of(pool, nested), arrivals, until=12, rates=dict(enumerate(rates)))
    samples = [F(k, 3) for k in range(36)]
    first, dropped, rows = Tree(as_defined(pool), nested, rates, offers, [F(0)] * n).run(F(12), samples)
    assert [run.first_drop(i) for i in range(n)] == first, seed
    assert [run.dropped(i) for i in range(n)] == dropped, seed
    assert all([run.queue(i).at(t) for i in range(n)] == rows[t] for t in samples), seed
    for i in range(n):
        assert arrivals[i].offered(F(12)) == run.dropped(i) + run.drained(i) + run.queue(i).at(F(12)), seed


SEEDS = (
    *range(10), 12, 27, 80, 89, 17, 30, 37, 40, 45, 49, 50, 56, 64, 67, 68, 73, 93, 96, 121, 123, 124, 130, 133, 139,
    152, 161, 164, 169, 171, 174, 183, 185, 191, 205, 206, 214, 235, 238, 241, 243, 246, 249, 256, 257, 281, 284, 291,
    295, 298,
)  # fmt: skip
"""Some trees; two in which a cap is met from below, two in which a reserve of a full group is refilled (12 to 89), and
those in which a full group or pool, also one of 0 bytes, admits nothing, or a reserve above a queue is used in part."""


@pytest.mark.parametrize(
    "seeds", [SEEDS, pytest.param(range(2_000), marks=pytest.mark.exhaustive)], ids=["some", "all"]
)
def test_random_trees_agree_with_a_second_implementation(seeds: Sequence[int]) -> None:
    for seed in seeds:
        check_case(seed)


def agree(flat: Scenario, policy: Hierarchy) -> None:
    """Lengths, losses, thresholds and the free buffer of both engines are equal at every instant at which they turn."""
    tree = Scenario(flat.id, flat.switch, policy, flat.queues, flat.until)
    one, other = run_scenario(flat, Fraction), run_scenario(tree, Fraction)
    times = {*one.free.times, *other.free.times}
    for mine, its in zip(one.queues, other.queues, strict=True):
        for time in sorted(times.union(mine.breakpoints, its.breakpoints)):
            assert mine.at(time) == its.at(time), time
            assert (mine.dropped(time), mine.drained(time)) == (its.dropped(time), its.drained(time)), time
            assert one.free.at(time) == other.free.at(time), time
            assert mine.threshold_at(time) == its.threshold_at(time) or type(flat.policy) is CompleteSharing, time
        assert mine.first_drop == its.first_drop


def one_level(flat: Scenario, follows: str) -> Hierarchy:
    """The tree of one level that has the limits of a policy."""
    policy, n = flat.policy, len(flat.queues)
    if isinstance(policy, DT):
        return Hierarchy([Share(alpha) for alpha in policy.each("alpha", n)], follows=follows)
    if isinstance(policy, StaticPartition):
        return Hierarchy([Share(cap=size) for size in policy.sizes[:n]], follows=follows)
    if isinstance(policy, SharedPools):
        pools = {f"pool {i}": pool.size for i, pool in enumerate(policy.pools or ())}
        over = {queue: f"pool {i}" for i, pool in enumerate(policy.pools or ()) for queue in pool.queues}
        alphas = ["inf" if own.alpha is None else own.alpha for own in policy.limits]
        limits = [Share(alphas[i], own.reserved, own.cap, over.get(i)) for i, own in enumerate(policy.limits)]
        return Hierarchy(limits, None, pools or None, follows)
    return Hierarchy([Share("inf")] * n, follows=follows)


@pytest.mark.parametrize("seeds", [12, pytest.param(400, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("name", ["dt", "static", "pools", "complete"])
def test_a_tree_of_one_level_is_the_policy_without_levels(name: str, seeds: int) -> None:
    for seed in range(seeds):
        flat = Scenario.read(draw_scenario(random.Random(seed), name))
        if len(flat.queues) < 9:
            agree(flat, one_level(flat, ("parent", "pool")[seed % 2]))


def test_a_port_whose_factor_is_one_more_than_that_of_its_queue_changes_nothing() -> None:
    arrivals = {i: Arrivals.burst(2 + i, 7, i) for i in range(3)}
    limits, ports = [Share(2, parent=f"port {i}") for i in range(3)], {f"port {i}": Share(3) for i in range(3)}
    run = simulate(Switch(3, 60, 1), Hierarchy(limits, ports), arrivals, until=40)
    flat = simulate(Switch(3, 60, 1), DT(2), arrivals, until=40)
    assert [run.first_drop(i) for i in range(3)] == [flat.first_drop(i) for i in range(3)]


def test_queues_on_their_thresholds_at_the_start_share_as_their_levels_say() -> None:
    """Two queues of one port, p = 1 in a port of a = 2: A = 2 * 2 / 3 of the free buffer together."""
    ports = {"port": Share(2), "alone": Share(1)}
    policy = Hierarchy([Share(1, parent="port"), Share(1, parent="port"), Share(1, parent="alone")], ports)
    run = simulate(Switch(3, 68, 1), policy, {i: Arrivals.constant(4) for i in range(3)}, until=1,
                   initial=dict.fromkeys(range(3), "steady"))  # fmt: skip
    free = F(68) / (1 + F(4, 3) + F(1, 2))
    assert run.free.at(F(0)) == run.free.at(F(1)) == free
    assert [run.queue(i).at(0) for i in range(3)] == [free * F(2, 3)] * 2 + [free / 2]


def test_queues_of_a_full_port_get_one_fraction_of_their_arrivals() -> None:
    """Limits follow the pool: the port binds before its queues, which offer 3 and 6 and send 1 each."""
    policy = Hierarchy([Share(4, parent="port")] * 2, {"port": Share(1)}, follows="pool")
    run = simulate(Switch(2, 14, 1), policy, {0: Arrivals.constant(3), 1: Arrivals.constant(6)}, until=4)
    assert [run.first_drop(i) for i in (0, 1)] == [1, 1]
    after = [run.queue(i).at(2) - run.queue(i).at(1) for i in (0, 1)]
    assert after == [F(3 * 2, 9) - 1, F(6 * 2, 9) - 1]  # the port stays at 7, so both are served what they admit


@pytest.mark.parametrize(
    ("alpha", "inside", "passed"),
    [("1", 2, "4"), ("2", 2, "4"), ("inf", 2, "8"), ("inf", 1, "8"), ("inf", 0, "8")],
)
def test_a_blocked_queue_that_fills_a_group_or_pool_leaves_nothing_to_an_empty_one(
    alpha: str, inside: int, passed: str
) -> None:
    """The blocked queue may reach its own limit at once with that of the group; whole packets say the same."""
    limits = [{"alpha": alpha} | ({"parent": "p"} if queue >= 2 - inside else {}) for queue in range(2)]
    groups = [{"name": "p", "alpha": "inf" if alpha == "inf" else "1"}] if inside else []
    policy = {"name": "hierarchy", "follows": "pool", "limits": limits, "groups": groups}
    queues = [{"arrivals": [["0", "3"]], "rate": "0"}, {"arrivals": [["0", "2"]]}]
    switch = {"ports": 2, "buffer": "12", "rate": "1"}
    assert answer(document(policy, queues, until="50", switch=switch))["drained"] == ["0", passed]


@pytest.mark.parametrize("follows", ["parent", "pool"])
def test_a_queue_without_a_limit_fills_its_pool_and_the_reserves_above_it(follows: str) -> None:
    """A pool of 2 bytes and a group with a reserve of 4: a blocked queue reaches 6, in fluid and in whole packets."""
    policy = Hierarchy([Share("inf", parent="p")], {"p": Share("inf", 4)}, {"pool": 2}, follows)
    run = simulate(Switch(1, 9, 1), policy, {0: Arrivals.constant(3)}, until=9, rates={0: 0})
    assert (run.queue(0).at(9), run.queue(0).threshold_at(F(9))) == (6, 6)
    assert packets(policy, [0], [3], 9, 1) == [6]


def test_lumped_queues_and_copies_run_alike() -> None:
    ports, three = {"port": Share(1)}, Arrivals.constant(3)
    lumped = simulate(Switch(4, 40, 1), Hierarchy([Share(2, 1, parent="port"), Share(1)], ports),
                      {0: three, 1: three}, counts={0: 3}, until=30)  # fmt: skip
    copies = simulate(Switch(4, 40, 1), Hierarchy([Share(2, 1, parent="port")] * 3 + [Share(1)], ports),
                      dict.fromkeys(range(4), three), until=30)  # fmt: skip
    assert lumped.free == copies.free
    assert [lumped.queue(0).totals, lumped.queue(1).totals] == [copies.queue(2).totals, copies.queue(3).totals]


def test_a_queue_below_a_port_without_a_limit_has_none_of_its_own() -> None:
    """Its factor multiplies the room of the port, which is endless; only the pool is full at last."""
    policy = Hierarchy([Share(1, parent="port")], {"port": Share("inf")})
    assert simulate(Switch(1, 12, 1), policy, {0: Arrivals.constant(3)}, until=9).queue(0).at(9) == 12


def packets(policy: Hierarchy, rates: list[int], offers: list[int], until: int, n: int) -> list[int]:
    """Lengths after `until` rounds, in each of which the packets of one cell come and go in mixed order."""
    admission = policy.admission(n, 6000, lambda size: size)
    admission.lengths = lengths = [0] * n
    rng = random.Random(1)
    for _ in range(until):
        events = [(i, 1) for i in range(n) for _ in range(offers[i])] + [
            (i, 0) for i in range(n) for _ in range(rates[i])
        ]
        rng.shuffle(events)
        for queue, arrives in events:
            if arrives and admission.admits(queue, lengths[queue], 0, 0):
                lengths[queue] += 1
            elif not arrives and lengths[queue]:
                lengths[queue] -= 1
    return lengths


@pytest.mark.parametrize("follows", ["parent", "pool"])
def test_packets_of_one_cell_stay_near_the_fluid(follows: str) -> None:
    """6000 cells, three ports, one of them of two queues: within 1 % of the buffer."""
    ports = {"a": Share(1), "b": Share("1/2", 100), "c": Share("inf", cap=800)}
    limits = [Share(2, parent="a"), Share(1, 50, parent="a"), Share(4, parent="b"), Share("inf", parent="c")]
    policy = Hierarchy(limits, ports, {"pool": 5800}, follows)
    rates, offers = [1, 1, 2, 1], [3, 4, 5, 3]
    arrivals = {i: Arrivals.constant(offer) for i, offer in enumerate(offers)}
    for until in (60, 150):
        run = simulate(Switch(4, 6000, 1), policy, arrivals, until=until, rates=dict(enumerate(rates)))
        whole = packets(policy, rates, offers, until, 4)
        assert all(abs(run.queue(i).at(until) - length) <= 60 for i, length in enumerate(whole)), (until, whole)


REFUSED = {
    "no such parent": ({"limits": [{"alpha": 1, "parent": "prot 0"}]}, "policy.limits[0].parent"),
    "no limit": ({"limits": [{}]}, "policy.limits[0].alpha"),
    "negative alpha": ({"limits": [{"alpha": -1}]}, "policy.limits[0].alpha"),
    "unknown key": ({"limits": [{"alpha": 1, "size": 2}]}, "policy.limits[0].size"),
    "one limit too many": ({"limits": [{"alpha": 1}] * 2}, "policy.limits"),
    "a group twice": (
        {"limits": [{"alpha": 1}], "groups": [{"name": "a", "alpha": 1}] * 2}, "policy.groups[1].name"),
    "a group like a pool": (
        {"limits": [{"alpha": 1}], "groups": [{"name": "pool", "alpha": 1}]}, "policy.groups[pool]"),
    "a later group": (
        {"limits": [{"alpha": 1}], "groups": [{"name": "a", "alpha": 1, "parent": "b"}, {"name": "b", "alpha": 1}]},
        "policy.groups[a].parent"),
    "pools and no parent": (
        {"limits": [{"alpha": 1}], "pools": [{"name": "x", "size": 1}, {"name": "y", "size": 2}]},
        "policy.limits[0].parent"),
    "pools beyond the buffer": ({"limits": [{"alpha": 1, "reserved": 50}], "pools": [{"name": "x", "size": 11}]},
                                "policy.pools"),
    "another base": ({"limits": [{"alpha": 1}], "follows": "queue"}, "policy.follows"),
    "an undetermined run": (
        {"limits": [{"alpha": 1, "parent": "a"}],
         "groups": [{"name": "a", "cap": 40}, {"name": "b", "cap": 40}]}, "policy.limits[0].alpha"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_a_tree_that_is_not_accepted_is_refused_with_the_field(case: str) -> None:
    policy, field = REFUSED[case]
    with refused(field):
        answer(document({"name": "hierarchy", **policy}, [{"arrivals": [["0", "3"]]}]))


def test_a_queue_that_its_group_keeps_from_its_limit_cannot_be_steady() -> None:
    policy = Hierarchy([Share(4, parent="port")], {"port": Share(1)}, follows="pool")
    with refused("queues[0].initial"):
        simulate(Switch(1, 60, 1), policy, {0: Arrivals.constant(3)}, until=1, initial={0: "steady"})


def test_lengths_beyond_a_slice_are_refused() -> None:
    policy = Hierarchy([Share(1, parent="a")], None, {"a": 5, "b": 50})
    with refused("queues.initial"):
        simulate(Switch(1, 60, 1), policy, {0: Arrivals.constant(3)}, until=1, initial={0: 6})


@pytest.mark.parametrize("follows", ["parent", "pool"])
def test_queues_of_a_blocked_port_that_are_filled_in_turn_take_ever_less(follows: str) -> None:
    """p = 2, a = 1: each takes p a F / (1 + p + p a)^j; where limits follow the pool, the port binds from the first."""
    policy = {"name": "hierarchy", "follows": follows, "groups": [{"name": "port", "alpha": 1}],
              "limits": [{"alpha": 2, "parent": "port"}] * 3}  # fmt: skip
    queues = [{"rate": "0", "arrivals": [[str(20 * j), "3"], [str(20 * j + 20), "0"]]} for j in range(3)]
    found = answer(document(policy, queues, until="60", sample=["60"]))
    lengths = [F(length) for length in found["queues"][0]]
    assert found["drained"] == ["0"] * 3
    assert lengths == ([60 * 2 / (F(5) ** j) for j in (1, 2, 3)] if follows == "parent" else [F(30), F(0), F(0)])


@pytest.mark.parametrize("policy", ["dt", "complete", "hierarchy"])
def test_a_blocked_port_keeps_what_it_admits(policy: str) -> None:
    rules = {"name": policy} | ({"limits": [{"alpha": 1}]} if policy == "hierarchy" else {})
    found = answer(document(rules, [{"rate": "0", "arrivals": [["0", "3"]]}], until="99", sample=["99"]))
    assert (found["drained"], found["queues"]) == (["0"], [["60" if policy == "complete" else "30"]])


def test_a_static_group_below_a_port_with_a_factor_has_no_queues_with_factors() -> None:
    rules = {"name": "hierarchy", "limits": [{"alpha": 1, "parent": "group"}],
             "groups": [{"name": "port", "alpha": 1}, {"name": "group", "cap": 9, "parent": "port"}]}  # fmt: skip
    with refused("policy.limits[0].alpha", "1"):
        answer(document(rules, [{"arrivals": [["0", "3"]]}]))
    rules["groups"][0] = {"name": "port", "cap": 9}
    assert answer(document(rules, [{"arrivals": [["0", "3"]]}], until="9"))["first_drop"] == ["9/4"]


def test_the_limits_of_ports_and_pools_are_drawn_and_hold_at_every_event() -> None:
    """The limit of port a is 2 F, that of the pool its size; a queue on its limit keeps both."""
    policy = Hierarchy([Share(1, parent="a"), Share("1/2", parent="a")], {"a": Share(2)}, {"all": 900})
    run = simulate(Switch(2, 1000, 1), policy, {0: Arrivals.constant(4), 1: Arrivals.constant(2)}, until=4000)
    assert list(run.limits) == ["all", "a"]
    assert {limit for _, limit in run.limits["all"]} == {900}
    assert all(limit == 2 * run.free.at(time) for time, limit in run.limits["a"])
    assert run.limits["a"][-1][0] == 4000
    pytest.importorskip("matplotlib")
    drawn = [line for line in run.plot().axes[0].lines if line.get_gid() == "threshold"]
    flat = [line for line in drawn if len(set(line.get_ydata())) == 1]
    assert [line.get_linestyle() for line in flat] == ["-."]
    said = {text.get_text() for text in run.plot().axes[0].texts}
    assert {"limit of all", "limit of a", "queue 0", "queue 1"} <= said
