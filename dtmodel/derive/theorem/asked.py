"""The questions of a designer about an answer along one symbol, for derived theorems and statements alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dtmodel.base.documents import choice, sequence, table
from dtmodel.derive.search.cases import solved_conditions
from dtmodel.derive.theorem.data import CaseData

if TYPE_CHECKING:
    from dtmodel.derive.theorem.optimum import Optimum
    from dtmodel.derive.theorem.stationary import Turns
    from dtmodel.theorems.roots import Solutions


class Asked(CaseData):
    """Cases that answer the questions of a designer.

    >>> [name for name in vars(Asked) if name.startswith("m")]
    ['maximize', 'minimize', 'maximin']
    """

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
        return [solved_conditions(self.domain, case, symbol, latex=latex) for case in self.cases]

    def inverse(
        self,
        symbol: str,
        wanted: Any,
        at: Mapping[str, Any] | Sequence[Mapping[str, Any]],
        key: str = "first_drop",
        *,
        most: bool = False,
    ) -> Solutions:
        """Return all values of a `symbol`, exactly, for which an answer (`key`) is at least a `wanted` value.

        `wanted`: a quantity, or None for "never". With `most`, it is the largest answer instead, such as for bytes
        lost; "never" is greater than every number. `at`: values of all other symbols, or several such mappings, for
        all of which the result holds, such as one for each M and N with M + N <= P. A count of queues is treated as a
        real number. The result has each `Interval`, in order; if it is empty, its `why` has the reason: a bound of the
        answer. Raises `InputError` if a value is missing, unknown or outside its domain for every value of the symbol.
        """
        from dtmodel.derive.theorem.inverse import inverse

        several = [at] if isinstance(at, Mapping) else sequence(at, "at")
        return inverse(self, symbol, wanted, [table(each, "at") for each in several], key, most=most)

    def maximize(self, result: str, over: str, **given: Any) -> Optimum | Turns:
        """Return the exact largest value of an answer along one symbol, and where it is attained or approached.

        Parameters
        ----------
        result : str
            The answer. The value "never" is greater than every number.
        over : str
            The symbol; a count of queues takes whole numbers.
        given
            Values of the other symbols.

        Returns
        -------
        Optimum or Turns
            If a symbol has no value: for each case the direction of the answer, or the values at which it turns.

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

    def minimize(self, result: str, over: str, **given: Any) -> Optimum | Turns:
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

    def _optimum(self, result: str, over: str, given: Mapping[str, Any], *, most: bool) -> Optimum | Turns:
        from dtmodel.derive.theorem.slices import Restriction, refuse_symbol

        refuse_symbol(self, over, "over")
        free = [name for name in self.family.symbols if name not in given and name not in self.family.defined]
        if free not in ([], [over]):
            from dtmodel.derive.theorem.stationary import turns

            return turns(self, result, over, given)
        from dtmodel.derive.theorem.optimum import optimum

        return optimum(self, [Restriction(self, result, over, given).only()], result, over, most=most)
