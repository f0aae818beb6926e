"""Random experiments with few senders that react: small buffers, every transport, workload, scheduler and policy."""

from random import Random
from typing import Any

from dtmodel.network.control import CONTROLS
from dtmodel.network.experiment import NETWORK_SCHEDULERS
from dtmodel.network.transport import CONNECTIONS, SACKS
from dtmodel.packet.dynaq.algorithm import ADMISSIONS, TIE_BREAKS, VICTIMS

BUFFERS = ("6 KB", "3 KB", "20 KB", "1500 B")
DYNAQ = {"tie_break": TIE_BREAKS, "admit": ADMISSIONS, "victims": VICTIMS}


def draw_experiment(random: Random) -> dict[str, Any]:
    """Return the document of an experiment with one policy, which runs some thousand events."""
    queues = random.choice((1, 1, 2, 3))
    network = _network(random, queues)
    hosts = network["hosts"] * network.get("leaves", 1)
    rounds = queues > 1 and not network["strict"] and network["scheduler"] != "strict"
    policy = draw_network_policy(random, queues, network["strict"], rounds)
    if policy["name"] == "losspass":
        network["freed"] = "start"
    work: dict[str, Any] = {}
    for kind in random.choice((("incast",), ("poisson",), ("long",), ("incast", "poisson"), ("incast", "long"))):
        work |= _WORKLOADS[kind](random, hosts, queues)
    return {"network": network, "transport": _transport(random), "workload": work, "policies": {"P": policy}}


def draw_network_policy(random: Random, queues: int, strict: int = 0, rounds: bool = False) -> dict[str, Any]:
    """Return a policy for ports with `queues`, some of them `strict`; `rounds`: their scheduler has rounds."""
    weights = [random.choice(("1", "2", "1/3")) for _ in range(queues - strict)]
    alpha = random.choice(("1/2", "1", "3/7", "4"))
    dynaq = {key: random.choice(values) for key, values in DYNAQ.items()}
    timers = {"tm1": random.choice(("30 us", "1 ms")), "tm2": random.choice(("100 us", "10 ms"))}
    policy: dict[str, Any] = random.choice((
        {"name": "dt", "alpha": alpha},
        {"name": "edt", "alpha": alpha, "cn1": random.choice((1, 3)), "cn2": random.choice((1500, "6 KB")), **timers},
        {"name": "complete"},
        {"name": "lqd"},
        {"name": "occamy", "alpha": alpha},
        {"name": "best-effort"},
        {"name": "pql", "weights": weights, "strict": strict},
        {"name": "dynaq", "weights": weights, "strict": strict, **dynaq},
        {"name": "port-dt", "alpha": alpha, "evict": queues == 2 and random.random() < 0.7},
        {"name": "losspass", "reserve_large": random.choice((0, 3000))} if queues == 2 else {"name": "pql"},
    ))  # fmt: skip
    for name, values in (("mark", (1500, 3000, 9000)), ("mark_port", (3000, 9000)), ("mark_after", ("10 us", "60 us"))):
        if random.random() < 0.3:
            policy[name] = random.choice(values)
    if {"mark", "mark_port"} <= {*policy} and policy["name"] != "losspass":
        policy["mark_both"] = random.random() < 0.5
    if rounds and random.random() < 0.5:
        policy["mark_rounds"] = random.choice(("12 us", "60 us"))
    return policy | ({"queue": random.randrange(queues)} if random.random() < 0.1 else {})


def _network(random: Random, queues: int) -> dict[str, Any]:
    strict = random.choice((0, 0, queues - 1))
    network = {
        "hosts": random.choice((2, 3, 4)), "rate": random.choice(("1 Gbps", "10 Gbps", 125_000_001)),
        "round_trip": random.choice(("120 us", "500 us")), "buffer": random.choice(BUFFERS),
        "jitter": random.choice((0, "1 ns", "2 us")), "freed": random.choice(("start", "end")), "queues": queues,
        "scheduler": random.choice(NETWORK_SCHEDULERS), "strict": strict,
        "weights": [random.choice((1, 2)) for _ in range(queues - strict)],
    }  # fmt: skip
    if random.random() < 0.4:
        network |= {
            "topology": "leaf-spine", "leaves": random.choice((2, 3)), "spines": random.choice((1, 2)),
            "uplink": random.choice(("10 Gbps", "40 Gbps")),
        }  # fmt: skip
    return network


def _transport(random: Random) -> dict[str, Any]:
    return {
        "control": random.choice(CONTROLS), "sack": random.choice(SACKS),
        "initial_window": random.choice((1, 3, 10)), "min_rto": random.choice(("10 ms", "1 ms")),
        "delayed_ack": random.random() < 0.3, "connections": random.choice(CONNECTIONS),
        "syn_timeout": random.choice(("20 ms", "400 us")),
        "handshake_sample": random.random() < 0.3, "segment": random.choice((1460, 1460, 500)),
    }  # fmt: skip


def _incast(random: Random, hosts: int, queues: int) -> dict[str, Any]:
    return {"incast": {
        "servers": random.randint(1, hosts - 1), "client": random.randrange(hosts), "queue": random.randrange(queues),
        "size": random.choice((9_000, 1, 1460, 20_000)), "queries": random.randint(1, 2),
        "threads": random.choice((1, 2)), "gap": random.choice((0, "1 ms")),
    }}  # fmt: skip


def _poisson(random: Random, hosts: int, queues: int) -> dict[str, Any]:
    poisson: dict[str, Any] = {
        "sizes": [[100, 0], [3000, "1/2"], [30_000, 1]], "load": random.choice(("1/4", "9/10")),
        "flows": random.randint(1, 6), "queue": random.randrange(queues),
    }  # fmt: skip
    if random.random() < 0.5:
        poisson["target"] = random.randrange(hosts)
    if queues > 1 and random.random() < 0.5:
        poisson["demote"] = [2000 * (place + 1) for place in range(queues - 1)]
    if random.random() < 0.3:
        poisson["services"] = [random.randrange(queues) for _ in range(2)]
    return {"poisson": poisson}


def _long(random: Random, hosts: int, queues: int) -> dict[str, Any]:
    def group() -> dict[str, Any]:
        source = random.randrange(hosts)
        target = (source + random.randint(1, hosts - 1)) % hosts
        flow: dict[str, Any] = {"source": source, "target": target, "flows": random.choice((1, 2))}
        flow |= {"queue": random.randrange(queues), "start": random.choice((0, "500 us"))}
        stop = {"stop": random.choice((0, "1 ms"))} if random.random() < 0.3 else {}
        return flow | stop | ({"control": random.choice(CONTROLS)} if random.random() < 0.3 else {})

    long = [group() for _ in range(random.choice((1, 2)))]
    return {"long": long, "duration": "2 ms", "every": "1 ms", "lengths": random.random() < 0.5}


_WORKLOADS = {"incast": _incast, "poisson": _poisson, "long": _long}
