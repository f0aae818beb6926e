"""Valid documents made invalid or odd: keys, types, numbers, strings, units, nesting, and the text of a file itself."""

import copy
import json

ODD = (
    None, True, False, 0, -1, 1, 2, 10**6, 10**30, -(10**30), 0.1, -0.0, 1e308, 5e-324, float("nan"), float("inf"),
    "", " ", "0", "-1", "1/0", "-1/2", "0/1", "1/3", "nan", "inf", "-inf", "1e400", "1e-400", "1e99999", "0x10",
    "1_000", "1 MB", "1 KiB", "3 bits", "5 ms", "-5 s", "1 Gbps", "1 XB", "1 mb", "1 packets", "5 s s", "½", "١٢",
    "１", "steady", "dt", "edt", "complete", "any", "small", "large", "arrive", "depart", "tick", "pause",
    "null", "id",
    "\x00", "\x1b[31m", "[bold]x[/bold]", "[/]", "<script>", "$x$", "\ud800", "é" * 90, "9" * 400, "9" * 5000,
    "1/" + "9" * 400, [], {}, [[]], [1], ["1", "2"], [["0", "1"], ["0", "2"]], [["1", "1"], ["0", "2"]], {"a": 1},
    {"name": "dt"}, [[[[[[1]]]]]], [None], ["0", "1", "2"], [["0"]], [["0", "1", "2"]],
)  # fmt: skip
KEYS = ("", "id", "version", "name", "alpha", "queues", "events", "reading", "buffer", "colour", "switch", "__class__")
TEXTS = ("{", "}", "[", "]", ",", ":", '"', "\\", "\n", "\x00", "\ufeff", "nul", "e", "-", "\ud800", "//", "NaN", " ")


def places(document):
    """All (container, key) of a document."""
    found, waiting = [], [document]
    while waiting:
        node = waiting.pop()
        items = list(node.items()) if isinstance(node, dict) else list(enumerate(node))
        for key, value in items:
            found.append((node, key))
            if isinstance(value, dict | list):
                waiting.append(value)
    return found


def mutated(random, document):
    """Return a copy of a document with one to three changes."""
    result = copy.deepcopy(document)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        found = places(result)
        if not found:
            return result
        container, key = random.choice(found)
        CHANGES[random.randrange(len(CHANGES))](random, container, key, found)
    return result


def replace(random, container, key, _found):
    container[key] = copy.deepcopy(random.choice(ODD))


def drop(_random, container, key, _found):
    del container[key]


def duplicate(random, container, key, _found):
    if isinstance(container, list):
        container.insert(key, copy.deepcopy(container[key]))
    else:
        container[random.choice(KEYS)] = copy.deepcopy(container[key])


def rename(random, container, key, _found):
    if isinstance(container, dict):
        container[random.choice((str(key).upper(), f" {key}", *KEYS))] = container.pop(key)
    else:
        container.reverse()


def wrap(random, container, key, _found):
    container[key] = random.choice(
        ([container[key]], {"value": container[key]}, [[container[key]]], str(container[key]))
    )


def move(random, container, key, found):
    other, place = random.choice(found)
    container[key] = copy.deepcopy(other[place])


def shift(random, container, key, _found):
    """Make a number slightly or hugely different, with the sign or the unit wrong."""
    value = container[key]
    if isinstance(value, str):
        container[key] = random.choice(
            (f"-{value}", f"{value} s", f"{value} B", f"{value} B/s", f"{value}0", f" {value} ")
        )
    elif isinstance(value, int) and not isinstance(value, bool):
        container[key] = value + random.choice((1, -1, 10**9, 10**18))
    elif isinstance(value, list):
        container[key] = value * random.choice((2, 3, 40))


def empty(_random, container, key, _found):
    container[key] = type(container[key])() if isinstance(container[key], str | list | dict | int) else {}


CHANGES = (replace, replace, replace, drop, duplicate, rename, wrap, move, shift, shift, empty)


def text(random, document):
    """Write a document as the text of a JSON, JSON Lines or TOML file, sometimes damaged; returns (suffix, text)."""
    kind = random.choice((".json", ".json", ".jsonl", ".toml"))
    if kind == ".toml" and isinstance(document, dict):
        written = toml(document)
    else:
        written = json.dumps(document, indent=random.choice((None, None, 1)) if kind == ".json" else None)
        if kind == ".jsonl" or random.randint(0, 3) == 0:
            written = "\n".join([written] * random.randint(1, 3))
        elif random.randint(0, 3) == 0:
            written = f"[{written}, {written}]"
    for _ in range(random.choice((0, 0, 0, 1, 1, 2))):
        place = random.randint(0, len(written))
        end = place + random.choice((0, 0, 1, 2, 10))
        written = written[:place] + random.choice((*TEXTS, "")) + written[end:]
    return kind, written


def toml(document):
    return "\n".join(f"{json.dumps(str(key))} = {_toml(value)}" for key, value in document.items() if value is not None)


def _toml(value):
    if isinstance(value, dict):
        pairs = (f"{json.dumps(str(key))} = {_toml(item)}" for key, item in value.items() if item is not None)
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list):
        return f"[{', '.join(_toml(item) for item in value if item is not None)}]"
    if isinstance(value, float):
        return repr(value)
    return json.dumps(value)
