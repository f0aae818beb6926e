"""DynaQ's Algorithm 1 a second time, from the paper and the named options; numbers of lines are those of the print."""

from fractions import Fraction


def run(document):
    """Return the steps: (decision, packet, victim, thresholds, lengths), queues counted from 1."""
    buffer = Fraction(document["buffer"])
    weights = [Fraction(weight) for weight in document["weights"]]
    share = {i: buffer * weight / sum(weights) for i, weight in enumerate(weights, 1)}  # equation (4)
    limit = dict(share)  # equation (2)
    share = {i: part * Fraction(document.get("bdp", buffer)) / buffer for i, part in share.items()}
    queues = {i: [] for i in share}
    claims = dict.fromkeys(share, -1)  # the departures that are left to each; -1: none
    patience, steps, number = document.get("patience", 0), [], 0
    for event in document["events"]:
        p = event[2]
        if event[0] == "depart":
            packet = queues[p].pop(0)[0] if queues[p] else None
            if packet is not None:
                claims = {i: max(left - 1, -1) for i, left in claims.items()}
            outcome = ("idle" if packet is None else "depart", packet, None)
        else:
            size = Fraction(event[3])
            within = length(queues[p]) + size <= share[p]
            if within or all(left < 0 for i, left in claims.items() if i != p):
                decision, victim = arrive(document, buffer, share, limit, queues, p, size)
            else:
                decision, victim = "drop", None
            if decision == "enqueue":
                claims[p] = -1
            elif within and patience:
                claims[p] = patience
            if decision == "enqueue":
                queues[p].append((number, Fraction(event[3])))
            outcome = (decision, number, victim)
            number += 1
        steps.append((*outcome, list(limit.values()), [length(queue) for queue in queues.values()]))
    return steps


def length(queue):
    return sum((size for _, size in queue), Fraction(0))


def arrive(document, buffer, share, limit, queues, p, size):
    victim = None
    if length(queues[p]) + size > limit[p]:  # line 1

        def refuses(v):  # line 3
            return limit[v] < size or (bool(queues[v]) and limit[v] - size < share[v])

        others = [v for v in limit if v != p]
        if document.get("victims", "printed") != "printed":
            others = [v for v in others if not refuses(v)]
        if document.get("victims", "printed") == "unused":
            others = [v for v in others if length(queues[v]) + size <= limit[v]]
        if not others:
            return "drop", None
        most = max(limit[v] - share[v] for v in others)  # line 2
        ties = [v for v in others if limit[v] - share[v] == most]
        victim = ties[0] if document.get("tie_break", "low") == "low" else ties[-1]
        if refuses(victim):
            return "drop", victim  # line 4
        limit[victim] -= size  # line 6
        limit[p] += size  # line 7
    admit = document.get("admit", "port")
    if admit == "recheck" and length(queues[p]) + size > limit[p]:
        return "drop", victim
    if admit != "thresholds" and sum(map(length, queues.values())) + size > buffer:
        return "drop", victim
    return "enqueue", victim
