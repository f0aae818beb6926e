"""What is wrong in the papers: every statement that is false as printed, what is true, and its witness drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, final

from dtmodel.base.documents import choice
from dtmodel.base.errors import InputError
from dtmodel.base.mathtext import badge_of, block_of, html_of, paragraphs_of, text_of
from dtmodel.companion.roots import load
from dtmodel.companion.running import replays
from dtmodel.companion.witness_pictures import witness_picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from dtmodel.ledger import Claim, Collection

_WRONG = ("refuted", "misprint", "inconsistent")


@final
@dataclass(frozen=True)
class Errata:
    """The statements of one document, or of all, that are false as they are printed; `errata` makes it.

    Attributes
    ----------
    paper : str
        ``"edt"``, ``"losspass"``, ``"dynaq"``, ``"l2bm"``; empty: all of them.

    Examples
    --------
    >>> str(Errata("edt").claims["edt.fn9"].verdict)
    'refuted'
    """

    paper: str = ""

    @cached_property
    def collection(self) -> Collection:
        """The claims of all papers with their evidence."""
        return load()

    @cached_property
    def claims(self) -> dict[str, Claim]:
        """The claims by their ids, in the order of the documents."""
        known = self.collection.claims.values()
        return {c.id: c for c in known if c.verdict in _WRONG and self.paper in ("", c.paper)}

    def right(self, claim: str) -> str:
        """What is true instead of a `claim`, as plain text: its repair, the corrected one, or what the ledger notes.

        Examples
        --------
        >>> Errata().right("edt.fn9").startswith("The right condition")
        True
        """
        return text_of(self._right(claim))

    def _right(self, claim: str) -> str:
        found = self._claim(claim)
        corrected = self.collection.claims[found.corrected].statement if found.corrected else ""
        return found.repair or found.note or corrected or found.reason

    def draw(self, claim: str) -> list[Figure]:
        """Replay the witnesses of a claim and draw them: queues of a fluid run, packets of a trace, numbers.

        Parameters
        ----------
        claim : str
            One of `claims`.

        Returns
        -------
        list of matplotlib.figure.Figure
            Empty if the claim is shown to be false by an argument, without one witness.

        Raises
        ------
        InputError
            If it is none of `claims`.

        Examples
        --------
        >>> len(Errata("edt").draw("edt.fn9"))
        1
        """
        self._claim(claim)
        try:
            witnesses = replays(claim)
        except InputError:
            return []
        return [witness_picture(item["kind"], item["data"], item["answer"]) for item in witnesses]

    def _claim(self, claim: str) -> Claim:
        return self.claims[choice(claim, "claim", tuple(self.claims))]

    def _rows(self) -> Iterator[tuple[str, str, str, str, str]]:
        for claim in self.claims.values():
            yield claim.id, claim.source, claim.verdict, claim.statement, self._right(claim.id)

    def _repr_html_(self) -> str:
        return block_of(
            *(
                f"<p><strong><code>{escape(name)}</code></strong> {badge_of(verdict)} <em>{html_of(source)}</em><br/>"
                f"{html_of(said)}</p>{paragraphs_of([('instead', right)])}"
                for name, source, verdict, said, right in self._rows()
            )
        )

    def __str__(self) -> str:
        """One line for each statement: its id, its verdict and what it says."""
        return "\n".join(f"{name:40} {verdict:12} {text_of(said)}" for name, _, verdict, said, _ in self._rows())


def errata(paper: str = "") -> Errata:
    """Collect what is false as printed in one document, or in all.

    Parameters
    ----------
    paper : str, optional
        ``"edt"``, ``"losspass"``, ``"dynaq"`` or ``"l2bm"``; default: all.

    Raises
    ------
    InputError
        If there is no such document.

    Examples
    --------
    >>> errata("edt").claims["edt.fn9"].verdict
    'refuted'
    """
    found = Errata(paper)
    if paper:
        choice(paper, "paper", tuple(dict.fromkeys(claim.paper for claim in found.collection.claims.values())))
    return found
