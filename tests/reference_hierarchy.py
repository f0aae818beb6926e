"""Trees of limits a second time, straight from the definition: every root by bisection, every node at every event.

Shares no code with `dtmodel`; slow and plain on purpose. A node is a dict with `alpha` and `cap`, each None if it has
none, with `reserve`, and with `children` or `queue`; a pool has `size` and `children`.
"""

from fractions import Fraction

from reference_fluid import ZERO, rate_at

ONE = Fraction(1)


def root(f, low, high):
    """Return a root of a nondecreasing piecewise-linear f; an end of the interval if f has only one sign in it."""
    if f(low) > 0:
        return low
    if f(high) <= 0:
        return high
    while True:  # f(low) <= 0 < f(high)
        part = (high - low) / 16
        for x, y in ((low, low + part), (high - part, high)):
            if f(x) != f(y):
                guess = x - f(x) * (y - x) / (f(y) - f(x))
                if low <= guess <= high and f(guess) == 0 and f(guess + part / 10**9) > 0:
                    return guess
        middle = (low + high) / 2
        low, high = (low, middle) if f(middle) > 0 else (middle, high)


class Tree:
    def __init__(self, pool, nested, rates, offers, lengths):
        self.pool, self.nested, self.rates, self.offers = pool, nested, rates, offers
        self.q, self.now = list(lengths), ZERO
        self.reach = 64 * (1 + sum(rates, ZERO) + sum((r for offer in offers for _, r in offer), ZERO))

    def measure(self, node, above, free):
        """Set use, bytes beyond the reserve, limit and room of a node and of all below it."""
        self.count(node)
        base = above if self.nested else free
        bounds = [b for b in (node.get("alpha"), node.get("cap")) if b is not None]
        pull = None if node.get("alpha") is None else node["alpha"] * base
        node["pull"], cap = pull, node.get("cap")
        bounds = [b for b in (pull, cap) if b is not None]
        node["limit"] = min(bounds) if bounds else None
        room = None if node["limit"] is None else max(ZERO, node["limit"] - node["e"])
        for child in node.get("children", ()):
            self.measure(child, room, free)

    def count(self, node):
        for child in node.get("children", ()):
            self.count(child)
        node["use"] = self.q[node["queue"]] if "queue" in node else sum((c["e"] for c in node["children"]), ZERO)
        node["e"] = max(ZERO, node["use"] - node.get("reserve", ZERO))

    def gap(self, node):
        return ONE if node["limit"] is None else node["limit"] - node["e"]

    def drift(self, node, x):
        if node["pull"] is None or (node.get("cap") is not None and node["pull"] > node["cap"]):
            return ZERO
        return min(ZERO, node["alpha"] * x) if node["pull"] == node.get("cap") else node["alpha"] * x

    def grow(self, node, x, s, note=None):
        """Return the growth beyond the reserve for a room that changes at x if the levels above admit s of all."""
        if "queue" in node:
            return self.grow_queue(node, x, s, note)
        law, reserve, gap = self.drift(node, x), node.get("reserve", ZERO), self.gap(node)
        if node["use"] < reserve:
            y, t, e = x if not self.nested else max(ZERO, law) if gap == 0 else law, ONE, ZERO
        else:
            kink = node["use"] == reserve

            def inflow(y, t, kink=kink):
                return max(ZERO, self.below(node, y, t)) if kink else self.below(node, y, t)

            y, t = x, s
            if self.nested:
                y = ZERO if gap < 0 else root(lambda v: v + inflow(v, s) - law, -self.reach, self.reach)
                y = max(ZERO, y) if gap == 0 else y
            if gap < 0 or (gap == 0 and inflow(y, ZERO) >= law):
                t = ZERO
            elif gap == 0 and inflow(y, s) > law:
                t = root(lambda v: inflow(y, v) - law, ZERO, s)
            e = inflow(y, t)
            if kink and e == 0 < reserve:
                t = root(lambda v: self.below(node, y, v), ZERO, ONE)
        if note is not None:
            note[id(node)] = (self.below(node, y, t, note), e, law, y)
        return e

    def below(self, node, y, s, note=None):
        return sum((self.grow(child, y, s, note) for child in node["children"]), ZERO)

    def grow_queue(self, node, x, s, note):
        i, law, gap = node["queue"], self.drift(node, x), self.gap(node)
        C, R, q, r = self.rates[i], rate_at(self.offers[i], self.now), self.q[i], node.get("reserve", ZERO)
        low = ZERO if q == r else -C
        e = ZERO if q < r else low if gap < 0 else max(low, s * R - C if gap > 0 else min(law, s * R - C))
        if note is not None:
            inside = q < r or (q == r > 0 and R <= C)
            enters = R if inside else e + C if q > 0 else min(s * R, e + C)
            note[id(node)] = (enters - (C if q > 0 else min(C, enters)), e, law, x)
            note[i] = R - enters
        return e

    def phase(self):
        """Return the motion of every node by its id, (use, beyond, limit, room), and the losses by queue."""
        free, note = self.pool["free"], {}
        x = root(lambda v: v + self.below(self.pool, v, ONE), -self.reach, self.reach)
        s = ONE
        if free == 0 and x <= 0:
            opens = self.below(self.pool, ZERO, ZERO) < 0
            x, s = ZERO, root(lambda v: self.below(self.pool, ZERO, v), ZERO, ONE) if opens else ZERO
        self.below(self.pool, x, s, note)
        return x, note

    def nodes(self, node):
        yield node
        for child in node.get("children", ()):
            yield from self.nodes(child)

    def run(self, until, samples):
        n = len(self.q)
        first, dropped, rows = [None] * n, [ZERO] * n, {}
        while self.now < until:
            for child in self.pool["children"]:
                self.count(child)
            free = self.pool["free"] = self.pool["size"] - sum((c["e"] for c in self.pool["children"]), ZERO)
            for child in self.pool["children"]:
                self.measure(child, free, free)
            x, note = self.phase()
            waits = [until - self.now, *(t - self.now for o in self.offers for t, _ in o if t > self.now)]
            waits += [-free / x] if x < 0 < free else []
            slopes = [ZERO] * n
            for child in self.pool["children"]:
                for node in self.nodes(child):
                    use, e, law, _ = note[id(node)]
                    gaps = [(node["use"] - node.get("reserve", ZERO), use), (self.gap(node), law - e)]
                    if "queue" in node:
                        slopes[node["queue"]] = use
                        gaps.append((node["use"], use))
                    waits += [-gap / rate for gap, rate in gaps if gap * rate < 0]
                    if node["pull"] is not None and node.get("cap") is not None:
                        change = self.pull_change(node, x, note)
                        if (node["pull"] - node["cap"]) * change < 0:
                            waits.append((node["cap"] - node["pull"]) / change)
            step = min(waits)
            for time in samples:
                if self.now <= time <= self.now + step:
                    rows[time] = [q + v * (time - self.now) for q, v in zip(self.q, slopes, strict=True)]
            for i in range(n):
                if note[i] > 0 and first[i] is None:
                    first[i] = self.now
                dropped[i] += note[i] * step
                self.q[i] += slopes[i] * step
            self.now += step
        return first, dropped, rows

    def pull_change(self, node, x, note):
        if not self.nested:
            return node["alpha"] * x
        parent = next((p for c in self.pool["children"] for p in self.nodes(c) if node in p.get("children", ())), None)
        return node["alpha"] * (x if parent is None else note[id(parent)][3])
