"""The questions of a designer about an answer along one symbol, for derived theorems and statements alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, final

from dtmodel.base.documents import choice, sequence, table
from dtmodel.base.errors import InputError
from dtmodel.derive.algebra.dimensions import PURE, Grade
from dtmodel.derive.algebra.writing import Writer
from dtmodel.derive.search.cases import solved_conditions
from dtmodel.derive.theorem.data import CaseData, expressed, one_answer
from dtmodel.theorems import asking
from dtmodel.theorems.data import StatementData

if TYPE_CHECKING:
    from dtmodel.derive.algebra.domain import Domain
    from dtmodel.derive.search.cases import DerivedCase
    from dtmodel.derive.search.family import Declared
    from dtmodel.derive.theorem.comparing import DerivedComparison
    from dtmodel.derive.theorem.optimum import Optimum
    from dtmodel.derive.theorem.proving import DerivedProof
    from dtmodel.derive.theorem.stationary import Turns
    from dtmodel.theorems.roots import Solutions


class Asked(CaseData):
    """Cases that answer the questions of a designer.

    >>> [name for name in vars(Asked) if name.startswith("m")]
    ['maximize', 'minimize', 'maximin']
    """

    def text(self, symbol: str | None = None) -> str:
        """Return the theorem in plain text; the conditions are bounds of a `symbol` where possible.

        By default they are bounds of R, or else of d, delta or alpha; r stands for R - C where that is shorter.
        """
        from dtmodel.derive.theorem.printing import text_of

        return text_of(self, self._asked_for(symbol))

    def latex(self, symbol: str | None = None) -> str:
        """Return the theorem in LaTeX: an equation with cases for each answer.

        The `symbol` of the conditions is that of `text`.
        """
        from dtmodel.derive.theorem.printing import latex_of

        return latex_of(self, self._asked_for(symbol))

    def _asked_for(self, symbol: str | None) -> str | None:
        return symbol and choice(symbol, "symbol", tuple(slack.symbol for slack in self.domain.slacks))

    def __repr__(self) -> str:
        return self.text()

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    def _repr_html_(self) -> str:
        from dtmodel.derive.theorem.printing import html_for

        return html_for(self)

    def compare(self, other: Any, key: str = "first_drop", seconds: float = 120) -> DerivedComparison:
        """Find the exact regions in which this theorem's answer is greater than, equal to or less than that of another.

        The answer "never" is greater than every number.

        Parameters
        ----------
        other : DerivedTheorem or Statement
            A theorem about the same question; symbols with the same name must have the same declaration in two derived
            theorems. With a statement, the regions are those in which the hypotheses of both hold; of symbols that may
            be exchanged in both theorems, those for one order.
        key : str
            The answer to compare.
        seconds : float
            The time limit; regions that are not finished then are not proved.

        Raises
        ------
        InputError
            If a symbol has two different declarations, or an answer is missing in a theorem.

        Examples
        --------
        >>> from dtmodel.derive import derive
        >>> base = {"symbols": {"B": "> 0", "C": "> 0", "R": "> C", "S": "> 0, <= B", "alpha": "> 0"},
        ...         "switch": {"buffer": "B", "rate": "C"}, "queues": [{"arrivals": [["0", "R"]]}],
        ...         "ask": [{"first_drop": 0}]}
        >>> static = derive(base | {"policy": {"name": "static", "sizes": "S"}})
        >>> print(derive(base | {"policy": {"name": "dt", "alpha": "alpha"}}).compare(static))
        > if B*alpha - S*(1 + alpha) > 0
        == if S*(1 + alpha) - B*alpha == 0
        < if S*(1 + alpha) - B*alpha > 0
        """
        from dtmodel.derive.theorem.comparing import compare_theorems

        theorem = asking.in_algebra(other, self.family.symbols) if isinstance(other, StatementData) else other
        if not isinstance(theorem, Asked):
            raise InputError("other", other, "a derived theorem or a statement")
        one, another = (each.ordered if self.alike == theorem.alike else None for each in (self, theorem))
        return compare_theorems(one or self, another or theorem, key, seconds)

    def prove(self, seconds: float = 10, said: Sequence[DerivedCase] = ()) -> DerivedProof:
        """Prove with z3 and cvc5, independently of `derive`, that the cases cover the domain and agree where they meet.

        `seconds`: the time limit for each question to a solver. `said`: other cases, such as those of a paper; the
        proof is then that these cover the domain and agree with the theorem.
        """
        from dtmodel.derive.theorem.proving import prove_theorem

        return prove_theorem(self if said else self.ordered or self, seconds, said)

    def bounds_of(self, symbol: str, *, latex: bool = False) -> list[list[str]]:
        r"""Return the conditions of each case as bounds of a `symbol`, as text or as `latex`.

        A condition that is not linear in the symbol, or whose direction depends on other symbols, remains a polynomial
        beside 0. Raises `InputError` if the theorem does not have the symbol.

        >>> from dtmodel import derive
        >>> theorem = derive({"symbols": {"alpha": "> 0", "B": "> 0", "C": "> 0", "R": ">= 0"},
        ...     "policy": {"name": "dt", "alpha": "alpha"}, "switch": {"buffer": "B", "rate": "C"},
        ...     "queues": [{"arrivals": [["0", "R"]]}], "ask": [{"first_drop": 0}]})
        >>> theorem.bounds_of("R"), theorem.bounds_of("C", latex=True)
        ([['R > C'], ['R <= C']], [['C < R'], ['C \\geq R']])
        """
        choice(symbol, "symbol", tuple(slack.symbol for slack in self.domain.slacks))
        writer = Writer(self.domain, latex=latex)
        return [solved_conditions(writer, case.when, [symbol], case.example or None) for case in self.cases]

    def solve_for(self, unknown: str, **values: Any) -> Solutions | Turns:
        """Return the values of a symbol for which an answer has a given value: exactly, and all of them.

        Parameters
        ----------
        unknown : str
            The symbol.
        values
            One answer, which may be ``"never"``, and the other symbols.

        Returns
        -------
        Solutions or Turns
            A tuple in increasing order: fractions, `Algebraic` numbers, and an `Interval` if the answer has the value
            throughout it. If it is empty, its `why` has the reason: a bound of the answer. If a symbol has no value, or
            the answer is an expression such as ``"t"``: formulas for each case.

        Raises
        ------
        InputError
            If a value is missing, unknown or outside its domain.

        Examples
        --------
        >>> from dtmodel import derive
        >>> theorem = derive({"symbols": {"alpha": "> 0", "B": "> 0", "C": "> 0", "R": "> C"},
        ...     "policy": {"name": "dt", "alpha": "alpha"}, "switch": {"buffer": "B", "rate": "C"},
        ...     "queues": [{"arrivals": [["0", "R"]]}], "ask": [{"first_drop": 0}]})
        >>> theorem.solve_for("alpha", first_drop=2, B=3, C=1, R=2)
        (Fraction(2, 1),)
        >>> theorem.solve_for("alpha", first_drop=4, B=3, C=1, R=2)
        none: at most 3 s, as alpha tends to infinity
        >>> theorem.solve_for("B", first_drop="t")
        first_drop = t along B: case 0 has it at B = t*(R - C)*(1 + 1/alpha)
        """
        from dtmodel.derive.theorem.inverse import solve
        from dtmodel.derive.theorem.stationary import reached

        key = one_answer(self, values)
        given = {name: v for name, v in values.items() if name != key}
        if unknown not in given and (self._left({unknown: None, **given}) or expressed(values[key])):
            return reached(self._of_one_order({unknown, *given}), unknown, values[key], key, given)
        return solve(self, unknown, values[key], key, given)

    def inverse(
        self,
        symbol: str,
        wanted: Any,
        at: Mapping[str, Any] | Sequence[Mapping[str, Any]],
        key: str = "first_drop",
        *,
        most: bool = False,
    ) -> Solutions | CaseData:
        """Return all values of a `symbol`, exactly, for which an answer (`key`) is at least a `wanted` value.

        `wanted`: a quantity, or None for "never". With `most`, it is the largest answer instead, such as for bytes
        lost; "never" is greater than every number. `at`: values of all other symbols, or several such mappings, for
        all of which the result holds, such as one for each M and N with M + N <= P. A count of queues is treated as a
        real number. The result has each `Interval`, in order; if it is empty, its `why` has the reason: a bound of the
        answer. If a symbol has no value, or `wanted` is an expression such as ``"t"``, the result has the cases with a
        further condition, which ``text(symbol)`` writes as a bound. Raises `InputError` if a value is missing, unknown
        or outside its domain for every value of the symbol.
        """
        from dtmodel.derive.theorem.inverse import inverse
        from dtmodel.derive.theorem.restricting import at_least

        if isinstance(at, Mapping) and (self._left({symbol: None, **at}) or expressed(wanted)):
            return at_least(self, key, wanted, at, most=most)
        several = [at] if isinstance(at, Mapping) else sequence(at, "at")
        return inverse(self, symbol, wanted, [table(each, "at") for each in several], key, most=most)

    def part(self, family: Declared, domain: Domain, cases: tuple[DerivedCase, ...]) -> StatedTheorem:
        """Return a theorem about some symbols: their declarations (`family`), their `domain`, and the `cases`."""
        return StatedTheorem(family, domain, cases, self.complete, self.open)

    def _left(self, given: Mapping[str, Any]) -> list[str]:
        """Return the symbols without a value."""
        return [name for name in self.family.symbols if name not in given and name not in self.family.defined]

    def maximize(self, result: str, over: str | Sequence[str], **given: Any) -> Optimum | Turns:
        """Return the exact largest value of an answer along one symbol, and where it is attained or approached.

        Parameters
        ----------
        result : str
            The answer. The value "never" is greater than every number.
        over : str or sequence of str
            The symbol; a count of queues takes whole numbers. Of a sequence of symbols, all but the last must be such
            that the answer is best at an end of their values.
        given
            Values of the other symbols.

        Returns
        -------
        Optimum or Turns
            If a symbol has no value: for each case the direction of the answer, or the values at which it turns.
            For several symbols: the optimum along the last; its `where` has the values of the others.

        Raises
        ------
        InputError
            If a value is missing, unknown or outside its domain.

        Examples
        --------
        >>> from dtmodel import derive
        >>> theorem = derive({"symbols": {"alpha": "> 0", "B": "> 0", "C": "> 0", "N": ">= 0", "R": "> C"},
        ...     "policy": {"name": "dt", "alpha": "alpha"}, "switch": {"buffer": "B", "rate": "C"},
        ...     "queues": [{"arrivals": [["0", "R"]]}, {"count": "N", "initial": "steady", "arrivals": [["0", "C"]]}],
        ...     "ask": [{"first_drop": 0}]})
        >>> theorem.maximize("first_drop", over="alpha", B=12, C=1, N=2, R=4)
        maximum of first_drop: about 1.00849 s ((84 - 24*sqrt(6))/25), at alpha = sqrt(6)/2 (case 1)
        >>> theorem.maximize("first_drop", over="alpha").cases[1].texts
        ('sqrt((R - C)/(N*(R - C - C*N)))',)
        """
        return self._optimum(result, over, given, most=True)

    def minimize(self, result: str, over: str | Sequence[str], **given: Any) -> Optimum | Turns:
        """Return the exact smallest value of an answer along one symbol.

        The parameters are those of `maximize`: the answer (`result`), the symbol (`over`) and values of the other
        symbols (`given`).
        """
        return self._optimum(result, over, given, most=False)

    def worst_optimum(self, result: str, over: str, counts: Sequence[str], ports: int, **given: Any) -> Optimum:
        """Return the smallest maximum of an answer over all numbers of ports: each may have its own best value.

        Parameters
        ----------
        result, over : str
            The answer and the symbol, as for `maximize`.
        counts : sequence of str
            The symbols that are numbers of ports, such as ``["M", "N"]``; their sum is at most `ports`.
        ports : int
            The number of ports of the switch.
        given
            Values of all other symbols.

        Returns
        -------
        Optimum
            The maximum; its `where` has the numbers of ports for which it is the smallest.

        Examples
        --------
        >>> from dtmodel import derive
        >>> theorem = derive({"symbols": {"alpha": "> 0", "B": "> 0", "C": "> 0", "M": ">= 1", "R": "> C"},
        ...     "policy": {"name": "dt", "alpha": "alpha"}, "switch": {"buffer": "B", "rate": "C"},
        ...     "queues": [{"count": "M", "arrivals": [["0", "R"]]}], "ask": [{"first_drop": 0}]})
        >>> theorem.worst_optimum("first_drop", "alpha", ["M"], 4, B=12, C=1, R=3)
        maximum of first_drop: 1.5 s, approached as alpha tends to infinity (case 0); with M = 4
        """
        from dtmodel.derive.theorem.ports import PortCounts

        return PortCounts(self, result, over, counts, ports, given).worst_optimum()

    def maximin(self, result: str, over: str, counts: Sequence[str], ports: int, **given: Any) -> Optimum:
        """Return the largest guaranteed answer: one value of the symbol serves all numbers of ports.

        The parameters are those of `worst_optimum`: `result`, `over`, `counts`, `ports` and `given`. The optimum's
        `where` has the numbers of ports that determine it: those with the worst answer.

        >>> from dtmodel import derive
        >>> theorem = derive({"symbols": {"alpha": "> 0", "B": "> 0", "C": "> 0", "M": ">= 1", "R": "> C", "d": "> 0"},
        ...     "policy": {"name": "dt", "alpha": "alpha"}, "switch": {"buffer": "B", "rate": "C"},
        ...     "queues": [{"count": "M", "arrivals": [["0", "R"], ["d", "0"]]}], "ask": [{"first_drop": 0}]})
        >>> theorem.maximin("first_drop", "alpha", ["M"], 4, B=12, C=1, R=3, d=1).at[0]
        Interval(low=Fraction(1, 2), high=None, with_low=True, with_high=False, case=1)
        """
        from dtmodel.derive.theorem.ports import PortCounts

        return PortCounts(self, result, over, counts, ports, given).maximin()

    def regions(
        self, x: tuple[str, Any, Any], y: tuple[str, Any, Any], at: Mapping[str, Any], points: int = 120
    ) -> Any:
        """Draw the cases as regions over two symbols in a figure of Matplotlib.

        `x` and `y` have the name of a symbol with its least and largest value, `at` values of the other symbols;
        `points` is the number of points in each direction.
        """
        from dtmodel.derive.theorem.picture import regions

        return regions(self, x, y, at, points)

    def _of_one_order(self, names: set[str]) -> CaseData:
        """Return the theorem about one order of symbols that may be exchanged, if no name is one of them."""
        return self if self.ordered is None or names & {*self.alike} else self.ordered

    def _optimum(
        self, result: str, over: str | Sequence[str], given: Mapping[str, Any], *, most: bool
    ) -> Optimum | Turns:
        from dtmodel.derive.theorem.optimum import optimum, optimum_of_several
        from dtmodel.derive.theorem.slices import Restriction, refuse_symbol

        if not isinstance(over, str):
            return optimum_of_several(self, result, sequence(over, "over", least=1), given, most=most)
        refuse_symbol(self, over, "over")
        if over not in given and self._left({over: None, **given}):
            from dtmodel.derive.theorem.stationary import turns

            return turns(self._of_one_order({over, *given}), result, over, given)
        return optimum(self, [Restriction(self, result, over, given).only()], result, over, most=most)


@final
class StatedTheorem(Asked):
    """A statement in the algebra of derived theorems; its domain has the units of the results, too."""

    def grade(self, key: str) -> Grade:
        """Return the grade of a result."""
        return self.domain.measures.get(key, PURE)
