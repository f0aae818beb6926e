"""Kind ``derived``: the symbolic trajectory of each open cell of a derived theorem.

In a cell all symbols and all conditions are positive. Class k has ``count`` queues of a rate C, with arrivals. Its
threshold is reserve + min(alpha F, cap) (DT laws: alpha alone; a static partition: cap alone; complete sharing: none,
and a full buffer admits the fraction of all arrivals that keeps it full). F is the buffer without the reserves and
without what queues hold beyond them; an empty queue, or one in its reserve, holds none of it. The trajectory must obey
the fluid model: below its threshold a queue moves at R - C, on it with it, above it at -C, in its reserve at R - C. It
ends with the first loss of the asked class, at the time ``at`` that is asked about, where the family ends (``until``),
or never: then the last phase lasts as long as one likes, since nothing in it shrinks. The answers are read off it.
Inequalities are linear in time within a phase, so that both ends of it decide; the phase that begins with the loss
lasts for a while, since each holds strictly at its beginning, or is an equality there and does not fall. That such a
trajectory is the only one is the model's uniqueness. EDT's counters and timers (``counters``) are gone through
beside it (`counters.py`). ``coverage`` shows that every point at which no condition is 0 lies in a cell, or in one
whose inequalities rest on a solver (``left_out``): all signs of the conditions are gone through, but for those of which
some are shown to exclude another, or said to by a solver (``"smt"``: not checked here; null: unknown). ``closure`` says
so of the cases of the theorem, and of the points at which conditions are 0 (`closure.py`). Where a trajectory inside
has no limit there, a cell of a face stands in for it: one of the family in which a symbol has a value (``faces``).
"""

from fractions import Fraction
from typing import Any

from .algebra import (
    ONE,
    Polynomial,
    Ratio,
    impossible,
    names,
    plus,
    polynomial,
    power_of,
    refuse_unless,
    scaled,
    substitute,
    times,
)
from .closure import check_closure
from .ratios import Goal, minus, of, product, ratio, same
from .trajectory import obeyed, read

__all__ = ["check"]

Key = frozenset[tuple[Any, Fraction]]
Given = tuple[list[Polynomial], set[str]]
"""Conditions, and the symbols that may be 0."""


def queue_class(document: Any) -> Any:
    """Read a class of queues."""
    arrivals = [[ratio(time), ratio(rate)] for time, rate in document["arrivals"]]
    numbers = {key: None if value is None else ratio(value) for key, value in document.items() if key != "arrivals"}
    return numbers | {"arrivals": arrivals}


def check(document: dict[str, Any]) -> None:
    """Check every cell, and that no signs of the conditions are left that are those of none; for each question."""
    if "questions" in document:
        first = document["questions"][0]
        for each_asked in document["questions"]:
            same_family = all(each_asked[name] == first[name] for name in ("symbols", "domain", "buffer", "classes"))
            refuse_unless(same_family, "the questions are about different families")
            check(each_asked)
        return
    symbols = set(document["symbols"])
    family = read_family(document)
    faces = [on_face(face, family, symbols) for face in document["faces"]]
    domain = [polynomial(poly) for poly in document["domain"]]
    refuse_unless(bool(document["cells"]), "there is no cell")
    each, closed = [], []
    weak = set(document["closure"]["weak"]) if document["closure"] else set()
    for number, cell in enumerate(document["cells"]):
        own = [polynomial(poly) for poly in cell["conditions"]]
        refuse_unless(all(names(poly) <= symbols for poly in own), "a condition has an unknown symbol")
        if "face" in cell:
            its, whole, zeros, beside = faces[cell["face"]]
        else:
            its, whole, zeros, beside = family, family, [], []
            each.append(own)
        positive = [*beside, *obeying(number, cell, its, document["question"], (own, weak))]
        closed.append({"conditions": own, "zeros": zeros, "positive": positive} | written(cell, whole))
    each += [[polynomial(poly) for poly in conditions] for conditions in document["left_out"]]
    if document["coverage"] is not None:
        covered(each, domain, exclusions(document["coverage"]))
    if document["closure"] is not None:
        check_closure(document, closed)


def obeying(number: int, cell: Any, family: Any, question: str, given: Given) -> list[Polynomial]:
    """Check that a trajectory obeys the model where all conditions are positive; return what it needs not to be 0."""
    at, until = family["at"], family["until"]
    ends = {"time"} if at is not None else {"loss", "never" if until is None else "until"}
    refuse_unless(cell["ends"] in ends, f"cell {number} ends otherwise than is asked")
    chosen, first = constant(cell, family["classes"], family["sojourns"])
    asked = question, family["asked"], at, until
    goals = [*first, *obeyed(cell, chosen, family["buffer"], asked, family["counters"])]
    refuse_unless(len(goals) == len(cell["proofs"]), f"cell {number}: a proof for each inequality")
    positive = []
    for place, ((goal, strict), proof) in enumerate(zip(goals, cell["proofs"], strict=True)):
        where = f"cell {number}, inequality {place}"
        refuse_unless(proof != "smt", f"{where} rests on a solver")
        sign, more = shown(goal, proof, given, where)
        positive += more
        refuse_unless(sign > 0 or (sign == 0 and not strict), f"{where} does not hold")
        positive += [polynomial(factor) for part in proof[0 if strict else 1 :] for factor, _, _ in part["factors"]]
    return positive


def read_family(document: Any) -> dict[str, Any]:
    """Read the family of a certificate."""
    given, sojourns = document.get("counters"), document.get("sojourns")
    return {
        "asked": document["asked"],
        "buffer": ratio(document["buffer"]),
        "classes": [queue_class(queue) for queue in document["classes"]],
        "counters": given and {name: None if value is None else ratio(value) for name, value in given.items()},
        "sojourns": sojourns
        and {"which": sojourns["which"], "alpha": ratio(sojourns["alpha"]), "times": [*map(ratio, sojourns["times"])]},
        **{name: None if document[name] is None else ratio(document[name]) for name in ("at", "until")},
    }


def on_face(face: Any, family: Any, symbols: set[str]) -> tuple[Any, Any, list[Polynomial], list[Polynomial]]:
    """Return a family where a symbol has a value, the family itself, what is 0 there, and what must not be.

    Classes of which there are no queues then may be left out.
    """
    symbol, value, kept = face["symbol"], ratio(face["value"]), face["kept"]
    refuse_unless(symbol in symbols and symbol not in names(value[0]) | names(value[1]), "no face")
    refuse_unless(kept == sorted({k for k in kept if 0 <= k < len(family["classes"])}), "which classes are kept")
    refuse_unless(family["asked"] in kept, "the class that is asked about is left out")

    def there(here: Any) -> Any:
        if isinstance(here, dict):
            return {name: there(each) for name, each in here.items()}
        if isinstance(here, list):
            return [there(each) for each in here]
        if not isinstance(here, tuple):
            return here
        (top, over), (bottom, under) = (substitute(poly, {symbol: value}) for poly in here)
        refuse_unless(bool(bottom), "a denominator is 0 on the face")
        return times(top, under), times(over, bottom)

    for k, queue in enumerate(family["classes"]):
        refuse_unless(k in kept or not there(queue["count"])[0], "a class with queues is left out")
    whole = family | {"asked": kept.index(family["asked"]), "classes": [family["classes"][k] for k in kept]}
    if whole["sojourns"]:
        whole["sojourns"] = whole["sojourns"] | {"times": [whole["sojourns"]["times"][k] for k in kept]}
    zero = plus(times(value[1], {((symbol, 1),): Fraction(1)}), scaled(value[0], Fraction(-1)))
    return there(whole), whole, [zero], [value[1]]


def constant(cell: Any, classes: list[Any], document: Any) -> tuple[list[Any], list[Goal]]:
    """Return the classes with L2BM's alphas if its constant is one of the sojourn times, and what makes it that one."""
    if not document:
        return classes, []
    times_, place = document["times"], cell["chosen"]
    refuse_unless(len(times_) == len(classes) and 0 <= place < len(classes), "a sojourn time for each class")
    turn = {"least": 1, "greatest": -1}.get(document["which"])
    refuse_unless(turn is not None, "which sojourn time")
    own = product(document["alpha"], times_[place])
    each = [
        queue | {"alpha": (times(own[0], t[1]), times(own[1], t[0]))} for queue, t in zip(classes, times_, strict=True)
    ]
    apart = [minus(time, times_[place]) for time in times_]
    return each, [(of(time, turn or 0), False) for time in apart]


def written(cell: Any, family: Any) -> dict[str, Any]:
    """Return the answers of a cell, and all denominators that its family and its trajectory are written with."""
    answers = {name: None if answer is None else ratio(answer) for name, answer in cell["answers"].items()}
    ratios = [family["buffer"], family["at"], family["until"], *answers.values(), *(family["counters"] or {}).values()]
    if family["sojourns"]:
        each = family["sojourns"]["times"]
        ratios += [family["sojourns"]["alpha"], *each, *((bottom, top) for top, bottom in each)]
    for queue in family["classes"]:
        ratios += [value for name, value in queue.items() if name != "arrivals"]
        ratios += [value for piece in queue["arrivals"] for value in piece]
    for phase in map(read, cell["phases"]):
        ratios += [phase["begin"], phase["free"], phase["fraction"], *phase["lengths"], *phase["slopes"]]
    return {"answers": answers, "bottoms": [value[1] for value in ratios if value is not None]}


def key(poly: Polynomial, sign: int = 1) -> Key:
    """Return what identifies a condition, or with -1 its negation."""
    return frozenset(scaled(poly, Fraction(sign)).items())


def exclusions(documents: Any) -> list[frozenset[Key]]:
    """Return which conditions cannot all be positive."""
    found = []
    for number, document in enumerate(documents):
        each = [polynomial(poly) for poly in document["conditions"]]
        if document["how"] != "smt":  # which is taken on trust, and said
            impossible([(poly, ">") for poly in each], document["how"]["from"], set(), f"exclusion {number}")
        found.append(frozenset(map(key, each)))
    return found


def covered(cells: list[list[Polynomial]], domain: list[Polynomial], apart: list[frozenset[Key]]) -> None:
    """Refuse unless all signs that the conditions can have together are those of a cell."""
    both = [[(key(poly), key(poly, -1)) for poly in cell] for cell in cells]
    waiting = [{key(poly) for poly in domain}]
    while waiting:
        signs = waiting.pop()
        left = [cell for cell in both if not any(negative in signs for _, negative in cell)]
        refuse_unless(bool(left), "the cells do not cover the domain")
        free = next((each for each in left[0] if each[0] not in signs), ())
        waiting += [{*signs, new} for new in free if not any(clause <= {*signs, new} for clause in apart)]


def shown(goal: Ratio, proof: Any, given: Given, where: str) -> tuple[int, list[Polynomial]]:
    """Return the sign of a goal that its factors show, and what must not be 0 where conditions are."""
    parts, sign, needed = [], 1, list[Polynomial]()
    for part in proof:
        number = Fraction(part["number"])
        whole, sign = scaled(ONE, number), sign * ((number > 0) - (number < 0))
        for factor, power, how in part["factors"]:
            refuse_unless(power > 0, f"{where}: a power of a factor")
            read = polynomial(factor)
            needed += signed(read, how, given, where)
            whole, sign = times(whole, power_of(read, power)), sign * how["sign"] ** power
        parts.append(whole)
    refuse_unless(bool(parts[1]), f"{where}: the denominator is 0")
    same(goal, (parts[0], parts[1]), f"{where}: the factors are those of another inequality")
    return sign, needed


def signed(factor: Polynomial, how: dict[str, Any], given: Given, where: str) -> list[Polynomial]:
    """Refuse unless a factor times its sign, g, is positive inside, where all conditions are; return what is needed.

    The sum says g S = T with S and T in terms of what is given and no coefficient below 0; inside neither is 0, since
    both would be. Where conditions are only not negative g is not, either, if one part of S is not 0: the conditions
    and symbols in it, which are returned.
    """
    refuse_unless(how["sign"] in {1, -1}, f"{where}: a sign")
    turned = scaled(factor, Fraction(-how["sign"]))
    if "from" not in how:
        refuse_unless(bool(factor) and all(value < 0 for value in turned.values()), f"{where}: the sign of a factor")
        return []
    conditions, weak = given
    impossible([*((poly, ">") for poly in conditions), (turned, ">")], how["from"], set(), where)
    last = len(conditions)
    parts = [(places, monomial) for places, _, monomial in how["from"] if last in places]
    refuse_unless(bool(turned) and bool(parts), f"{where}: a sum without the factor")
    each = [
        [conditions[place] for place in places if place != last]
        + [polynomial([["1", {name: 1}]]) for name, power in monomial.items() if power and name in weak]
        for places, monomial in parts
    ]
    return min(each, key=len)
