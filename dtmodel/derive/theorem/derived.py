"""Derived theorems: cases with closed forms, printed, compared, proved, inverted and checked against the engine."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dtmodel.base.errors import InputError
from dtmodel.base.mathtext import latex_words, symbol_of
from dtmodel.derive.algebra.number import Ratio
from dtmodel.derive.algebra.writing import LATEX, Writer
from dtmodel.derive.search.cases import DerivedCase, said_case
from dtmodel.derive.theorem.asked import Asked
from dtmodel.derive.theorem.data import TheoremData, event
from dtmodel.theorems.citations import PROJECT
from dtmodel.theorems.evaluation import Evaluated, letter
from dtmodel.theorems.operations import is_symbolic
from dtmodel.theorems.theorem import Theorem

if TYPE_CHECKING:
    from pathlib import Path

    from dtmodel.fluid.simulation import Run
    from dtmodel.theorems.quantities import Symbol
    from dtmodel.theorems.questions import Sensitivity


@dataclass(frozen=True, repr=False)
class DerivedTheorem(TheoremData, Asked, Theorem):
    """The result of `derive`: cases that cover the domain and agree on common boundaries.

    - `family` (Family): the family of scenarios.
    - `domain` (Domain): the domain of its symbols.
    - `cases` (tuple of DerivedCase): the cases.
    - `complete`: whether the cases are proved to cover the domain.
    - `open`: the parts that are not proved, if it is not complete.
    - `seconds`: the computing time.
    - `statistics`: the numbers of paths, cells, answers and calls of the solver.
    - `found` (SymbolicExploration): the open cells, from which the certificate is made.
    - `alike`: symbols that may be exchanged, since classes of queues are alike but for one of them each.
    - `ordered` (DerivedTheorem): the theorem about one order of these symbols, which is printed, if there are any.
    - `entry`: the function that returns the ledger's entry, if the theorem is that of a claim.

    >>> from dtmodel import derive
    >>> theorem = derive({
    ...     "symbols": {"alpha": "> 0", "B": "> 0", "C": "> 0", "R": ">= 0"},
    ...     "policy": {"name": "dt", "alpha": "alpha"}, "switch": {"buffer": "B", "rate": "C"},
    ...     "queues": [{"arrivals": [["0", "R"]]}], "ask": [{"first_drop": 0}],
    ... })
    >>> print(theorem)
    If R > C:
      first_drop = alpha*B/((1 + alpha)*(R - C))
      free_at_first_drop = B/(1 + alpha)
    If R <= C:
      first_drop = never
      free_at_first_drop = never
    >>> theorem.complete
    True
    """

    def document(self) -> dict[str, Any]:
        """Return the output of ``dtmodel derive --json``."""
        writer = Writer(self.domain)
        result: dict[str, Any] = {} if self.family.id is None else {"id": self.family.id}
        result |= {
            "cases": [
                {
                    "when": [condition.text for condition in case.when],
                    **{key: None if a is None else writer.ratio(a, case.example) for key, a in case.answers.items()},
                    "strength": case.strength,
                }
                for case in self.cases
            ],
            "complete": self.complete,
            "seconds": round(self.seconds, 3),
        }
        if self.open:
            result["open"] = list(self.open)
        return result

    def tex(self, symbol: str | None = None) -> str:
        r"""Return a document in LaTeX: the declared symbols, and one equation for each question.

        The conditions are bounds of a `symbol` where possible, by default of R, d, delta or alpha.

        >>> from dtmodel import derive
        >>> theorem = derive({"symbols": {"B": "> 0", "C": "> 0", "R": "> C"}, "policy": {"name": "complete"},
        ...     "switch": {"buffer": "B", "rate": "C"}, "queues": [{"arrivals": [["0", "R"]]}],
        ...     "ask": [{"first_drop": 0}]})
        >>> print(theorem.tex().split("\n\n")[2])
        \[ t = \dfrac{B}{R - C} \]
        """
        from dtmodel.derive.theorem.printing import equations

        given = ", ".join(self._declared(Writer(self.domain, latex=True)))
        lines = [f"\\[ {each} \\]".replace(r"\frac", r"\dfrac") for each in equations(self, symbol)]
        open_ = [] if self.complete else [rf"Not complete: {latex_words('; '.join(self.open))}"]
        head = "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}"
        return "\n\n".join([head, f"Let {given}. Then", *lines, *open_, "\\end{document}\n"])

    def _declared(self, writer: Writer) -> Iterator[str]:
        values, zero = self.domain.outside(), self.domain.outer(0)
        for relation in (relation for each in self.family.symbols.values() for relation in each):
            right = writer.ratio(zero + relation.right.value(values))
            yield f"${symbol_of(relation.left.text)} {LATEX[relation.sign]} {right}$"

    def evaluate(self, **values: Any) -> Evaluated:
        """Return the answers at given values of the symbols.

        `values`: one for each symbol: numbers, which may have units (the answers are exact), SymPy expressions (the
        answers are expressions), or arrays of one shape (of exact numbers). An event that does not occur is at `never`;
        an answer that does not exist then is None. Raises `InputError` if a value lies outside the domain, or no case
        is proved there.
        """
        if any(hasattr(value, "shape") and value.shape for value in values.values()):
            return Evaluated(self.arrays(values), units=self.units())
        if any(is_symbolic(value) and not value.is_number for value in values.values()):
            from dtmodel.derive.theorem.symbolic import symbolically

            return replace(symbolically(self, values), units=self.units())
        answers = {key: event(key, each) for key, each in self.exact(**values).items()}
        case, shown = self.case_at(**values), len((self.ordered or self).cases)
        number = letter(self.cases.index(case) % shown) if case and shown > 1 else None
        return Evaluated(answers, number, units=self.units())

    def case(self, when: Sequence[tuple[Ratio, str]], answers: Mapping[str, Ratio | None]) -> DerivedCase:
        """Make a case from functions of the symbols (`Domain.outside`), such as a case that a paper states.

        `when` has pairs of a function and its relation to 0; `answers` has a function for each key, or None for
        "never".

        >>> from dtmodel.derive import derive
        >>> theorem = derive({"symbols": {"B": "> 0", "C": "> 0", "R": "> C"}, "policy": {"name": "complete"},
        ...     "switch": {"buffer": "B", "rate": "C"}, "queues": [{"arrivals": [["0", "R"]]}],
        ...     "ask": [{"first_drop": 0}]})
        >>> s = theorem.domain.outside()
        >>> said = theorem.case([], {"first_drop": s["B"] / (s["R"] - s["C"]), "free_at_first_drop": s["B"] - s["B"]})
        >>> theorem.prove(said=[said]).complete
        True
        """
        return said_case(self.domain, when, answers)

    def certificate(self, seconds: float = 300, said: Sequence[DerivedCase] = ()) -> dict[str, Any]:
        """Return the certificate that ``proofs/check_certificates.py`` verifies without the package, for each question.

        For each open cell it has the conditions, the answers and the symbolic trajectory: the phases, with lengths and
        slopes of the queues, their positions relative to reserve, threshold and cap, the losses, and EDT's counters.
        Each inequality of the trajectory has factors that prove it. All are in the units in which `units` are 1.

        `left_out`: the conditions of cells with an inequality that only the solver shows. `coverage`: a proof that
        every point lies in a cell, except where a condition is 0; exclusions that rest on the solver are named ``smt``.
        `closure`: the cases of the theorem (or `said` instead) with a proof for all signs of their conditions, 0
        included, and the signs that remain ``open`` (`prove` covers those); null if there are too many. `faces`:
        families with one symbol replaced by a function of the others, if the trajectories inside have no limit; their
        cells follow the inner cells and name their `face`. `undecided`: the cells, and which of `coverage` and
        `closure`, that the time limit, `seconds`, cut off. Raises `InputError` if the theorem has no cells.
        """
        from dtmodel.derive.theorem.certificate import derived_certificate
        from dtmodel.derive.theorem.orders import renamed

        if self.found is None:
            raise InputError("theorem", "one without cells", "a theorem as derive returns it")
        if self.ordered:
            said = [renamed(case, self.domain, self.ordered.domain, {}) for case in said]
        return derived_certificate(self.found, seconds, said)

    def strengthened(self, certificate: Mapping[str, Any]) -> DerivedTheorem:
        """Return the theorem with the strength that its `certificate` proves.

        The derivation may have used the solver for facts that the certificate proves by identities.

        >>> from dtmodel.derive import derive
        >>> theorem = derive({"symbols": {"B": "> 0", "C": "> 0", "R": "> C", "S": "> 0, <= B", "d": "> 0"},
        ...     "switch": {"buffer": "B", "rate": "C"}, "policy": {"name": "static", "sizes": "S"},
        ...     "queues": [{"arrivals": [["0", "R"], ["d", "0"]]}], "ask": [{"first_drop": 0}]})
        >>> [case.strength for case in theorem.strengthened(theorem.certificate()).cases]
        ['certificate', 'certificate']
        """
        from dtmodel.derive.theorem.certificate import stands_alone

        if not self.complete or not stands_alone(certificate):
            return self
        return replace(self, cases=tuple(replace(case, strength="certificate") for case in self.cases))

    def to_claim(self, claim: str, folder: str | Path) -> list[Path]:
        """Write the theorem as a claim into a folder, which ``dtmodel verify --collection`` accepts; return the files.

        ``claims.toml`` has the statement, also in executable form; ``evidence.py`` the evidence, which derives the
        theorem of the family (``ID.family.json``) again and verifies the certificate (``ID.certificate.json``). Symbols
        that are words of executable statements get another name there. Other claims in the folder remain.

        Parameters
        ----------
        claim : str
            The id of the claim, such as ``"mine.staggered"``.
        folder : path
            The folder; it is created if necessary, and no claim is overwritten.

        Raises
        ------
        InputError
            If the theorem is not complete or not proved, the id is taken or has another form, or a question has no
            executable form.

        Examples
        --------
        >>> from tempfile import mkdtemp
        >>> from dtmodel.derive import derive
        >>> theorem = derive({"symbols": {"B": "> 0", "C": "> 0", "R": "> C"}, "policy": {"name": "complete"},
        ...     "switch": {"buffer": "B", "rate": "C"}, "queues": [{"arrivals": [["0", "R"]]}],
        ...     "ask": [{"first_drop": 0}]})
        >>> [path.name for path in theorem.to_claim("mine.sharing", mkdtemp())]
        ['claims.toml', 'evidence.py', 'mine.sharing.family.json', 'mine.sharing.certificate.json']
        """
        from dtmodel.theorems import ledger_door

        return ledger_door.write(self.ordered or self, claim, folder)

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """The symbols; their meaning is their declaration."""
        from dtmodel.derive.theorem.symbolic import symbols_of

        return symbols_of(self)

    @property
    def conclusions(self) -> tuple[Any, ...]:
        """The answers as SymPy equations; an answer that differs between cases is a Piecewise."""
        from dtmodel.derive.theorem.symbolic import conclusions

        return conclusions(self)

    @property
    def hypotheses(self) -> tuple[Any, ...]:
        """The declarations of the symbols as SymPy relations that the signs of the symbols do not imply."""
        from dtmodel.derive.theorem.symbolic import in_letters

        return in_letters(self).hypotheses

    def sensitivity(self, result: str, to: str, **values: Any) -> Sensitivity:
        """Return the derivative of a `result` with respect to a symbol (`to`), with its unit.

        `values`: numbers for all symbols (the derivative is exact), or none (it is an expression). Raises `InputError`
        if the derivatives below and above the point differ.

        >>> from dtmodel import derive
        >>> theorem = derive({"symbols": {"B": "> 0", "C": "> 0", "R": "> C"}, "policy": {"name": "complete"},
        ...     "switch": {"buffer": "B", "rate": "C"}, "queues": [{"arrivals": [["0", "R"]]}],
        ...     "ask": [{"first_drop": 0}]})
        >>> theorem.sensitivity("first_drop", "R", B=6, C=1, R=3)
        Sensitivity(value=Fraction(-3, 2), unit='s/(bytes/s)')
        """
        from dtmodel.derive.theorem.sides import sensitivity

        return sensitivity(self, result, to, values)

    def limit(self, result: str, symbol: str, to: Any, **values: Any) -> Any:
        """Return the limit of a `result` as a `symbol` tends `to` a value from above, or to infinity (``"oo"``).

        `values`: those of the other symbols. The limit is a fraction, an `Algebraic` number, `never`, or SymPy's
        ``oo``; at an end of the symbol, other symbols may remain in it. Raises `InputError` if the symbol cannot come
        near the value.

        >>> from dtmodel import derive
        >>> theorem = derive({"symbols": {"alpha": "> 0", "B": "> 0", "C": "> 0", "R": "> C"},
        ...     "policy": {"name": "dt", "alpha": "alpha"}, "switch": {"buffer": "B", "rate": "C"},
        ...     "queues": [{"arrivals": [["0", "R"]]}], "ask": [{"first_drop": 0}]})
        >>> theorem.limit("first_drop", "alpha", "oo", B=6, C=1, R=3), theorem.limit("first_drop", "alpha", "oo")
        (Fraction(3, 1), -B/(C - R))
        """
        from dtmodel.derive.theorem.sides import limit

        return limit(self, result, symbol, to, values)

    @property
    def claim(self) -> dict[str, Any]:
        """The entry of the ledger; `InputError` if the theorem is not that of a claim (`dtmodel.theorem`)."""
        return self.entry() if self.entry else super().claim

    @property
    def results(self) -> tuple[str, ...]:
        """The names of the answers, as `keys`."""
        return self.keys

    @property
    def bibtex(self) -> str:
        """The BibTeX entry of this package, which derived the theorem."""
        return PROJECT

    def citation(self) -> str:
        """Return the BibTeX entry of this package."""
        return self.bibtex

    def check(self, run: Run[Any], **values: Any) -> bool:
        """Return True if a `run` of the fluid engine has the theorem's answers at `values` of the symbols, exactly.

        The run's ports are those of the classes of queues, in order. Raises `InputError` if a value is missing or
        outside the domain, or if the run has rounded numbers or another number of ports.

        >>> from dtmodel import DT, Arrivals, Switch, derive, simulate
        >>> theorem = derive({"symbols": {"alpha": "> 0", "B": "> 0", "C": "> 0", "R": "> C"},
        ...     "policy": {"name": "dt", "alpha": "alpha"}, "switch": {"buffer": "B", "rate": "C"},
        ...     "queues": [{"arrivals": [["0", "R"]]}], "ask": [{"first_drop": 0}]})
        >>> run = simulate(Switch(1, 6, 1), DT(alpha=1), {0: Arrivals.constant(3)}, until=9)
        >>> theorem.check(run, alpha=1, B=6, C=1, R=3), theorem.check(run, alpha=2, B=6, C=1, R=3)
        (True, False)
        """
        from dtmodel.derive.theorem.simulating import answers_of

        return answers_of(self.family, run, self.values(self.point(values))) == self.exact(**values)

    def check_points(self, points: int = 100, seed: int = 1, seconds: float = 300) -> int:
        """Compare the theorem with the exact engine at random points inside every case and on its boundaries.

        Parameters
        ----------
        points : int
            The number of points inside each case, and the maximum number on its boundaries.
        seed : int
            The seed of the points.
        seconds : float
            The time limit, of which the remaining cases have equal shares; later points are left out.

        Returns
        -------
        int
            The number of points compared; the answers were equal (``==``) at all of them.

        Raises
        ------
        AssertionError
            If an answer differs from that of the engine.
        """
        from dtmodel.derive.theorem.check import check_theorem

        return check_theorem(self, points, random.Random(seed), seconds)
