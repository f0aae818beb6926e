"""A derived theorem: cases with closed forms, evaluated, compared with the engine, and written."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dtmodel.base.documents import sequence, table
from dtmodel.base.errors import InputError
from dtmodel.base.mathtext import array_of
from dtmodel.derive.algebra.number import Ratio
from dtmodel.derive.algebra.writing import Writer
from dtmodel.derive.search.cases import NAMES, DerivedCase, condition
from dtmodel.derive.theorem.data import TheoremData

if TYPE_CHECKING:
    from dtmodel.derive.theorem.comparing import DerivedComparison
    from dtmodel.derive.theorem.inverse import Interval
    from dtmodel.derive.theorem.proving import DerivedProof


@dataclass(frozen=True, repr=False)
class DerivedTheorem(TheoremData):
    """What `derive` finds: cases that cover the domain and agree where they meet.

    Attributes
    ----------
    family : Family
        What was asked.
    domain : Domain
        The values that its symbols take.
    cases : tuple of DerivedCase
        They cover the domain.
    complete : bool
        Whether the cases are proved to cover the domain.
    open : tuple of str
        What is left open if they are not.
    seconds : float
        How long it took.
    statistics : mapping
        How many paths, cells, answers and questions to the solver it took.
    found : SymbolicExploration
        The open cells, of which the certificate is made.

    Examples
    --------
    >>> from dtmodel import derive
    >>> theorem = derive({
    ...     "symbols": {"alpha": "> 0", "B": "> 0", "C": "> 0", "R": ">= 0"},
    ...     "policy": {"name": "dt", "alpha": "alpha"}, "switch": {"buffer": "B", "rate": "C"},
    ...     "queues": [{"arrivals": [["0", "R"]]}], "ask": [{"first_drop": 0}],
    ... })
    >>> print(theorem)
    If R - C > 0:
      first_drop = alpha*B/((1 + alpha)*(R - C))
      free_at_first_drop = B/(1 + alpha)
    If C - R >= 0:
      first_drop = never
      free_at_first_drop = never
    >>> theorem.complete
    True
    """

    def document(self) -> dict[str, Any]:
        """Return the answer of ``dtmodel derive --json``."""
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

    def text(self) -> str:
        """Return the theorem in plain text."""
        lines = []
        for case in self.document()["cases"]:
            lines.append(f"If {' and '.join(case['when'])}:" if case["when"] else "Always:")
            for key in self.keys:
                lines.append(f"  {key} = {'never' if case[key] is None else case[key]}")
        if not self.complete:
            lines.append(f"Not complete: {'; '.join(self.open)}")
        return "\n".join(lines)

    def latex(self) -> str:
        """Return the theorem in LaTeX: for each question an equation with the cases."""
        writer = Writer(self.domain, latex=True)
        equations = []
        for key in self.keys:
            rows = []
            for case in self.cases:
                answer = case.answers[key]
                value = r"\infty" if answer is None else writer.ratio(answer, case.example)
                when = r",\ ".join(c.latex for c in case.when)
                rows.append(rf"{value} & \text{{if }} {when}" if when else value)
            body = r" \\ ".join(rows)
            cases = rf"\begin{{cases}} {body} \end{{cases}}" if len(rows) > 1 or "&" in body else body
            equations.append(f"{NAMES[key]} = {cases}")
        return array_of(equations) if len(equations) > 1 else "".join(equations)

    def compare(self, other: DerivedTheorem, key: str = "first_drop", seconds: float = 120) -> DerivedComparison:
        """Find exactly where this theorem's answer exceeds another's, equals it or falls below it; "never" exceeds all.

        Parameters
        ----------
        other : DerivedTheorem
            About the same question; symbols of the same name are the same and must be declared alike.
        key : str
            The answer to compare.
        seconds : float
            After which what is left is not proved.

        Raises
        ------
        InputError
            If a symbol is declared in two ways, or an answer is not in both.

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

        return compare_theorems(self, _theorem(other), key, seconds)

    def prove(self, seconds: float = 10, said: Sequence[DerivedCase] = ()) -> DerivedProof:
        """Prove anew, without what found the theorem, that its cases cover the domain and agree where they meet.

        z3 and cvc5 must both say so for each.

        Parameters
        ----------
        seconds : float
            For each question.
        said : sequence of DerivedCase
            What somebody else says; it is proved instead that these cover the domain and agree with the theorem.
        """
        from dtmodel.derive.theorem.proving import prove_theorem

        return prove_theorem(self, seconds, said)

    def case(self, when: Sequence[tuple[Ratio, str]], answers: Mapping[str, Ratio | None]) -> DerivedCase:
        """Return a case that somebody says, of functions of the symbols (`Domain.outside`).

        `when` are pairs of one and its relation to 0, and `answers` has one for each key; None: never.

        Examples
        --------
        >>> from dtmodel.derive import derive
        >>> theorem = derive({"symbols": {"B": "> 0", "C": "> 0", "R": "> C"}, "policy": {"name": "complete"},
        ...     "switch": {"buffer": "B", "rate": "C"}, "queues": [{"arrivals": [["0", "R"]]}],
        ...     "ask": [{"first_drop": 0}]})
        >>> s = theorem.domain.outside()
        >>> said = theorem.case([], {"first_drop": s["B"] / (s["R"] - s["C"]), "free_at_first_drop": s["B"] - s["B"]})
        >>> theorem.prove(said=[said]).complete
        True
        """
        parts = [(self.domain.without_positive(ratio.top * ratio.bottom), relation) for ratio, relation in when]
        turned = [(-p if r in {"<", "<="} else p, {"<": ">", "<=": ">="}.get(r, r)) for p, r in parts]
        return DerivedCase(tuple(condition(self.domain, p, r, None) for p, r in turned), answers, "said", ())

    def certificate(self, seconds: float = 300, said: Sequence[DerivedCase] = ()) -> dict[str, Any]:
        """Return what ``proofs/check_certificates.py`` verifies without the package; of several questions one by one.

        For each open cell: its conditions, its answers, the symbolic trajectory (when phases begin, lengths, slopes,
        who is in a reserve, below, on and above its threshold, which caps bind, what a full buffer admits, which queues
        EDT leaves uncontrolled and what its counters do) to the first drop, to the time that is asked about, to the end
        or for ever, and for every inequality that makes it one the factors that show it. In the units in which
        `units` are 1.
        `left_out` has the conditions of cells with an inequality that only the solver shows. `coverage` shows that
        every point lies in a cell, unless a condition is 0 there; the exclusions in it that rest on the solver are
        named ``smt``. `closure` has the cases of the theorem and shows that they are right, boundaries included: it
        goes through all signs of their conditions, 0 among them, and names those of which it shows nothing (``open``:
        `prove` proves what holds there). It is null where there are too many. Where trajectories inside have no limit,
        `faces` has families in which a symbol is a function of the others, whose cells come after those inside; each
        names its `face`. `undecided` names the cells, and
        which of the two, were not shown when the time was over.

        Parameters
        ----------
        seconds : float
            After which nothing more is shown.
        said : sequence of DerivedCase
            Cases as somebody else says them (`case`), which `closure` then has in place of the theorem's.

        Raises
        ------
        InputError
            If the theorem says nothing.
        """
        from dtmodel.derive.theorem.certificate import derived_certificate

        if self.found is None:
            raise InputError("theorem", "one without cells", "a theorem as derive returns it")
        return derived_certificate(self.found, seconds, said)

    def strengthened(self, certificate: Mapping[str, Any]) -> DerivedTheorem:
        """Return the theorem with the strength that its certificate shows.

        The solver may have been asked on the way to what identities show in the end.

        Parameters
        ----------
        certificate : mapping
            Of this theorem, as `certificate` returns it.

        Examples
        --------
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

    def inverse(
        self,
        symbol: str,
        wanted: Any,
        at: Mapping[str, Any] | Sequence[Mapping[str, Any]],
        key: str = "first_drop",
        *,
        most: bool = False,
    ) -> tuple[Interval, ...]:
        """Return all values of a symbol for which an answer is at least as large as wanted, or at most: exactly.

        Parameters
        ----------
        symbol : str
            The symbol to set, such as ``"alpha"`` or ``"B"``; a count of queues may be any real number here.
        wanted : quantity or None
            The least answer; None: never.
        at : mapping, or sequence of mappings
            Values of all other symbols; of several all must do, such as one for each M and N with M + N <= P.
        key : str
            The answer.
        most : bool
            `wanted` is the largest answer instead, such as for bytes lost; "never" is larger than any.

        Returns
        -------
        tuple of Interval
            Exact intervals, in order: the least and the largest value are the ends, where the ends belong to them.

        Raises
        ------
        InputError
            If a value is missing, unknown or outside its domain whatever the symbol is.
        """
        from dtmodel.derive.theorem.inverse import inverse

        several = [at] if isinstance(at, Mapping) else sequence(at, "at")
        return inverse(self, symbol, wanted, [table(each, "at") for each in several], key, most=most)

    def regions(
        self, x: tuple[str, Any, Any], y: tuple[str, Any, Any], at: Mapping[str, Any], points: int = 120
    ) -> Any:
        """Draw which case holds where, for two symbols.

        Parameters
        ----------
        x, y : tuple
            The name of a symbol with its least and largest value.
        at : mapping
            Values of the other symbols.
        points : int
            How many each way.

        Returns
        -------
        matplotlib.figure.Figure
        """
        from dtmodel.derive.theorem.picture import regions

        return regions(self, x, y, at, points)

    def _repr_latex_(self) -> str:
        """Show the theorem as mathematics in a notebook."""
        return f"$\\displaystyle {self.latex()}$"

    def __repr__(self) -> str:
        """Return the theorem as text."""
        return self.text()

    def check(self, points: int = 100, seed: int = 1, seconds: float = 300) -> int:
        """Compare with the exact engine at random points inside every region and on its boundaries.

        Parameters
        ----------
        points : int
            How many points for each case inside it, and at most as many on its boundaries.
        seed : int
            Of the points.
        seconds : float
            After which it ends, with fewer points: of what is left each case has the same share.

        Returns
        -------
        int
            How many points were compared; every one agreed with ``==``.

        Raises
        ------
        AssertionError
            If an answer differs from that of the engine: a wrong theorem.
        """
        from dtmodel.derive.theorem.check import check_theorem

        return check_theorem(self, points, random.Random(seed), seconds)


def _theorem(value: object) -> DerivedTheorem:
    if not isinstance(value, DerivedTheorem):
        raise InputError("other", value, "a derived theorem")
    return value
