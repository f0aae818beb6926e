"""Each packet algorithm beside its second implementation: (what the package says, what the other one says)."""

from fractions import Fraction
from functools import partial
from importlib import import_module

import reference_dynaq
import reference_edt_packets
import reference_l2bm
import reference_losspass
import reference_pfc
import reference_service_queues
import reference_switch_packets

from dtmodel import policies
from dtmodel.base import units
from dtmodel.packet import engine, pfc, schedulers
from dtmodel.packet.arrivals import listed
from dtmodel.packet.dynaq import algorithm as dynaq
from dtmodel.packet.dynaq import schemes as dynaq_schemes
from dtmodel.policies import edt_circuit as edt
from validation.support.dynaq import ports as dynaq_ports

REFERENCES = {
    "losspass": reference_losspass,
    "dynaq": reference_dynaq,
    "l2bm": reference_l2bm,
    "edt": reference_edt_packets,
}


def exact(value):
    return None if value is None else Fraction(value)


def losspass(answer):
    steps = [(s["decision"], s["packet"], s["victim"]) for s in answer["steps"]]
    small, large = ([(packet, Fraction(size)) for packet, size in answer["final"][k]] for k in ("small", "large"))
    return steps, small, large, answer["final"]["marked"]


def dynaq_steps(answer):
    return [
        (
            s["decision"],
            s["packet"],
            s["victim"],
            list(map(Fraction, s["thresholds"])),
            list(map(Fraction, s["queues"])),
        )
        for s in answer["steps"]
    ]


def l2bm(answer):
    keys = ("total", "updated", "mean")
    return [
        (s["decision"], s["packet"], total, s["packets"], updated, mean)
        for s in answer["steps"]
        for total, updated, mean in [tuple(exact(s[key]) for key in keys)]
    ]


def edt_port(port):
    timers = (exact(port["tm1"]), exact(port["tm2"]))
    return (
        port["state"],
        Fraction(port["queue"]),
        Fraction(port["threshold"]),
        port["c1"],
        Fraction(port["c2"]),
        *timers,
    )


def edt_steps(answer):
    return [(s["decision"], s["packet"], [edt_port(port) for port in s["ports"]]) for s in answer["steps"]]


READERS = {"losspass": losspass, "dynaq": dynaq_steps, "l2bm": l2bm, "edt": edt_steps}


def trace(document):
    """Compare a trace document of any algorithm."""
    name = document["algorithm"]
    plain = dict(document)
    plain |= {key: units.bytes_(plain[key], key) for key in ("buffer", "bdp") if key in plain}
    answer = import_module(f"dtmodel.packet.{name}").run_trace(document)
    return READERS[name](answer), REFERENCES[name].run(plain)


def result(done):
    return done.offered, done.sent, [(lost.time, lost.port, lost.size, lost.free) for lost in done.lost]


def switch_limit(case):
    """The policy of the package, and the threshold of a port from its definition."""
    document = case.policy
    policy = policies.read(document, {}, len(case.rates))
    exactly = {key: [Fraction(x) for x in document[key]] for key in ("weights", "sizes") if key in document}

    def limit(place, lengths, free):
        if document["name"] == "dt":
            return Fraction(document["alpha"]) * free
        if document["name"] == "weighted":
            return exactly["weights"][place] * free
        if document["name"] == "static":
            return exactly["sizes"][place]
        if document["name"] == "pools":
            return pool_limit(document, case.buffer, place, lengths)
        return None

    return policy, limit


def pool_of(document, buffer, place, lengths):
    """Return the reserve and the limits of a queue, and the free bytes of its pool."""
    limits = document["limits"]
    reserves = [Fraction(each["reserved"]) for each in limits]
    whole = [{"size": buffer - sum(reserves), "queues": range(len(limits))}]
    pool = next(pool for pool in document.get("pools", whole) if place in pool["queues"])
    free = Fraction(pool["size"]) - sum(max(Fraction(0), lengths[i] - reserves[i]) for i in pool["queues"])
    return reserves[place], limits[place], free


def pool_limit(document, buffer, place, lengths):
    reserve, mine, free = pool_of(document, buffer, place, lengths)
    shared = [free * Fraction(mine["alpha"])] if mine["alpha"] is not None else []
    limits = shared + ([Fraction(mine["cap"])] if mine["cap"] is not None else [])
    return reserve + min(limits) if limits else None


def fits_its_pool(document, buffer, place, lengths, amount):
    """A queue without alpha F takes no bytes beyond its reserve for which its pool has no room."""
    reserve, mine, free = pool_of(document, buffer, place, lengths)
    before, after = (max(Fraction(0), length - reserve) for length in (lengths[place], lengths[place] + amount))
    return mine["alpha"] is not None or after - before <= free


def switch(case):
    """Compare a switch with a policy that has thresholds, or none, or pushes out."""
    account = (lambda _size: 1) if case.packets else (lambda size: size)
    policy, limit = switch_limit(case)
    done = engine.run_packets(
        buffer=case.buffer,
        rates=case.rates,
        policy=policy,
        streams=[listed(rows) for rows in case.streams],
        until=case.until,
        account=account,
        initial=case.initial,
    )
    other = reference_switch_packets
    count = len(case.rates)
    fits = [partial(fits_its_pool, case.policy, case.buffer)] if case.policy["name"] == "pools" else []
    machine = (
        other.LongestQueueDrop(case.buffer, count)
        if case.policy["name"] == "lqd"
        else other.Thresholds(case.buffer, count, limit, *fits)
    )
    return result(done), other.run(machine, case.rates, case.streams, case.until, account, case.initial)


def edt_switch(case):
    """Compare a switch with EDT."""
    account = (lambda _size: 1) if case.packets else (lambda size: size)
    settings = {**case.edt, "alpha": case.alphas[0]}
    policy = edt.EdtPolicy(
        edt.CircuitSettings(**{**settings, "reading": edt.READINGS[settings["reading"]]}),
        len(case.rates),
        case.buffer,
        account=account,
    )
    streams = [listed(rows) for rows in case.streams]
    done = engine.run_packets(
        buffer=case.buffer, rates=case.rates, policy=policy, streams=streams, until=case.until, account=account
    )
    machine = reference_edt_packets.Machine(ports=len(case.rates), buffer=case.buffer, **settings)
    return result(done), reference_switch_packets.run(machine, case.rates, case.streams, case.until, account)


def priority_flow_control(case):
    """Compare pools with pauses and headroom."""
    pools, events = case
    steps = [
        (s.decision, s.paused, dict(s.ingress), dict(s.egress), s.stored, dict(s.headroom))
        for s in pfc.run_pools(pools, events)
    ]
    return steps, reference_pfc.run(pools, events)


def service(case):
    """Compare a port with service queues."""
    ref, w = reference_service_queues, case.weights
    scheme, admit = {
        "best-effort": (dynaq_schemes.BestEffort(case.buffer), ref.best_effort(case.buffer)),
        "quotas": (dynaq_schemes.PQL(case.limits), ref.quotas(case.limits)),
        "pmsb": (dynaq_schemes.PMSB(case.buffer, 3, case.limits), ref.pmsb(case.buffer, 3, case.limits)),
        "dynaq": (dynaq_schemes.DynaQScheme(dynaq.DynaQ(case.buffer, w)), ref.dynaq(case.buffer, w)),
    }[case.scheme]
    queues = [[] for _ in w]
    scheduler, order = {
        "strict": lambda: (schedulers.StrictPriority(), ref.strict(queues)),
        "weighted": lambda: (schedulers.WeightedRoundRobin(w), ref.weighted(queues, w)),
        "deficit": lambda: (schedulers.DeficitRoundRobin(w), ref.deficit(queues, w)),
        "priority": lambda: (
            schedulers.PriorityOver(1, schedulers.DeficitRoundRobin(w[1:])),
            ref.below_priority(queues, 1, ref.deficit(queues[1:], w[1:])),
        ),
    }[case.scheduler]()
    tally = dynaq_ports.serve(scheme, scheduler, case.arrivals, rate=Fraction(1), until=case.until, queues=len(w))
    expected = ref.serve(admit, order, case.arrivals, Fraction(1), case.until, queues)
    return (list(tally.offered), list(tally.sent), list(tally.lost), list(tally.held), tally.idle), expected
