"""Corrected theorems of the papers print the mathematics of derived ones: both are read from the LaTeX of theorems."""

import re
from fractions import Fraction
from functools import cache
from random import Random

import families
import pytest
from mathematics_reader import Reader

from dtmodel.base.expressions import evaluate, parse
from dtmodel.base.mathtext import symbol_of
from dtmodel.derive import Field, derive
from dtmodel.derive.algebra.language import read_expression
from dtmodel.derive.theorem.check import points_of
from dtmodel.theory import dt, statements

ALL = {statement.id: statement for statement in statements()}
SIGNS = {r"\leq": "<=", r"\geq": ">=", "<": "<", ">": ">", "=": "="}


def read(latex, letters):
    """Read an expression as text in which names are those of `letters`, which has the LaTeX of each."""
    plain = re.sub(r"\\(left|right)(?![a-z])", "", latex)
    plain = re.sub(r"\+ (\\sum.*?) \+ G_k", r"+ (\1) + G_k", plain)  # the reader takes a sum first or in parentheses
    return Reader(plain, {tex: name for name, tex in letters.items()}).whole()


def relation(latex):
    """Return both sides and the relation."""
    found = re.fullmatch(r"(.+?) (\\leq|\\geq|[<>=]) (.+)", latex)
    assert found, latex
    return found[1], SIGNS[found[2]], found[3]


def printed(statement):
    """Return for each case of a statement the relations that it prints, of which the first is that of the case."""
    found = []
    for heading, items in statement.words():
        if heading != "assumptions":
            texts = [part for text in (heading, *items) for part in re.findall(r"\$([^$]*)\$", text)]
            found.append([relation(text) for text in texts if re.search(r" (\\leq|\\geq|[<>=]) ", text)])
    return found


class Derived:
    """A derived theorem as its LaTeX is read: for each case its conditions, and its answers as quotients."""

    def __init__(self, document, symbol=None):
        self.theorem = derive(document)
        assert self.theorem.complete
        names = document["symbols"]
        self.values = {name: Field(names).symbol(name) for name in names}
        self.letters = {name: symbol_of(name) for name in names}
        *answers, last = self.theorem.latex(symbol).split("\n")[1:-1]
        lines = [line.removesuffix(r" \\") for line in (*answers, last)]
        for name, _, what in (line.partition(" = ") for line in lines if re.match(r"r(_\{\d\})? =", line)):
            plain = re.sub("[{}]", "", name)
            self.letters[plain], self.values[plain] = name, self.value(what)
        self.cases = list(zip(*(self.rows(line) for line in lines if not line.startswith("r")), strict=True))

    def value(self, latex, more=(), letters=()):
        known = {**self.values, **dict(more)}
        text = read(latex, {**self.letters, **dict(letters)})
        return read_expression(text, "", known.keys()).value(known) + self.zero

    @property
    def zero(self):
        return self.values["B"] - self.values["B"]

    def rows(self, line):
        """Yield the answer of each case and its conditions."""
        _, _, body = line.partition(" = ")
        inner = body.removeprefix(r"\begin{cases} ").removesuffix(r" \end{cases}")
        for row in re.split(r" \\\\ (?!& )", inner):
            answer, _, when = row.partition(r" & \text{if } ")
            conditions = [relation(each) for each in re.split(r",\\ |, \\\\ & ", when) if each]
            yield self.value(answer), [(left, sign, self.value(right)) for left, sign, right in conditions]

    def bounds(self, case, symbol):
        """Return the bounds of a symbol in a case."""
        return [(sign, right) for left, sign, right in case[0][1] if left == self.letters[symbol]]


@cache
def theorem1():
    return Derived(families.THEOREM1)


def test_theorem_1_is_printed_as_it_is_derived():
    derived = theorem1()
    assert len(derived.cases) == len(printed(dt.theorem1_corrected)) == 2
    for case, (bound, drop, free) in zip(derived.cases, printed(dt.theorem1_corrected), strict=True):
        assert (bound[0], drop[:2], free[:2]) == ("R", ("d_k", ">"), ("F", "="))
        assert derived.bounds(case, "R") == [(bound[1], derived.value(bound[2]))]
        assert [answer for answer, _ in case] == [derived.value(drop[2]), derived.value(free[2])]


def several(rates, **bounds):
    """Return the family of bursts of several rates that fall, asked about the first drop of each."""
    queues = [{"arrivals": [["0", f"R_{k}"]]} for k in range(1, rates + 1)]
    falling = {f"R_{k}": "> C" if k == rates else f"> R_{k + 1}" for k in range(rates, 0, -1)}
    symbols = families.RATES | {name: bounds.get(name, bound) for name, bound in falling.items()} | {"R_b": ">= C"}
    asks = [{"first_drop": k} for k in range(rates)]
    return families.family([*queues, families.STEADY], {}, symbols=symbols) | {"ask": asks}


def unrolled(statement, derived, rates):
    """Yield t_k and F_k of each port in turn, by the formulas that a statement prints."""
    grown = {symbol.latex: statement.explained(symbol) for symbol in statement.symbols}["G_k"]
    assert grown == r"$\sum_{i=k}^{M} \left(R_{i} - C\right)$"
    told = {left: right for left, sign, right in printed(statement)[-1] if sign == "="}
    own = [derived.values[f"R_{k}"] - derived.values["C"] for k in range(1, rates + 1)]
    before = derived.zero, derived.value(told["F_0"]) if "F_0" in told else derived.zero
    letters = {"R_k": "R_k", "G_k": "G_k", "t": "t_{k-1}", "F": "F_{k-1}", "t_k": "t_k", "k": "k"}
    for k in range(1, rates + 1):
        more = {"k": derived.zero + k, "R_k": derived.values[f"R_{k}"], "G_k": sum(own[k - 1 :], derived.zero)}
        more |= {"t": before[0], "F": before[1]}
        more["t_k"] = derived.value(told["t_k"], more, letters)
        before = more["t_k"], derived.value(told["F_k"], more, letters)
        yield from before


@cache
def following(rates):
    """Derive the drops of bursts whose sum obeys the hypothesis of Theorem 2."""
    others = " + ".join(f"R_{k}" for k in range(2, rates + 1))
    return Derived(several(rates, R_1=f"> R_2, <= {rates}*C + (1 + alpha*N)*C/alpha - ({others})"))


@pytest.mark.parametrize("rates", [2, 3])
@pytest.mark.parametrize("theorem", ["edt.thm2", "edt.ours.theorem2"])
def test_theorem_2_unrolled_is_what_is_derived_under_its_hypothesis(theorem, rates):
    statement, derived = ALL[theorem], following(rates)
    assert r"$G_1 \leq \frac{\left(1 + \alpha N\right) C}{\alpha}$" in dict(statement.words())["assumptions"]
    assert [[answer for answer, _ in case] for case in derived.cases] == [list(unrolled(statement, derived, rates))]


@pytest.mark.parametrize("rates", [2, 3])
def test_theorem_3_unrolled_is_what_is_derived_where_L_is_the_last_port(rates):
    statement = ALL["edt.thm3"]
    last = r"$G_k > \frac{\left(1 + \alpha \left(N + k - 1\right)\right) C}{\alpha}$"
    assert statement.explained(statement.symbols[-1]) == f"the last $k$ with {last}"
    derived = Derived(several(rates, **{f"R_{rates}": f"> C + (1 + alpha*(N + {rates - 1}))*C/alpha"}))
    assert [[answer for answer, _ in case] for case in derived.cases] == [list(unrolled(statement, derived, rates))]


@pytest.mark.parametrize("rates", [2, 3])
def test_every_case_of_several_rates_solves_the_equation_that_theorem_3_prints_when_corrected(rates):
    derived, source = Derived(several(rates)), Random(rates)
    (told,) = printed(dt.theorem3_corrected)
    equation = {left: right for left, _, right in told}
    letters = {name: symbol_of(name) for name in ("alpha", "B", "C", "N")} | {
        "R_k": "R_k", "G_k": "G_k", "t_k": "t_k", "F_0": "F_0", "k": "k", "R": "R", "t": "t", "j": "j",
    }  # fmt: skip
    total, free = (parse(read(equation[name], letters)) for name in ("B", "F_k"))
    seen = 0
    for case in derived.theorem.cases:
        for point in points_of(derived.theorem, case, 2, source):
            values = derived.theorem.values(point)
            answers = list(case.answers.values())
            times = [each.at(point) for each in answers[::2]]
            drawn = [values[f"R_{k}"] for k in range(1, rates + 1)]
            at = {name: values[name] for name in ("alpha", "B", "C", "N")} | {"R": drawn, "t": times}
            at["F_0"] = values["B"] / (1 + values["alpha"] * values["N"])
            assert times == sorted(times)
            for k, (rate, time) in enumerate(zip(drawn, times, strict=True), 1):
                here = at | {
                    "k": Fraction(k),
                    "R_k": rate,
                    "t_k": time,
                    "G_k": sum(drawn[k - 1 :]) - (rates - k + 1) * values["C"],
                }
                assert evaluate(total, here) == values["B"]
                assert evaluate(free, here) == answers[2 * k - 1].at(point)
                seen += 1
    assert seen > 10


IN_TIME = families.THEOREM5 | {"symbols": families.THEOREM5["symbols"] | {"T_1": ">= c_2/(R - C)"}}
"""Both timers are long enough, as Theorem 5 supposes."""


def test_theorem_5_and_69_are_printed_as_they_are_derived_on_their_hypotheses():
    derived, corrected, rule = Derived(IN_TIME, "c_2"), ALL["edt.ours.theorem5"], ALL["edt.eq69"]
    paper = {"c_2": "c_{n2}"}
    counting = re.findall(r"\$([^$]*)\$", dict(corrected.words())["assumptions"][1])
    assert [derived.value(each, (), paper) for each in counting] == [derived.value(r"\frac{c_{2}}{R - C}")]
    absorbed = [case for case in derived.cases if case[1][0] == derived.zero]
    missed = [case for case in derived.cases if case not in absorbed]
    overflows = [items[0].split("$")[1] for heading, items in corrected.words() if heading.startswith("if")]
    assert (len(absorbed), len(missed), len(overflows)) == (2, 2, 2)
    for case, overflow, (bound, counted) in zip(absorbed, overflows, printed(rule), strict=True):
        assert case[0][0] == derived.value(overflow)
        assert derived.bounds(case, "R")[0][1] == derived.value(bound[2])
        assert derived.bounds(case, "c_2") == [(counted[1], derived.value(counted[2]))]
    for case, (_, counted), drops in zip(missed, printed(rule), printed(dt.theorem1_corrected), strict=True):
        assert derived.bounds(case, "c_2") == [(">", derived.value(counted[2]))]
        assert [answer for answer, _ in case] == [derived.value(each[2]) for each in drops[1:]]
    assert derived.value(printed(ALL["edt.thm5"])[0][0][2]) == absorbed[0][0][0]


def test_70_to_72_are_the_bounds_and_the_identity_that_they_are():
    derived = theorem1()
    known = derived.values
    r, alpha, M, N = (known[name] for name in ("r", "alpha", "M", "N"))
    slow, fast = (derived.value(counted[2]) for _, counted in printed(ALL["edt.eq69"]))
    assert [r * case[0][0] for case in derived.cases] == [slow, fast]
    above = known["R"] - derived.bounds(derived.cases[1], "R")[0][1]
    fast_part = alpha * known["B"] / fast  # (1 + alpha N) ((1 + alpha M) r - alpha N C) / r
    assert slow - fast == alpha * M * above * alpha * N * slow / (r * fast_part)  # (70), where R is above its bound
    ((limit, *_),) = printed(ALL["edt.eq71.limit"])
    limit = derived.value(limit[2])
    assert fast - limit == limit * alpha * N * known["C"] / (r * fast_part / (1 + alpha * N))  # (71): tends to 0
    (number, *_) = printed(ALL["edt.eq73"])[0]
    for more in (0, 1, M):  # (72) for P = M + N + more: equal where M = N and P = M + N
        P = M + N + more
        least = derived.value(number[2], {"P": P}, {"P": "P"})
        gap = alpha * (M - N) * alpha * (M - N) + alpha * more * (4 + alpha * (2 * (M + N) + more))
        assert limit - least == limit * gap / ((2 + alpha * P) * (2 + alpha * P))
