"""Kind ``trace``: a list of events that a packet algorithm treats otherwise than the statement says.

Each algorithm is written down again here, from the papers, as short as it can be; `edt.py` has the longest.
"""

from fractions import Fraction
from typing import Any

from . import edt
from .algebra import refuse_unless
from .answers import number, show

__all__ = ["check"]

Answer = dict[str, Any]


def check(document: dict[str, Any]) -> None:
    """Run the request through its algorithm."""
    request = document["request"]
    answer = ALGORITHMS[request["algorithm"]](request)
    show(document, answer)


# Of LossPass: whether line 4 says "at most", line 10 is for packets that were not enqueued, line 15 for those that were
READINGS = {
    "intended": (True, True, True), "literal": (False, False, False), "mend-line4": (True, False, False),
    "mend-line10": (False, True, False), "mend-lines-4-10": (True, True, False),
}  # fmt: skip


def losspass(request: dict[str, Any]) -> Answer:
    """LossPass, Algorithm 1, with the tail of Q_l as the victim."""
    at_most, otherwise, if_enqueued = READINGS[request.get("reading", "intended")]
    B, reserve = Fraction(request["buffer"]), Fraction(request.get("reserve_large", 0))
    limits = {name: number(value) for name, value in (request.get("mark") or {}).items()}
    queues: dict[str, list[tuple[int, Fraction]]] = {"small": [], "large": []}
    marked, steps, packet = set(), [], -1

    def length(*kinds: str) -> Fraction:
        return sum((size for kind in kinds for _, size in queues[kind]), Fraction(0))

    for event in request["events"]:
        if event[0] == "depart":
            name = event[2] if event[2] != "any" else "small" if queues["small"] else "large"
            head = queues[name].pop(0)[0] if queues[name] else None
            steps.append({"decision": "idle" if head is None else "depart", "victim": None, "packet": head})
            continue
        kind, size, packet, victim = event[2], Fraction(event[3]), packet + 1, None
        refuse_unless(0 < size <= B, "a packet is larger than the buffer")
        kept = size + length("small", "large") <= B
        if not kept and kind == "small" and queues["large"] and size <= queues["large"][-1][1]:
            claimed, room = size + length("small"), B - reserve
            kept = claimed <= room if at_most else claimed >= room
            victim = queues["large"].pop()[0] if kept else None
        if kept:
            queues[kind].append((packet, size))
        if victim is not None and not otherwise:  # line 10 as printed
            queues[kind].pop()
            kept = False
        levels = {kind: length(kind), "port": length("small", "large")}
        over = any(limits.get(key) is not None and level > (limits[key] or 0) for key, level in levels.items())
        if over and (kept or not if_enqueued):
            marked.add(packet)
        said = ("evict" if kept else "evict+drop") if victim is not None else "enqueue" if kept else "drop"
        steps.append({"decision": said, "victim": victim, "packet": packet})
    final = {name: [[each, size] for each, size in queue] for name, queue in queues.items()}
    return {"steps": steps, "final": {**final, "marked": sorted(marked)}}


def may_be_victim(victims: str, T: Fraction, S: Fraction, q: Fraction, size: Fraction) -> bool:
    """Whether line 2 looks at a queue: at any as printed, else at those that line 3 accepts, or that use it not."""
    gives = size <= T and (q == 0 or T - size >= S)
    return victims == "printed" or (gives and (victims == "eligible" or T - size >= q))


def dynaq(request: dict[str, Any]) -> Answer:
    """DynaQ, Algorithm 1 as printed or with its repairs, and the admission check of the port."""
    B, weights = Fraction(request["buffer"]), [Fraction(weight) for weight in request["weights"]]
    S = [B * weight / sum(weights) for weight in weights]
    T, packets = list(S), [[] for _ in S]  # type: list[Fraction], list[list[tuple[int, Fraction]]]
    victims, patience, claims = request.get("victims", "printed"), request.get("patience", 0), [0 for _ in S]
    refuse_unless(victims in ("printed", "eligible", "unused"), "an unknown line 2")
    best = {"low": -1, "high": 1}[request.get("tie_break", "low")]
    admit, steps, packet = request.get("admit", "port"), [], -1
    refuse_unless(admit in ("port", "recheck", "thresholds"), "an unknown check")
    for event in request["events"]:
        p, victim = event[2] - 1, None
        refuse_unless(p >= 0, "queues count from 1")
        if event[0] == "depart":
            head = packets[p].pop(0)[0] if packets[p] else None
            claims = claims if head is None else [max(0, left - 1) for left in claims]
            steps.append({"decision": "idle" if head is None else "depart", "victim": None, "packet": head})
        else:
            size, packet = Fraction(event[3]), packet + 1
            refuse_unless(0 < size <= B, "a packet is larger than the buffer")
            q = [sum((each for _, each in queue), Fraction(0)) for queue in packets]
            passes = q[p] + size <= T[p]  # line 1
            within, yields = q[p] + size <= S[p], any(claims[:p] + claims[p + 1 :])
            passes = passes and (within or not yields)
            others = [i for i in range(len(T)) if i != p and may_be_victim(victims, T[i], S[i], q[i], size)]
            if not passes and others and (within or not yields):
                v = max(others, key=lambda i: (T[i] - S[i], best * i))  # line 2
                victim = v + 1
                passes = T[v] >= size and (q[v] == 0 or T[v] - size >= S[v])  # line 3
                if passes:
                    T[v], T[p] = T[v] - size, T[p] + size  # lines 6 and 7
            passes = passes and (admit == "thresholds" or sum(q) + size <= B)
            passes = passes and (admit != "recheck" or q[p] + size <= T[p])
            if passes:
                packets[p].append((packet, size))
            if passes or within:
                claims[p] = 0 if passes or not patience else patience + 1
            steps.append({"decision": "enqueue" if passes else "drop", "victim": victim, "packet": packet})
        lengths = [sum((each for _, each in queue), Fraction(0)) for queue in packets]
        steps[-1] |= {"thresholds": list(T), "queues": lengths}
    return {"steps": steps, "final": {"thresholds": T, "queues": lengths}}


def l2bm(request: dict[str, Any]) -> Answer:
    """L2BM, Algorithm 1 as printed."""
    refuse_unless(request.get("reading", "literal") == "literal", "only as printed")
    total, updated, packets, present, steps = Fraction(0), Fraction(0), 0, set(), []
    for event in request["events"]:
        now, decision = Fraction(event[1]), "idle"
        if event[0] == "arrive":
            refuse_unless(event[2] not in present, "a name is taken")
            interval = now - updated if packets > 0 else 0  # lines 3 to 7
            total += Fraction(event[3]["queue_out"]) / Fraction(event[3]["rate"]) - packets * interval  # lines 8, 9
            packets, updated, decision = packets + 1, now, "enqueue"  # lines 10, 11
            present.add(event[2])
        elif event[0] == "depart" and event[2] in present:
            present.remove(event[2])
            packets, total, decision = packets - 1, total - (now - updated), "depart"  # lines 13, 14
        mean = total / packets if packets else None
        steps.append({"decision": decision, "total": total, "packets": packets, "updated": updated, "mean": mean})
    return {"steps": steps, "final": steps[-1]}


ALGORITHMS = {"losspass": losspass, "dynaq": dynaq, "l2bm": l2bm, "edt": edt.run}
