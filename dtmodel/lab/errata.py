"""Errata of the papers: the statements that are false as printed, their corrections, and drawings of the witnesses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, final

from dtmodel.base.documents import choice
from dtmodel.base.errors import InputError
from dtmodel.base.mathtext import badge_of, block_of, html_of, paragraphs_of, text_of
from dtmodel.companion.reports import with_statements
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
    """The false statements as printed in one `paper`, such as ``"edt"``, or in all (empty); `errata` makes it.

    >>> str(Errata("edt").claims["edt.fn9"].verdict)
    'refuted'
    """

    paper: str = ""

    @cached_property
    def collection(self) -> Collection:
        """The claims of all papers with their evidence."""
        return with_statements(load())

    @cached_property
    def claims(self) -> dict[str, Claim]:
        """The false claims by their ids, in the order of the papers."""
        known = self.collection.claims.values()
        return {c.id: c for c in known if c.verdict in _WRONG and self.paper in ("", c.paper)}

    def right(self, claim: str) -> str:
        """Return the correction of a `claim` as plain text: its repair, its note, or the statement that corrects it.

        >>> Errata().right("edt.fn9").startswith("The right condition")
        True
        """
        return text_of(self._right(claim))

    def _right(self, claim: str) -> str:
        found = self._claim(claim)
        corrected = self._said(self.collection.claims[found.corrected]) if found.corrected else ""
        return found.repair or found.note or corrected or found.reason

    def _said(self, claim: Claim) -> str:
        """Return the caption of a claim with its statement, or its sentence."""
        said = self.collection.statement(claim)
        return f"{claim.caption}. {said}" if claim.caption else said

    def draw(self, claim: str) -> list[Figure]:
        """Replay the witnesses of a `claim` and draw them: queues, packets of a trace, or a table of numbers.

        The list is empty if the claim is refuted by an argument, without a witness. `InputError` if `claim` is not one
        of `claims`.

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

    def told(self, claim: str) -> str:
        """Return a `claim` as HTML: its id and verdict, the statement as printed, and its correction."""
        found = self._claim(claim)
        name = f"<strong><code>{escape(claim)}</code></strong> {badge_of(found.verdict)}"
        return (
            f"<p>{name} <em>{html_of(found.source)}</em><br/>"
            f"{html_of(self._said(found))}</p>{paragraphs_of([('instead', self._right(claim))])}"
        )

    def _repr_html_(self) -> str:
        return block_of(*map(self.told, self.claims))

    def __str__(self) -> str:
        """Return one line for each claim: its id, its verdict and its caption or sentence."""
        return "\n".join(f"{each.id:40} {each.verdict:12} {text_of(each.title)}" for each in self.claims.values())


def errata(paper: str = "") -> Errata:
    """Collect the statements that are false as printed in one `paper`, or in all, the default.

    Raises `InputError` unless `paper` is ``"edt"``, ``"losspass"``, ``"dynaq"``, ``"l2bm"`` or empty.

    >>> errata("edt").claims["edt.fn9"].verdict
    'refuted'
    """
    found = Errata(paper)
    if paper:
        choice(paper, "paper", tuple(dict.fromkeys(claim.paper for claim in found.collection.claims.values())))
    return found
