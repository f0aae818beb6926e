"""Exercises with a hint and a folded solution; the exact answer is computed when an answer is checked."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import NamedTuple, final

from dtmodel.base import units
from dtmodel.base.documents import choice
from dtmodel.base.errors import InputError, one_of
from dtmodel.base.mathtext import html_of, text_of
from dtmodel.base.units import Quantity


class Exercise(NamedTuple):
    """A question with a hint, a solution and its explanation.

    - `question`, `hint`, `why`: texts with mathematics between dollar signs; `why` explains the solution.
    - `solution`: a right answer as a reader would type it.
    - `answer` (callable): computes the exact answer, in base units.

    >>> Exercise("Compute $1 + 1$.", "Count.", "2", "One more than one.", lambda: 2).answer()
    2
    """

    question: str
    hint: str
    solution: str
    why: str
    answer: Callable[[], Fraction | int]


@final
@dataclass(frozen=True)
class Exercises:
    """The exercises of one notebook, in `each`, numbered from 1.

    >>> two = Exercises([Exercise("Compute $1 + 1$.", "Count.", "2", "One more than one.", lambda: 2)])
    >>> print(two)
    1. Compute 1 + 1.
    >>> print(two.check({1: 3}))
    1: not yet
    """

    each: Sequence[Exercise]

    def check(self, yours: Mapping[int, Quantity | None]) -> str:
        """Report for each exercise if the answer is right; see `check_answers` for `yours`."""
        numbered = dict(enumerate(self.each, 1))
        for number in yours:
            choice(str(number), "exercise", tuple(map(str, numbered)))
        return check_answers(yours, {n: numbered[n].answer() for n, said in yours.items() if said is not None})

    def __repr__(self) -> str:
        """Return the numbered questions without their solutions."""
        return "\n".join(f"{number}. {text_of(one.question)}" for number, one in enumerate(self.each, 1))

    def _repr_html_(self) -> str:
        return f"<ol>{''.join(map(_item, self.each))}</ol>"


def _item(one: Exercise) -> str:
    folded = {"Hint": html_of(one.hint), "Solution": f"<code>{escape(one.solution)}</code>. {html_of(one.why)}"}
    below = (f"<details><summary>{name}</summary>{text}</details>" for name, text in folded.items())
    return f"<li>{html_of(one.question)}{''.join(below)}</li>"


def check_answers(yours: Mapping[int, Quantity | None], expected: Mapping[int, Fraction | int]) -> str:
    """Report for each exercise if the answer is right, without the right answer.

    `yours`: the reader's answer by exercise: a number, with its unit if it has one; None if it is not answered yet.
    `expected`: the exact answer by exercise, in base units; required where `yours` has an answer. Raises `InputError`
    if an exercise does not exist, or an answer is not a quantity.

    >>> print(check_answers({1: "2 ms", 2: None, 3: 7}, {1: Fraction(1, 500), 3: 8}))
    1: right
    2: your turn
    3: not yet
    """
    lines = []
    for number, answer in yours.items():
        if answer is not None and number not in expected:
            raise InputError("exercise", number, one_of(map(str, expected), number))
        said = "your turn" if answer is None else "right" if expected[number] in _readings(answer) else "not yet"
        lines.append(f"{number}: {said}")
    return "\n".join(lines)


def _readings(answer: Quantity) -> list[Fraction]:
    """Return every reading of a quantity: as a number, as bytes, as a rate, as a time."""
    read = []
    for kind in (units.number, units.bytes_, units.rate, units.seconds):
        try:
            read.append(kind(answer, "answer"))
        except InputError:
            continue
    if not read:
        raise InputError("answer", answer, "a number, or a number with its unit")
    return read
