"""What the executable form of a claim supposes, its words say: else they say more than was shown."""

import re
from collections.abc import Iterator

import pytest
from ledger_cases import papers

from dtmodel.ledger.claim import Claim, text_of_form
from dtmodel.ledger.formal import Formal
from dtmodel.ledger.hunting import targets

SAID = {
    r"^(not )?follows$": r"Theorem|G_1|R_i - C\)|\([12]\d\)",
    r"\bdrop\(x, \w+\) >=? ": r"los[est]|drop",
    r"^R_1 >= C$": r"R\(t\)|pause",
    r"^R (<=|>) rho$": r"case|slow|fast|meanwhile|\\alpha M",
    r"^never$": r"TM_?[12]|timer|recogni",
}
"""What a form supposes of its own, and what then stands in the claim. The last is a timer that never expires."""

WHATEVER_THE_TIMERS_ARE = {"edt.sec4.1.T2", "edt.sec4.1.recognition", "edt.sec4.2.rule1", "edt.thm5.proof.counting"}
"""Of an instant at which a port is in a state, whatever brought it there: their forms let the timers be."""


def supposed(formal: Formal, own: str) -> Iterator[str]:
    """Yield what a form supposes beside what it inherits."""
    text = " ".join(own.split())
    yield from (item.text for item in formal.hypotheses if item.text in text)
    yield from re.findall(r"\btm[12] = (never)\b", own)


def unsaid(formal: Formal, own: str, words: str) -> set[str]:
    """Return what a form supposes and the words do not say."""
    found = set(supposed(formal, own))
    return {
        each for each in found for what, word in SAID.items() if re.search(what, each) and not re.search(word, words)
    }


def words_of(claim: Claim) -> str:
    return f"{claim.statement} {claim.assumption} {claim.repair}"


def test_the_words_say_what_the_form_supposes() -> None:
    collection = papers()
    wrong, met = [], set[str]()
    for claim in collection.claims.values():
        for target in targets([claim], collection.preludes):
            if not target.recorded or claim.id in WHATEVER_THE_TIMERS_ARE:
                continue
            own = text_of_form(claim, target.form)
            met |= {what for each in supposed(target.formal, own) for what in SAID if re.search(what, each)}
            wrong += [f"{claim.id} ({target.form}): {each}" for each in unsaid(target.formal, own, words_of(claim))]
    assert wrong == []
    assert met == set(SAID)


@pytest.mark.parametrize(
    ("name", "without", "found"),
    [
        ("edt.thm3.proof.drain", ", where Theorem 3 applies,", "not follows"),
        ("edt.eq57", ", until bytes are lost", "drop(x, 1) >= u"),
        ("edt.eq62", r"$R(t) \geq C$", "R_1 >= C"),
        ("edt.thm1.case-b.after.drain", "In case b, while", "R > rho"),
        ("edt.eq69", " with fresh counters, and a TM1 that does not expire before", "never"),
    ],
)
def test_what_is_left_out_of_a_claim_is_missed(name: str, without: str, found: str) -> None:
    collection = papers()
    claim = collection.claims[name]
    (formal,) = (target.formal for target in targets([claim], collection.preludes) if target.recorded)
    own = claim.formal + claim.formal_assumption
    assert unsaid(formal, own, words_of(claim).replace(without, "")) == {found}
