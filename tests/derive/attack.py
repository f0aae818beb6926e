"""Attack `dtmodel derive` with random families: each is answered rightly, or the theorem says where it stopped.

``python tests/derive/attack.py --count 300 --seed 1``, which ``make derived`` runs, too; ``--only NUMBER`` tries one
again, ``--kept FILE`` goes on where a run was ended. Answers are compared with ``==`` with the exact engine, with
`dtmodel.simulate` and with the second implementation of the fluid model: inside every region, on the boundaries of
regions, and on those of the domain.
"""

import argparse
import contextlib
import io
import json
import platform
import re
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter, defaultdict
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from compare import revision
from random_families import POLICIES, family
from unlumped import disagreement

from dtmodel import InputError
from dtmodel.cli import run
from dtmodel.derive import Interval, Limits, derive
from dtmodel.derive.algebra.language import read_expression, read_relation
from dtmodel.derive.theorem.check import check_case, engine_at
from dtmodel.derive.theorem.optimum import order
from dtmodel.theorems.evaluation import never

CPU_SECONDS = 90  # for one family with all that is done with it
SOON = 3  # seconds for a theorem with which everything else is done, too
STOPPED = {
    "seconds": r"the limit of seconds was reached|\d+ paths that were not followed: the limit of paths or seconds",
    "phases": r"more than \d+ phases",
    "expiries": r"more than \d+ expiries of (a timer|timers)",
    "undecided": r"undecided: .*|a cell in which no point is known",
    "no queues": r"a run in which something is shared among no queues",
    "not proved": r"the cases are not proved to cover the domain|where .*: (not proved to be|the cases do not) cover.*",
    "faces": r"faces: not explored, since the open cells are not complete",
}
"""What a theorem that is not complete may say that it left open; the last only beside another."""
KINDS = ("complete", *STOPPED, "refused", "fault")

EXPLAINED = """\
Families are drawn over the whole interface. A theorem is *complete*, or says what it left open: that the *seconds* or
the *expiries* of timers were over, a sign is *undecided*, or its cases are *not proved* to cover the domain. A family
that the model does not take everywhere in its domain is *refused* by name. A *fault* is anything else: a wrong answer,
a text or a float that says something else, a traceback, an unnamed reason. At all *points*, inside regions and on the
boundaries of regions and domains, the answers were equal with `==` to those of the exact engine and, at those of the
last column, to those of the second implementation of the fluid model."""

MENDED = """\
## Found on the way, and mended

- Texts beside a symbol whose bound is a fraction, such as C > 1/2, lacked a factor; `evaluate` was right.
- The example of a case could lie in another region with the same answers.
- `lambdify` had values outside the domain, and `compare(...).at` an outcome.
- A comparison with the engine did not keep its seconds where most of a theorem is open.
- Merging cases went on for a minute after the seconds were over, where there were hundreds of them (l2bm's fault).
- Two texts of one theorem were compared too strictly (dt's fault): whether a boundary belongs to one case or to its
  neighbour, which agree there, is up to a solver's time.
- A steady queue without arrivals was refused by the name of the switch's rate; wrong limits, points of a picture,
  values of an inverse and shapes of arrays ended in errors without a name.
- A family under EDT without time for a single path ended in an error; it is open by name, as under other policies."""


class TooLongError(BaseException):
    """A family that takes more than `CPU_SECONDS`; no handler of the package may take it for its own."""


def attacked(document, source, points=5, seconds=20.0):
    """Attack one family; return its theorem, and at how many points it was compared: all, and once more."""
    theorem = derive(document, Limits(seconds=seconds))
    assert theorem.complete == (not theorem.open)
    end, compared = time.monotonic() + seconds, 0
    for number, case in enumerate(theorem.cases):
        deadline = time.monotonic() + (end - time.monotonic()) / (len(theorem.cases) - number)
        compared += sum(check_case(theorem, case, points, source, deadline))
        assert all(c.holds(case.example) for c in case.when), (case.when, case.example)
    for case in theorem.cases[:10]:
        forms(theorem, theorem.values(case.example))
    texts(theorem)
    anywhere, again = compared_anywhere(theorem, source, 4 * points)
    if theorem.seconds < SOON and theorem.cases and theorem.domain.slacks:
        inverted(theorem, source)
        extreme(theorem, Random(str(document)))
        pictured(theorem, source)
        printed(theorem, document, seconds)
        beside(theorem, document, source)
    return theorem, compared + anywhere, again


def forms(theorem, values):
    """Arrays say at a point what numbers say, and floats nearly so: to a billionth, since they subtract."""
    said = theorem.evaluate(**values)
    if not values:
        return
    arrays = theorem.evaluate(**{name: np.array([[value, value]], dtype=object) for name, value in values.items()})
    assert {key: each.tolist() for key, each in arrays.items()} == {key: [[said[key]] * 2] for key in said}
    floats = {name: float(value) for name, value in values.items()}
    for key, exact in said.items() if {name: Fraction(value) for name, value in floats.items()} == values else ():
        computed, expected = float(theorem.lambdify(key)(**floats)), float("inf") if exact is None else float(exact)
        assert computed == expected or abs(computed - expected) <= 1e-9 * (1 + abs(expected)), (key, values, computed)


def texts(theorem):
    """The document is JSON, and its texts say at a point inside each case what the theorem says."""
    document, names = theorem.document(), set(theorem.family.symbols)
    assert json.loads(json.dumps(document)) == document
    for case, shown in zip(theorem.cases, document["cases"], strict=True):
        values = theorem.values(case.example)
        for text in shown["when"]:
            relation = read_relation(text, "when", names)
            value = relation.left.value(values)
            assert {">": value > 0, ">=": value >= 0, "==": value == 0}[relation.sign], (text, values)
        for key, ratio in case.answers.items():
            read = None if shown[key] is None else read_expression(shown[key], key, names).value(values)
            assert read == (None if ratio is None else ratio.at(case.example)), (shown[key], values)
    assert not theorem.cases or (theorem.latex() and theorem.text().startswith(("If", "Always")))


def places(theorem, source, wanted):
    """Points of the domain, half of them where some symbols are as small as they may be."""
    names = theorem.domain.outer.names
    weak = [place for place, name in enumerate(names) if theorem.domain.weak(name)]
    for number in range(wanted):
        point = [Fraction(source.choice((1, 2, 3, 4, 6, 9, 12)), source.choice((1, 1, 2, 4))) for _ in names]
        for place in source.sample(weak, source.randint(1, len(weak))) if weak and number % 2 else ():
            point[place] = Fraction(0)
        values = theorem.values(point)
        with contextlib.suppress(InputError):  # outside the domain
            theorem.point(values)
            yield values


def compared_anywhere(theorem, source, wanted):
    """The theorem is right wherever one looks in its domain, and says something there if it is complete."""
    compared = again = 0
    for values in places(theorem, source, wanted):
        if theorem.case_at(**values) is None:
            assert not theorem.complete, values
            continue
        said = theorem.exact(**values)
        beyond = [t for key in ("first_drop", "recovered") if (t := said.get(key)) is not None]
        assert engine_at(theorem, values, beyond) == said, (values, said)
        other = disagreement(theorem.family, values, said)
        assert not other, (values, other)
        compared, again = compared + 1, again + (other is not False)
    return compared, again


def inverted(theorem, source):
    """An inverse holds where `exact` says so: at its ends, beside them, and where the answer is wanted."""
    values = theorem.values(source.choice(theorem.cases).example)
    symbol, key = source.choice([slack.symbol for slack in theorem.domain.slacks]), source.choice(theorem.keys)
    wanted = theorem.exact(**values)[key]
    most = wanted is not None and source.random() < 0.5
    others = {name: value for name, value in values.items() if name not in {symbol, *theorem.family.defined}}
    found = theorem.inverse(symbol, wanted, others, key, most=most)

    def good(x):
        try:
            said = theorem.exact(**others, **{symbol: x})[key]
        except InputError:  # outside the domain, or open
            return False
        if wanted is None or said is None:
            return said is None and not most
        return said <= wanted if most else said >= wanted

    def inside(x):
        return any(
            (each.low is None or each.low < x or (each.with_low and each.low == x))
            and (each.high is None or x < each.high or (each.with_high and x == each.high))
            for each in found
        )

    near = {values[symbol]}
    for end in [end for each in found for end in (each.low, each.high) if end is not None]:
        middle = end if isinstance(end, Fraction) else end.low
        near |= {middle + step for step in (-1, -Fraction(1, 10**6), Fraction(1, 10**6), 1)}
        near |= {middle} if isinstance(end, Fraction) else set()
    for x in near:
        assert good(x) == bool(inside(x)), (symbol, key, wanted, most, others, x, [str(each) for each in found])


def extreme(theorem, source):
    """No number of a grid, near the ends and the limits too, is better than an optimum; a solution is put back."""
    values = theorem.values(source.choice(theorem.cases).example)
    counts = {queue.count.text for queue in theorem.family.queues}
    symbol, key = source.choice([slack.symbol for slack in theorem.domain.slacks]), source.choice(theorem.keys)
    if symbol in counts and values[symbol].denominator > 1:
        return
    others = {name: value for name, value in values.items() if name not in {symbol, *theorem.family.defined}}
    most = source.random() < 0.5
    best = (theorem.maximize if most else theorem.minimize)(key, symbol, **others)
    ends = [end for each in best.at for end in (each.low, each.high)] + [each.to for each in best.approached]
    near = [
        end if isinstance(end, Fraction) else getattr(end, "low", Fraction(10**6)) for end in ends if end is not None
    ]
    steps = [Fraction(0)] if symbol in counts else [Fraction(sign, 10**6) for sign in (-1, 0, 1)]
    grid = [Fraction(n, 1 if symbol in counts else 4) for n in range(24)]
    for x in {values[symbol], *grid, *(end + step for end in near for step in steps)}:
        try:
            said = theorem.exact(**others, **{symbol: x})[key]
        except InputError:  # outside the domain, or open
            continue
        found, bound = (order(never if each is None else each) for each in (said, best.value))
        assert (found <= bound) if most else (found >= bound), (symbol, key, others, x, best)
        if best.attained:
            assert (found == bound) == any(x in each for each in best.at), (symbol, key, others, x, best)
    wanted = theorem.exact(**values)[key]
    solutions = theorem.solve_for(symbol, **others, **{key: wanted})
    assert any(values[symbol] in each if isinstance(each, Interval) else values[symbol] == each for each in solutions)
    for each in [one for one in solutions if isinstance(one, Fraction)]:
        assert theorem.exact(**others, **{symbol: each})[key] == wanted, (symbol, key, others, each)


def beside(theorem, document, source):
    """A comparison with the theorem of another alpha, weight or size says what both answers say."""
    changed = json.loads(json.dumps(document))
    rules = changed["policy"]
    place = [key for key in ("alpha", "alphas", "cn2", "sizes", "weights") if isinstance(rules.get(key), str)]
    if not place:
        return
    rules[place[0]] = f"({rules[place[0]]})*2/3"
    other = derive(changed, Limits(seconds=SOON))
    key = source.choice(theorem.keys)
    if key not in other.keys:
        return
    found = theorem.compare(other, key, seconds=SOON)
    for values in places(theorem, source, 8):
        said = found.at(**values)
        if said is None:
            assert not found.complete, values
            continue
        mine, its = (each.evaluate(**values)[key] for each in (theorem, other))
        mine, its = (float("inf") if answer is None else answer for answer in (mine, its))
        assert said == (">" if mine > its else "<" if mine < its else "=="), (key, values, mine, its, said)


def pictured(theorem, source):
    """The regions are drawn over two symbols."""
    names = [slack.symbol for slack in theorem.domain.slacks]
    if len(names) > 1:
        x, y = source.sample(names, 2)
        values = theorem.values(theorem.cases[0].example)
        at = {name: value for name, value in values.items() if name not in {x, y, *theorem.family.defined}}
        assert theorem.regions((x, 0, 2 * values[x] + 1), (y, "1/2", 5), at, points=5).axes


def printed(theorem, document, seconds):
    """``dtmodel derive --json`` prints what the theorem says.

    A solver that answers in one run and not in the next may let a boundary belong to another of two right cases. What
    is printed is as strong as the certificate, which shows it in the time that is left or does not.
    """
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as out:
        path = Path(folder) / "family.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        assert run(["derive", str(path), "--json", "--seconds", str(seconds)]) == 0
    told = json.loads(out.getvalue())
    cases = [[{**case, "strength": ""} for case in one["cases"]] for one in (told, theorem.document())]
    said = [json.dumps(each).replace(" >= ", " > ") for each in cases]
    assert said[0] == said[1] or not (theorem.complete and told["complete"])


def outcome_of(document, source, seconds):
    """Attack one family; return what became of it in a word and in full, and at how many points it was compared."""
    try:
        theorem, compared, again = attacked(document, source, seconds=seconds)
    except InputError as error:
        return "refused", str(error), 0, 0
    except (Exception, TooLongError):  # noqa: BLE001  # whatever is raised is what is looked for
        return "fault", f"{traceback.format_exc()}\n{json.dumps(document)}", 0, 0
    said = "; ".join(theorem.open)
    if theorem.complete:
        return "complete", f"{len(theorem.cases)} cases", compared, again
    named = [next((k for k, text in STOPPED.items() if re.fullmatch(text, each)), "fault") for each in theorem.open]
    return "fault" if "fault" in named else min(named, key=KINDS.index), said, compared, again


def page(rows, options, commit):
    """Write what became of all families as Markdown."""
    kinds = [kind for kind in KINDS if any(row[kind] for row in rows.values())]
    total = sum(rows.values(), Counter())
    made = f"--count {sum(total[kind] for kind in KINDS)} --seed {options.seed} --seconds {options.seconds:g}"
    lines = [
        "# Derived theorems of random families",
        "",
        f"Made by `python tests/derive/attack.py {made} --output validation/results/derive-random.md`, which",
        f"`make derived` runs (commit {commit}, Python {platform.python_version()}, flint {version('python-flint')}).",
        EXPLAINED,
        "",
        f"| policy | families | {' | '.join(kinds)} | points | again |",
        f"|---|{'--:|' * (len(kinds) + 3)}",
    ]
    for name, row in [*rows.items(), ("all", total)]:
        cells = [sum(row[kind] for kind in KINDS), *(row[kind] for kind in kinds), row["points"], row["again"]]
        lines.append(f"| {name} | {' | '.join(f'{cell:,}' for cell in cells)} |")
    return "\n".join([*lines, "", MENDED]) + "\n"


def kept(file, run_of):
    """Return what became of families, by their numbers, in earlier runs of the same commit, seed and limit."""
    lines = file.read_text(encoding="utf-8").splitlines() if file and file.exists() else []
    return {number: found for run, number, found in map(json.loads, lines) if run == run_of}


def main():
    """Attack as many families as are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300, help="how many families")
    parser.add_argument("--seconds", type=float, default=20, help="limit of each derivation, and of its comparisons")
    parser.add_argument("--only", type=int, help="try one family again")
    parser.add_argument("--output", type=Path, help="write the table to this file")
    parser.add_argument("--kept", type=Path, help="keep what became of each family here, and begin after those there")
    options = parser.parse_args()

    def stop(_signal, _frame):
        raise TooLongError(f"{CPU_SECONDS} s of CPU time")

    signal.signal(signal.SIGPROF, stop)
    commit, rows = revision(), defaultdict(Counter)
    run_of = [commit, options.seed, options.seconds]
    before = kept(options.kept, run_of)
    for number in range(options.count) if options.only is None else [options.only]:
        source, name = Random(f"{options.seed}/{number}"), POLICIES[number % len(POLICIES)]
        if number in before:
            rows[name] += Counter(before[number])
            continue
        document = family(source, name)
        signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
        begin = time.process_time()
        outcome, text, compared, again = outcome_of(document, source, options.seconds)
        signal.setitimer(signal.ITIMER_PROF, 0)
        found = {outcome: 1, "points": compared, "again": again}
        rows[name] += Counter(found)
        if options.kept:
            with options.kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps([run_of, number, found]) + "\n")
        print(number, name, outcome, compared, again, f"{time.process_time() - begin:.1f} s:", text, flush=True)
        if options.output:
            options.output.write_text(page(rows, options, commit), encoding="utf-8")
    print(page(rows, options, commit))
    return int(any(row["fault"] for row in rows.values()))


if __name__ == "__main__":
    sys.exit(main())
