"""L2BM's Algorithm 1 a second time, from the paper and the named readings; numbers of lines are those of the print."""

from fractions import Fraction


def run(document):
    """Return the steps: (decision, packet, total, packets, updated, mean)."""
    reading = document.get("reading", "literal")
    total, count, before = Fraction(0), 0, Fraction(0)  # t_total, N, t_prev
    queued, steps, number = {}, [], 0  # name -> (number, due)
    stood, paused_at = Fraction(0), None  # how long the clock has stood still
    for event in document["events"]:
        wall = Fraction(event[1])
        now = wall
        if reading == "pause-aware":
            now = (wall if paused_at is None else paused_at) - stood
        decision, packet = "idle", None
        if event[0] == "arrive":
            decision, packet = "enqueue", number
            number += 1
            wait = Fraction(event[3]["queue_out"]) / Fraction(event[3]["rate"])
            interval = now - before if count > 0 else Fraction(0)  # lines 3 to 7
            total += wait - count * interval  # lines 8, 9
            count += 1  # line 10
            before = now  # line 11
            queued[event[2]] = (packet, now + wait)
        elif event[0] == "depart" and event[2] in queued:
            decision = "depart"
            packet, due = queued.pop(event[2])
            if reading in {"literal", "current"}:
                total -= now - before  # line 14
            else:
                total -= count * (now - before)
                before = now
            if reading == "stamped":
                total -= due - now
            count -= 1  # line 13
            if reading == "reset" and count == 0:
                total = Fraction(0)
        elif event[0] == "pause":
            paused_at = wall
        elif event[0] == "resume":
            stood, paused_at = stood + wall - paused_at, None
        mean = total / count if count else None  # equation (2)
        if mean is not None and reading == "current":
            mean -= now - before
        steps.append((decision, packet, total, count, before, mean))
    return steps
