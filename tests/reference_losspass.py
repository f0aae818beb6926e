"""LossPass's Algorithm 1 a second time, from the paper and the named readings; numbers of lines are those of the print.

Shares no code with `dtmodel.packet`; lengths are added up afresh whenever they are asked for.
"""

from fractions import Fraction

AT_MOST = {"intended", "mend-line4", "mend-lines-4-10", "limited", "head"}
OTHERWISE = {"intended", "mend-line10", "mend-lines-4-10", "limited", "head", "droptail-2q", "droptail"}
MARKS_ENQUEUED_ONLY = {"intended", "limited", "head", "droptail-2q", "droptail"}


def run(document):
    """Return (steps, small, large, marked); a step is (decision, packet, victim)."""
    reading = document.get("reading", "intended")
    buffer, reserve = Fraction(document["buffer"]), Fraction(document.get("reserve_large", 0))
    levels = {name: None if k is None else Fraction(k) for name, k in document.get("mark", {}).items()}
    held, marked, steps, number = [], [], [], 0  # held: (packet, class, size) in the order of arrival

    def length(*classes):
        return sum((size for _, kind, size in held if kind in classes), Fraction(0))

    def mark(packet, kind):
        for level, classes in ((levels.get(kind), (kind,)), (levels.get("port"), ("small", "large"))):
            if level is not None and length(*classes) > level and packet not in marked:
                marked.append(packet)

    for event in document["events"]:
        if event[0] == "depart":
            steps.append(depart(held, event[2], reading))
            continue
        kind, size, packet = event[2], Fraction(event[3]), number
        number += 1
        decision, victim = "enqueue", None
        if size + length("small", "large") > buffer:  # line 1
            decision = "drop"
            large = [item for item in held if item[1] == "large"]
            if kind == "small" and large and not reading.startswith("droptail"):  # line 2; Q_l has a packet
                candidate = large[0] if reading == "head" else large[-1]
                after, limit = size + length("small"), buffer - reserve
                if size <= candidate[2] and (after <= limit if reading in AT_MOST else after >= limit):  # lines 3, 4
                    held.remove(candidate)  # line 5
                    victim = candidate[0]
                    decision = "evict" if reading in OTHERWISE else "evict+drop"
        elif reading == "limited" and kind == "small" and size + length("small") > buffer - reserve:
            decision = "drop"
        if decision in {"enqueue", "evict"}:
            held.append((packet, kind, size))  # lines 6, 12
        if decision in {"enqueue", "evict"} or reading not in MARKS_ENQUEUED_ONLY:
            mark(packet, kind)  # line 15
        steps.append((decision, packet, victim))
    small, large = ([(p, size) for p, kind, size in held if kind == name] for name in ("small", "large"))
    return steps, small, large, sorted(marked)


def depart(held, queue, reading):
    """Take the head of a queue; "any" is strict priority, or the oldest packet where there is one queue."""
    if queue == "any" and reading != "droptail":
        queue = "small" if any(kind == "small" for _, kind, _ in held) else "large"
    heads = [item for item in held if queue in {"any", item[1]}]
    if not heads:
        return ("idle", None, None)
    held.remove(heads[0])
    return ("depart", heads[0][0], None)
