"""A statement with the bounds of its search alone holds beyond them: a theorem is proved, larger instances agree."""

from dataclasses import replace
from random import Random

import pytest
from ledger_cases import paper_forms

from dtmodel.base.errors import InputError
from dtmodel.base.expressions import parse
from dtmodel.companion.words import VOCABULARY
from dtmodel.ledger.adversary import attack
from dtmodel.ledger.formal import Bound, Formal, Instance, read_formal
from dtmodel.ledger.hunting import Target
from dtmodel.ledger.statement import statement

SEARCHED = "for n : int 1..3; x >= 0; try n; then n + x >= 1"


def searched(formal: Formal) -> bool:
    return any(each.tried or any(bound.tried for bound in each.bounds) for each in formal.variables)


def beyond(formal: Formal) -> Formal:
    """The statement with three times the largest values and twice the lengths that bound its search."""
    texts: dict[str, str] = {}
    variables = []
    for each in formal.variables:
        bounds = tuple(
            replace(bound, value=parse(f"3*({bound.value.text})", "")) if bound.tried else bound
            for bound in each.bounds
        )
        texts |= {each.supposed(old): each.supposed(new) for old, new in zip(each.bounds, bounds, strict=True)}
        length = each.length
        if each.tried and length:
            texts[f"len({each.name}) <= {length.text}"] = f"len({each.name}) <= 2*{length.text}"
            length = parse(f"2*{length.text}", "")
        variables.append(replace(each, bounds=bounds, length=length))
    hypotheses = tuple(
        replace(each, text=texts[each.text], relation=parse(texts[each.text], "")) if each.text in texts else each
        for each in formal.hypotheses
    )
    return replace(formal, variables=tuple(variables), hypotheses=hypotheses)


def failing(targets: list[Target], cases: int) -> dict[str, object]:
    found = {}
    for each in targets:
        formal = beyond(each.formal)
        attacked = attack(formal, VOCABULARY, cases=cases, seed=38)
        if attacked.counterexample is not None:
            found[f"{each.claim} {each.form}"] = attacked.counterexample
    return found


def of_searches() -> list[Target]:
    return [each for each in paper_forms() if each.recorded and searched(each.formal)]


def test_bounds_of_a_search_are_no_part_of_the_statement() -> None:
    assert statement(read_formal(SEARCHED)) == (
        r"Let $n \geq 1$ be whole, and let $x \geq 0$. Then $n + x \geq 1$. (Searched: $n \leq 3$.)"
    )
    assert Instance(read_formal(SEARCHED), {"n": 4, "x": 0}, {}).truth().holds is None


@pytest.mark.parametrize("name", ["x", "y"])
def test_only_whole_numbers_with_a_largest_value_and_words_are_searched(name: str) -> None:
    with pytest.raises(InputError, match=f"'try {name}'.*a word, or a whole number with a largest value"):
        read_formal(f"for x >= 0; n : int 1..3; try {name}; then n > 0")


def test_a_statement_that_is_false_beyond_its_search_is_noticed() -> None:
    formal = read_formal("for n : int 1..3; try n; then n <= 5")
    assert searched(formal)
    assert not searched(read_formal("for n : int 1..3; then n <= 5"))
    assert beyond(formal).variables[0].bounds[1] == Bound("<=", parse("3*(3)", ""), tried=True)
    assert attack(beyond(formal), {}, cases=50).counterexample


def test_statements_hold_beyond_their_search() -> None:
    assert len(of_searches()) > 100
    assert failing(Random(38).sample(of_searches(), 12), 20) == {}


def test_all_statements_hold_beyond_their_search() -> None:
    assert failing(of_searches(), 150) == {}
