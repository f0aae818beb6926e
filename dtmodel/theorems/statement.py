"""Statements of theorems as objects: evaluate them, solve them, print them, cite them, and check runs against them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any, cast, final

from dtmodel.base.documents import sequence, table
from dtmodel.base.errors import MISSING, InputError
from dtmodel.base.mathtext import array_of, badge_of, block_of, html_of, latex_of, latex_words, text_of
from dtmodel.theorems import asking, citations, data, evaluation, ledger_door, writing
from dtmodel.theorems.data import Branch, Condition, Formula, StatementData
from dtmodel.theorems.evaluation import Evaluated, never
from dtmodel.theorems.quantities import Symbol
from dtmodel.theorems.theorem import Theorem
from dtmodel.theorems.values import evaluate_at

if TYPE_CHECKING:
    from dtmodel.theorems.conclusions import StatedCase
    from dtmodel.theorems.data import Relation
    from dtmodel.theorems.questions import Sensitivity

__all__ = ["Branch", "Condition", "Evaluated", "Formula", "Statement", "never"]


@final
@dataclass(frozen=True, repr=False, eq=False)
class Statement(StatementData, Theorem):
    """A theorem or definition of a document, or one of this package: its formulas with the words around them.

    - `id`: the claim's id in the ledger.
    - `title`: a short name.
    - `symbols` (tuple of Symbol): the symbols with their meaning, unit and domain.
    - `assumes` (tuple of str or callable): the assumptions: relations as functions of symbols, or words with places as
      in a `Branch`, which may refer to `given`.
    - `says`: the conclusions of every case, in words with places as in a `Branch`.
    - `branches` (tuple of Branch): the cases, if there are several; the last applies where no other does.
    - `source`: document, section and equation numbers.
    - `bibtex`: the BibTeX entry of the document; by default chosen by the id. A theorem of this package also has its
      entry.
    - `formulas` (tuple of Formula): the results of every case.
    - `given` (tuple of callable): hypotheses that `assumes` states in words.
    - `notes` (tuple of Formula): formulas that only the words use.
    - `relations` (callable): returns further conclusions in SymPy.
    - `sequence` (tuple of Branch): the computation of the results of all ports, if `formulas` are those of port k.
    - `along` (callable): evaluates the statement at rates that vary in time, if a symbol with the domain "pieces" has a
      value; its parameters are the names of the symbols that have values then.
    - `beyond` (callable): evaluates the statement at exact numbers for which a hypothesis is false, such as rates in
      another order, by evaluating it at other numbers; None if it does not reach so far. It takes the values and the
      evaluation.
    - `by_port` (callable): returns the name of the case of each port; its parameters are names of symbols and results.
    - `decides` (callable): returns for each port True or False if it loses bytes and None if the statement does not
      decide; its parameters are names of symbols and results, and ``case``.
    - `observe` (callable): returns one or more pairs from a run: the values to evaluate the statement at, and the
      observed results.
    - `no_run`: the reason why no run of the fluid model can show the statement, if there is one.

    >>> buffer = Symbol("B", "the buffer", "bytes")
    >>> free = Symbol("F", "the free buffer", "bytes")
    >>> half = Formula("F", lambda B: B / 2)
    >>> law = Statement("x.y", "A law", (buffer, free), says=("$F = <F>$",), formulas=(half,), bibtex="@misc{here}")
    >>> print(law)
    A law [x.y]
      symbols
        B: the buffer (bytes)
        F: the free buffer (bytes)
      then
        - F = B/2
    >>> law.conclusions, law.evaluate(B="1 KB").F
    ((Eq(F, B/2),), Fraction(500, 1))
    """

    def __post_init__(self) -> None:
        object.__setattr__(self, "bibtex", self.bibtex or citations.entry_of(self.id))
        if not self.bibtex:
            raise InputError("bibtex", MISSING, f"a BibTeX entry, or an id of {', '.join(citations.ENTRIES)}")

    @property
    def hypotheses(self) -> tuple[Any, ...]:
        """The hypotheses in SymPy; each symbol carries its sign and integrality."""
        relations = [item for item in self.assumes if callable(item)] + ([] if self.sequence else list(self.given))
        symbols = {symbol.name: symbol.sympy for symbol in self.symbols}
        return tuple(data.at(relation, symbols) for relation in relations)

    @property
    def cases(self) -> tuple[StatedCase, ...]:
        """The cases in SymPy."""
        from dtmodel.theorems.conclusions import cases

        return cases(self)

    @property
    def conclusions(self) -> Any:
        """The conclusions as a tuple of SymPy relations; a result that differs between cases is a Piecewise."""
        from dtmodel.theorems.conclusions import conclusions

        return conclusions(self)

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of the results, as `results`."""
        return self.results

    @property
    def expressions(self) -> dict[str, Any]:
        """The right side of each result's equation or bound, in SymPy."""
        return evaluation.expressions(self, self.shown)

    @property
    def claim(self) -> ledger_door.Entry:
        """The entry of the ledger: statement, source, verdict on record and strength of the evidence."""
        return ledger_door.entry(self.id)

    def evaluate(self, *switch: Any, **values: Any) -> Evaluated:
        """Compute the results at given values.

        Parameters
        ----------
        switch : Switch, optional
            Its buffer, rate and ports are the values of B, C and P.
        values
            The value of each symbol of `inputs`, by name or alias (N or ``steady``): numbers, which may have units (the
            results are exact), SymPy expressions (the results are expressions), or arrays of NumPy or xarray (the
            results are in float64, NaN outside the hypotheses, with error bounds in ``errors()``). Some statements also
            take, as exact numbers, durations, or rates that vary in time.

        Returns
        -------
        Evaluated
            The results by name.

        Raises
        ------
        InputError
            If a value is not accepted, or numbers violate a hypothesis.
        """
        return cast("Evaluated", self._at(switch, values, lambda at: evaluate_at(self, at)))

    def _at(
        self,
        switch: tuple[Any, ...],
        values: Mapping[str, Any],
        answer: Callable[[dict[str, Any]], Any],
        but: object = "",
    ) -> Any:
        """Answer at values by name, of which a switch may have some, but not that of one symbol."""
        given: dict[str, str] = {}
        for word in values:
            name = self.aliases.get(word, word)
            if name in given:
                raise InputError(word, values[word], f"one value of {name}, which is also given as {given[name]}")
            given[name] = word
        if isinstance(but, str) and but in given:
            raise InputError(given[but], values[given[but]], f"no value: the question is about {but}")
        try:
            return answer(self._filled_in(switch, {name: values[word] for name, word in given.items()}, but))
        except InputError as error:
            raise data.under_names(error, given) from None

    def _named(self, word: Any) -> Any:
        """Return the name of a symbol for its name or an alias; other values are refused where they are used."""
        return self.aliases.get(word, word) if isinstance(word, str) else word

    def _filled_in(self, switch: tuple[Any, ...], values: Mapping[str, Any], unknown: object) -> dict[str, Any]:
        """Add the values that a switch has for the inputs, except the unknown."""
        if not switch:
            return dict(values)
        if len(switch) > 1 or not hasattr(switch[0], "buffer"):
            raise InputError("switch", switch, "one Switch, then values by name")
        (of,) = switch
        named = {"B": of.buffer, "C": of.rate, "P": of.ports}
        taken = (*self.inputs, *(data.parameter_names(self.along) if self.along else ()))
        return {name: value for name, value in named.items() if name in taken and name != unknown} | dict(values)

    def lambdify(self, result: str = "") -> Callable[..., Any]:
        """Return a NumPy function that computes a `result`, by default the first, from keywords for the symbols.

        It takes numbers and arrays in base units, computes in floats, and does not test the hypotheses. Raises
        `InputError` if the statement does not have the result; the function raises it if a value is missing or not
        numeric.
        """
        from dtmodel.theorems.questions import lambdified

        return lambdified(self, result)

    def solve_for(self, unknown: str, *switch: Any, **values: Any) -> Any:
        """Return the values of a symbol for which a result has a given value: exactly, and all of them if possible.

        If a symbol has no value, they are formulas for each case, as for a theorem that `derive` returned.

        Parameters
        ----------
        unknown : str
            The symbol.
        switch : Switch, optional
            Its buffer, rate and ports are the values of B, C and P.
        values
            The other symbols and one result.

        Returns
        -------
        Solutions
            A tuple in this order: fractions and exact algebraic numbers of SymPy, increasing; a SymPy set, if the
            result has the value throughout it, such as an interval between two steps; and, for equations that are not
            polynomial, a `FloatRoot` for each change of sign (needs SciPy). Its `missed` names solutions that may be
            missing, empty if none. An empty tuple has the reason in `why`: exact bounds of the result, or a hypothesis
            that excludes the solution.

        Raises
        ------
        InputError
            If a value is not accepted, or the result rounds an expression that is not a quotient of linear terms.
        """
        from dtmodel.theorems.solving import solutions

        name = self._named(unknown)

        def answer(at: dict[str, Any]) -> Any:
            inputs = data.inputs(self)
            left = [each for each in inputs if not each.optional and each.name not in (name, *at)]
            if not left or any(each.many for each in inputs):
                return solutions(self, name, at)
            return asking.in_algebra(self, (*at, name)).solve_for(name, **at)

        return self._at(switch, values, answer, name)

    def maximize(self, result: str, over: str | Sequence[str], *switch: Any, **given: Any) -> Any:
        """Return the exact largest value of a `result` along one symbol (`over`), with the values that attain it.

        The hypotheses hold throughout, and a bound counts as its right side. `given`: values of the other symbols, some
        of which a `switch` may supply; without them the directions and turns of the result in each case. Of several
        symbols, all but the last must be such that the result is best at an end of their values. Raises `InputError` if
        the results are not quotients of polynomials, such as those of a recursion over ports.

        >>> from dtmodel.theory import dt
        >>> dt.theorem1.maximize("first_drop", over="alpha", B=12, C=1, M=1, N=2, R=4)
        maximum of first_drop: about 1.00849 s ((84 - 24*sqrt(6))/25), at alpha = sqrt(6)/2 (case 1)
        """
        return self._asked("maximize", result, over, switch, given)

    def minimize(self, result: str, over: str | Sequence[str], *switch: Any, **given: Any) -> Any:
        """Return the exact smallest value of a `result` along `over`; `switch` and `given` are those of `maximize`."""
        return self._asked("minimize", result, over, switch, given)

    def worst_optimum(
        self, result: str, over: str, counts: Sequence[str], ports: int, *switch: Any, **given: Any
    ) -> Any:
        """Return the smallest maximum of a `result` over all numbers of ports: each may have its own best value.

        `counts` names the numbers, whose sum is at most `ports`; `over`, `switch` and `given` are those of `maximize`.

        >>> from dtmodel.theory import dt
        >>> dt.theorem1.worst_optimum("first_drop", "alpha", ["M", "N"], 4, B=12, C=1, R=3).where
        ({'M': 3, 'N': 1},)
        """
        return self._asked("worst_optimum", result, over, switch, given, counts, ports)

    def maximin(self, result: str, over: str, counts: Sequence[str], ports: int, *switch: Any, **given: Any) -> Any:
        """Return the largest `result` that one value of a symbol (`over`) guarantees for all numbers of ports.

        `counts`, `ports`, `switch` and `given` are those of `worst_optimum`.
        """
        return self._asked("maximin", result, over, switch, given, counts, ports)

    def _asked(self, question: str, result: str, over: Any, switch: tuple[Any, ...], given: Mapping[str, Any],
               counts: Any = None, *ports: Any) -> Any:  # fmt: skip
        key, several = self._named(result), isinstance(over, list | tuple) and counts is None
        symbols = [self._named(name) for name in (over if several else [over])]
        of = [] if counts is None else [[self._named(name) for name in sequence(counts, "counts")], *ports]

        def answer(at: dict[str, Any]) -> Any:
            values, along = data.read(self.symbols, at), symbols if several else symbols[0]
            return getattr(asking.in_algebra(self, (*values, *symbols)), question)(key, along, *of, **values)

        return self._at(switch, given, answer, symbols[-1] if symbols else "")

    def inverse(self, symbol: str, wanted: Any, at: Any, key: str = "", *, most: bool = False) -> Any:
        """Return all values of a `symbol`, exactly, for which a result is at least a `wanted` value, or at `most` it.

        `at` has values of all other symbols, or is a sequence of such mappings, for all of which the result holds; if a
        symbol has no value there, the result has the cases with a further condition. `key`: the result, by default the
        first. Raises `InputError` as `maximize` does.

        >>> from dtmodel.theory import dt
        >>> str(dt.theorem1.inverse("B", 3, {"alpha": 1, "C": 1, "M": 1, "N": 0, "R": 2})[0])
        '[6, oo)'
        """
        name, rows = self._named(symbol), [at] if isinstance(at, Mapping) else sequence(at, "at")
        each = [self._read(table(row, "at")) for row in rows]
        theorem = asking.in_algebra(self, {name, *(word for row in each for word in row)})
        given = each[0] if isinstance(at, Mapping) else each
        return theorem.inverse(name, wanted, given, self._named(key) or self.results[0], most=most)

    def compare(self, other: Any, key: str = "", seconds: float = 120) -> Any:
        """Find the exact regions in which a result is greater than, equal to or less than that of another theorem.

        `other`: a statement, or a theorem that `derive` returned; the regions are those in which the hypotheses of both
        hold. `key`: the result, by default the first. `seconds`: the time limit; later regions are not proved. Raises
        `InputError` as `maximize` does.

        >>> from dtmodel.theory import dt
        >>> dt.theorem1.compare(dt.theorem1_corrected)
        == always
        """
        named = (
            other.inputs if isinstance(other, StatementData) else getattr(getattr(other, "family", None), "symbols", ())
        )
        return asking.in_algebra(self, named).compare(other, self._named(key) or self.results[0], seconds)

    def prove(self, seconds: float = 10) -> Any:
        """Prove with z3 and cvc5 that the cases cover the hypotheses and agree where they meet.

        `seconds`: the time limit for each question to a solver. The formulas themselves are proved as a claim of the
        ledger. Raises `InputError` as `maximize` does.

        >>> from dtmodel.theory import dt
        >>> dt.theorem1.prove().complete
        True
        """
        return asking.in_algebra(self, ()).prove(seconds)

    def text(self) -> str:
        """Return the statement in plain text."""
        return "\n".join(_text_lines(self))

    def _read(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return data.read(self.symbols, {self._named(word): value for word, value in values.items()})

    def bounds_of(self, symbol: str, *, latex: bool = False) -> list[list[str]]:
        """Return the conditions of each case as bounds of a `symbol` where they are linear in it, as text or `latex`.

        >>> from dtmodel.theory import dt
        >>> dt.theorem1.bounds_of("R")[0]
        ['R <= C*(1 + (1 + alpha*N)/(alpha*M))']
        """
        name = self._named(symbol)
        return cast("list[list[str]]", asking.in_algebra(self, [name]).bounds_of(name, latex=latex))

    def regions(
        self, x: tuple[str, Any, Any], y: tuple[str, Any, Any], at: Mapping[str, Any], points: int = 120
    ) -> Any:
        """Draw the cases over `x` and `y` (name, least, largest) `at` other values, with `points` in each direction."""
        each = self._read(table(at, "at"))
        axes = [(self._named(axis[0]), *axis[1:]) for axis in (sequence(x, "x", least=1), sequence(y, "y", least=1))]
        return asking.in_algebra(self, [*each, *(axis[0] for axis in axes)]).regions(*axes, each, points)

    def sensitivity(self, result: str, to: str, *switch: Any, **values: Any) -> Sensitivity:
        """Return the derivative of a `result` with respect to an input (`to`), with its unit; other inputs are fixed.

        Without `values` it is an expression, else a number; a `switch` supplies some values. If an input is a list, the
        expression is that of port k. Between the steps of a floor or ceiling, the derivative treats it as a constant.
        Raises `InputError` if the result or input does not exist, if the expression for port k contains other results
        (give values), or if two cases with different derivatives meet at the point.
        """
        from dtmodel.theorems.questions import sensitivity

        over, name = self._named(result), self._named(to)
        return cast("Sensitivity", self._at(switch, values, lambda at: sensitivity(self, over, name, at)))

    def limit(self, result: str, symbol: str, to: Any, *switch: Any, **values: Any) -> Any:
        """Return the limit of a `result` as a `symbol` tends `to` a value from above, or to SymPy's ``oo``.

        Symbols without a value in `values` or `switch` remain in the limit. A whole number that tends to a value has
        that value. None if the result is undefined there. Raises `InputError` if the result or symbol does not exist, a
        hypothesis is false near the point, the values do not decide which case applies, or the limit does not exist.
        """
        from dtmodel.theorems.questions import limit_of

        over, name = self._named(result), self._named(symbol)
        return self._at(switch, values, lambda at: limit_of(self, over, name, to, at), name)

    def check(self, run: Any) -> bool:
        """Return True if a `run` of the fluid engine agrees with the statement exactly.

        Raises `InputError` if the statement does not cover the policy or the arrivals of the run, or no run of the
        fluid model (`no_run` has the reason), or if the run has rounded numbers.
        """
        if self.observe is None:
            why = f": {self.no_run}" if self.no_run else ""
            raise InputError("run", self.id, f"a statement that a run of the fluid model can show{why}")
        arithmetic = getattr(run, "arithmetic", None)
        if arithmetic != "exact":
            given = f"a run in {arithmetic} numbers" if arithmetic else run
            raise InputError("run", given, "an exact run of the fluid engine")
        return all(_obeyed(self.evaluate(**values), seen) for values, seen in self.observe(run))

    def citation(self) -> str:
        """Return the BibTeX entry of the source document, and of this package for a theorem of its own."""
        return self.bibtex

    def latex(self) -> str:
        """Return the statement as LaTeX, without dollar signs."""
        lines = [rf"\textbf{{{latex_words(self.title)}}}"]
        for label, items in self._sections():
            lines += [latex_of(label), *(r"\quad " + latex_of(item) for item in items)]
        return array_of(lines)

    def shown_condition(self, condition: Condition) -> str:
        """Write a `condition` as text: the first line of its function's docstring if it has one, else the relation."""
        return (condition.__doc__ or "").partition("\n")[0].rstrip(".") or text_of(
            f"${writing.written(self, condition)}$"
        )

    def words(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield the sections after the symbols: a heading, and its items in words and LaTeX."""
        yield from self._sections()

    def __repr__(self) -> str:
        return f"<{self.title} [{self.id}]>"

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        verdict = ledger_door.verdict(self.id)
        badge = f" {badge_of(verdict)}" if verdict else ""
        heading = f"<strong>{escape(self.title)}</strong> <code>{escape(self.id)}</code>{badge}"
        rows = "".join(
            f"<tr><td>{html_of(f'${s.latex}$')}</td><td>{html_of(self.explained(s))}</td><td>{escape(s.unit)}</td></tr>"
            for s in self.symbols
        )
        head = "<tr><th>symbol</th><th>meaning</th><th>unit</th></tr>"
        table = f"<details><summary>symbols</summary><table>{head}{rows}</table></details>" if rows else ""
        parts = [f"<p>{heading}<br/><em>{escape(self.source)}</em></p>"]
        parts += [f"<p>{html_of(label)}</p>{_html_list(items)}" for label, items in self._sections()]
        parts.append(table)
        return block_of(*parts)

    def _repr_latex_(self) -> str:
        return f"$${self.latex()}$$"

    def _sections(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        assumptions = tuple(self._assumption(item) for item in self.assumes)
        if assumptions:
            yield "assumptions", assumptions
        if self.says:
            yield "then", tuple(self.filled(text) for text in self.says)
        for branch in self.branches:
            condition = branch.condition
            when = f"${writing.written(self, condition)}$" if callable(condition) else self.filled(condition, branch)
            label = f"if {when}" if when else "always"
            yield f"{label} {branch.equations}".rstrip(), tuple(self.filled(text, branch) for text in branch.says)

    def _assumption(self, item: str | Condition) -> str:
        return f"${writing.written(self, item)}$" if callable(item) else self.filled(item)

    def explained(self, symbol: Symbol) -> str:
        """Return the meaning of a `symbol` in words and LaTeX, after the expression that it stands for, if any."""
        meaning = self.filled(symbol.meaning)
        return f"${writing.tex(symbol.stands())}$, {meaning}" if symbol.stands else meaning

    def filled(self, text: str, branch: Branch | None = None) -> str:
        """Replace the places in a `text` of the statement, or of one `branch`, by LaTeX."""
        formulas = (*(branch.formulas if branch else ()), *self.formulas, *self.notes)
        known: dict[str, Formula | Condition] = {held.__name__.lstrip("_"): held for held in self.given}
        known |= {formula.of: formula for formula in reversed(formulas)}
        symbols = {symbol.name: symbol for symbol in self.symbols}

        def latex(match: re.Match[str]) -> str:
            how, left, relation, name = match.groups()
            if how == "in":
                return writing.written(self, Formula(name, symbols[name].within, symbols=name))
            shown = known.get(name)
            if isinstance(shown, Formula) and left:
                shown = replace(shown, of=left, relation=cast("Relation", relation))
            return match[0] if shown is None else writing.written(self, shown, whole=bool(how or left))

        return re.sub(r"<(?:(is|in) |(\w+) ([<>]?=|[<>]) )?(\w+)>", latex, text)


def _obeyed(said: Evaluated, seen: Mapping[str, Any]) -> bool:
    """Return True if predicted and observed values agree; a prediction of None for a port agrees with everything."""
    for name, value in seen.items():
        told = said[name]
        if isinstance(told, list):
            told = [b if a is None else a for a, b in zip(told, value, strict=True)]
        if (None if told is never else told) != value:
            return False
    return True


def _text_lines(statement: Statement) -> Iterator[str]:
    yield f"{statement.title} [{statement.id}]"
    if statement.source:
        yield f"  source: {statement.source}"
    if statement.symbols:
        yield "  symbols"
    for symbol in statement.symbols:
        unit = f" ({symbol.unit})" if symbol.unit else ""
        yield f"    {text_of(f'${symbol.latex}$')}: {text_of(statement.explained(symbol))}{unit}"
    for label, items in statement.words():
        yield f"  {text_of(label)}"
        yield from (f"    - {text_of(item)}" for item in items)


def _html_list(items: tuple[str, ...]) -> str:
    return "<ul>" + "".join(f"<li>{html_of(item, display=True)}</li>" for item in items) + "</ul>"
