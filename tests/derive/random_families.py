"""Families that nobody thought of, over the whole interface of `dtmodel derive`: drawn from a seeded source."""

POLICIES = ("dt", "edt", "complete", "static", "weighted", "abm", "l2bm", "pools")
SYMBOLS = (1, 2, 2, 3, 3, 4)
"""How many symbols a family has at most, beside those of the switch: with few of them most are answered in seconds."""
NUMBERS = ("1/2", "1", "3/2", "2", "3")
COUNTS = (">= 1", ">= 0", "> 0", ">= 2", ">= 1, <= 4")
SIZES = ("> 0", "> 0", "> 1/2", "> 0, <= 2", "> 0, < 3", ">= 1")


class Draw:
    """Draws what stands in each place of a family: a number, an expression, or a symbol, which it then declares."""

    def __init__(self, source):
        self.source, self.symbols = source, {}
        self.left, self.classes = source.choice(SYMBOLS), source.choice((1, 2, 2, 2, 3))

    def symbol(self, name, domain):
        """Declare a symbol, or say that there are enough."""
        if name in self.symbols:
            return name
        if not self.left:
            return None
        self.left -= 1
        self.symbols[name] = domain
        return name

    def size(self, name, numbers=NUMBERS, domains=SIZES, *, often=0.5):
        """Return something positive."""
        known = [other for other in self.symbols if other[0] in "aSTtw" and self.source.random() < 0.1]
        if known:
            return self.source.choice([*known, f"2*{known[0]}", f"{known[0]} + 1"])
        if self.source.random() < often:
            domain = self.source.choice(domains)
            return self.symbol(name, domain) or self.source.choice(numbers)
        return self.source.choice(numbers)

    def rate(self, name, C, least):
        """Return a rate, of at least C if `least`."""
        high, low = ("> C", "> C", ">= C", "> 2*C", "> C, <= 3*C", "== 2*C"), ("> 0", ">= 0", "> C", "< C, >= 0")
        if self.source.random() < 0.6 and self.symbol(name, self.source.choice(high if least else low).replace("C", C)):
            return name
        return self.source.choice((f"2*{C}", f"3*{C}", f"3/2*{C}", C, *(() if least else (f"{C}/2", "0"))))


def queue(draw, k, C, *, steady):
    """Return a class of queues: its arrivals are constant, end, begin late, or change in steps."""
    source = draw.source
    count = (draw.symbol("MNL"[k], source.choice(COUNTS)) if source.random() < 0.4 else None) or source.choice("1123")
    own = draw.size(f"C_{k + 1}", (C, f"{C}/2"), often=0.3) if source.random() < 0.1 else C
    shape = source.choice(("constant", "constant", "burst", "burst", "late", "steps"))
    first = draw.rate(f"R_{k + 1}", own, steady)
    begin = "0" if steady or shape != "late" else draw.size(f"b_{k + 1}")
    arrivals = [[begin, first]]
    if shape in {"burst", "steps", "late"} and (shape != "late" or source.random() < 0.5):
        lasts = draw.size(f"d_{k + 1}")
        end = lasts if begin == "0" else f"{begin} + {lasts}"
        arrivals.append([end, "0" if shape == "burst" else draw.rate(f"Q_{k + 1}", own, least=False)])
        if shape == "steps" and source.random() < 0.3:
            arrivals.append([f"{end} + 1", source.choice(("0", own, f"2*{own}"))])
    if not steady and source.random() < 0.03:
        arrivals = []
    made = {"count": count, "arrivals": arrivals}
    if own != C:
        made["rate"] = own
    if steady:
        made["initial"] = "steady"
    elif source.random() < 0.15:
        made["initial"] = draw.size(f"q_{k + 1}", ("1/2", "1"))
    return made


def policy(draw, name, queues):
    """Return a policy."""
    source, classes = draw.source, range(len(queues))

    def each(key):
        return draw.size(key) if source.random() < 0.5 else [draw.size(f"{key}_{k + 1}") for k in classes]

    if name == "pools":
        mixed = source.random() < 0.4
        limits = []
        for k in classes:
            endless = mixed and source.random() < 0.5
            limit = {"alpha": "oo" if endless else draw.size(source.choice(("alpha", f"alpha_{k + 1}")))}
            if source.random() < 0.4:
                limit["cap"] = draw.size(f"S_{k + 1}")
            if source.random() < 0.4:
                limit["reserved"] = draw.size(source.choice(("r", f"r_{k + 1}")), ("1/2", "1"))
            limits.append(limit)
        return {"name": name, "limits": limits}
    if name == "edt":
        timers = {key: draw.size(f"T_{key[-1]}") for key in ("tm1", "tm2") if source.random() < 0.5}
        return {"name": name, "alpha": each("alpha"), "cn2": draw.size("c_2"), **timers}
    if name == "abm":
        drains = [source.choice(("1/2", "1", "1/3")) for _ in classes]
        priorities = {"priorities": [source.choice((0, 0, 1)) for _ in classes]} if source.random() < 0.4 else {}
        return {"name": name, "alphas": draw.size("alpha"), "drains": drains, **priorities}
    if name == "l2bm":
        normalisation = source.choice(("sum", "sum", "mean", "least", "greatest", "harmonic"))
        return {"name": name, "alpha": draw.size("alpha"), "sojourns": each("tau"), "normalisation": normalisation}
    key = {"dt": "alpha", "static": "sizes", "weighted": "weights"}.get(name)
    return {"name": name} | ({key: each({"alpha": "alpha", "sizes": "S", "weights": "w"}[key])} if key else {})


def asks(draw, until):
    """Return one question or two about some class, and the end that the family has."""
    source = draw.source
    found = []
    kinds = ("first_drop", "first_drop", "dropped", "length", "threshold", "recovered")
    for kind in dict.fromkeys(source.choice(kinds) for _ in range(source.choice((1, 1, 1, 2)))):
        ask = {kind: source.randrange(draw.classes)}
        if kind in {"dropped", "length", "threshold"} and (not until or source.random() < 0.5):
            times = sorted(name for name in draw.symbols if name[0] in "dbt" and name[1] == "_")
            time = source.choice(times) if times and source.random() < 0.5 else draw.size("t_1")
            ask["by" if kind == "dropped" and source.random() < 0.5 else "at"] = time
        found.append(ask)
    return found


def held(made, rules):
    """Return what the queues own or hold at time 0, as texts of bytes."""
    sizes = rules.get("sizes")
    found = []
    for k, each in enumerate(made):
        own = (sizes if isinstance(sizes, str) else sizes[k]) if sizes else None
        limit = rules["limits"][k] if rules["name"] == "pools" else {}
        parts = [own, limit.get("reserved")]
        parts += [each["initial"]] if each.get("initial", "steady") != "steady" and not own else []
        found += [f"{each['count']}*({part})" for part in parts if part]
    return found


def family(source, name=None):
    """Return a family, under a policy of a name or of any."""
    draw = Draw(source)
    name = name or source.choice(POLICIES)
    named = source.random() < 0.5
    B, C = ("B", "C") if named else (draw.size("B", ("12", "20", "40")), draw.size("C", ("1", "2")))
    if named:
        draw.symbols |= {"B": "> 0", "C": "> 0"}
    may = name != "complete"
    made = [queue(draw, k, C, steady=may and source.random() < 0.3) for k in range(draw.classes)]
    rules = policy(draw, name, made)
    until = draw.size("t_2", ("6", "10")) if source.random() < 0.25 else None
    asked = asks(draw, until)
    owned = held(made, rules)
    if owned and B in draw.symbols:
        draw.symbols["B"] = f"> {' + '.join(owned)}"
    elif owned:
        B = f"{B} + {' + '.join(owned)}"
    if until and any(key in ask for ask in asked for key in ("at", "by")):
        until = " + ".join([until, *(ask[key] for ask in asked for key in ("at", "by") if key in ask)])
    document = {"symbols": draw.symbols, "policy": rules, "switch": {"buffer": B, "rate": C}, "queues": made}
    return document | {"ask": asked} | ({"until": until} if until else {})
