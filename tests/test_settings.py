"""Statements on a page: what several share stands there once, and half of them are read in 80 words."""

import re
from collections.abc import Sequence
from random import Random

import pytest
from ledger_cases import papers, told

from dtmodel.base.mathtext import text_of
from dtmodel.companion.words.packet_scenes import _MEANT
from dtmodel.ledger.settings import Reference, Settings

FORMS = [each.id for each in papers().claims.values() if each.formal]
DRAWN = Random(38).sample(FORMS, 60)


def sentences(text: str) -> list[str]:
    """The sentences of a statement in alphabetical order, each meaning and each definition as one of its own."""
    items = re.sub(r"(?<=\.)(\+\]|\[\+)? *\n*", "\\1\n", text)
    items = re.sub(r"(?<=\$)(,| and|;) (?=\$[^$]* = )|; (?=\$[^$]*\$ [A-Za-z])", "\n", items)
    return sorted(
        re.sub(r"^(Let|Here) |\.?(\[\+|\+\])? *$", "", line).replace("$ is ", "$ ") for line in items.split("\n")
    )


def whole(page: Settings, text: str) -> str:
    """The statement with every setting in its place."""
    return "".join(part if isinstance(part, str) else part.whole for part in page.pieces(text))


def words(page: Settings, text: str) -> int:
    """The number of words of a statement on its page, where formulas are words by their spaces, as in FORMS.md.

    A scenario, definition or meaning that the page has once counts by its title and the formulas that differ.
    """
    return len(text_of(page.text(text)).split())


def quantiles(lengths: Sequence[int]) -> tuple[int, int]:
    """The middle one of the lengths, and that which nine in ten do not exceed."""
    return sorted(lengths)[len(lengths) // 2], sorted(lengths)[len(lengths) * 9 // 10]


def test_no_word_is_lost_where_statements_stand_on_one_page() -> None:
    page = Settings([told(claim) for claim in DRAWN])
    assert page.printed()
    assert [claim for claim in DRAWN if sentences(whole(page, told(claim))) != sentences(told(claim))] == []


def test_a_word_of_packet_runs_that_needs_a_meaning_has_it_once() -> None:
    held = dict.fromkeys(_MEANT, 0)
    for text in map(told, FORMS):
        for word, meaning in _MEANT.items():
            if word in text.replace(meaning, ""):
                held[word] += 1
                assert text.count(meaning) == 1
    assert min(held.values()) > 3


def test_half_of_all_statements_have_80_words_on_their_page_and_nine_in_ten_have_180() -> None:
    lengths = []
    for paper in {papers().claims[claim].paper for claim in FORMS}:
        said = [told(claim) for claim in FORMS if papers().claims[claim].paper == paper]
        page = Settings(said)
        lengths += [words(page, text) for text in said]
        assert [text for text in said if sentences(whole(page, text)) != sentences(text)] == []
    middle, most = quantiles(lengths)
    assert middle <= 80
    assert most <= 180


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (
            [
                f"In the fluid model a switch with $B$ bytes runs DT with $\\alpha = {n}$. Then $B > {n}$."
                for n in (1, 2)
            ],
            "Given DT with $\\alpha = 2$ for $\\alpha = 1$. Then $B > 2$.",
        ),
        (
            [f"Let $y = {n}$ and $z = a + b + c + d$. Then $z > y$." for n in (1, 2)],
            "Given $z$. Let $y = 2$. Then $z > y$.",
        ),
        (
            [f"Here $q$ is the length of a queue; $x_{n}$ a number. Then $q > {n}$." for n in (1, 2)],
            "Given $q$. Here $x_2$ is a number. Then $q > 2$.",
        ),
        (
            [f"Here $Q(t)$ is the length of a queue at $t$. Then $Q(0) > {n}$." for n in (1, 2)],
            " Then $Q(0) > 2$.",
        ),
        ([f"Let $x > {n}$. Suppose that port $k$ loses bytes. Then $x > {n}$." for n in (1, 2)], ""),
    ],
)
def test_a_shared_setting_is_named_by_its_title_with_the_formulas_that_differ(said: list[str], shown: str) -> None:
    page = Settings(said)
    assert page.text(said[1]) == (shown or said[1])
    assert all(isinstance(part, str) or part.text == said[0].partition(". ")[0] + "." or part.title in ("$z$", "$q$")
               for part in page.pieces(said[0]))  # fmt: skip


def test_two_settings_of_one_title_are_told_apart() -> None:
    said = [f"Let $y = a + b + c + {k}$. Then $y > {n}$." for n in (1, 2) for k in (3, 4)]
    assert list(Settings(said).printed()) == ["$y$", "$y$ (2)"]
    assert isinstance(next(iter(Settings(said).pieces(said[0]))), Reference)


def test_a_formula_that_would_need_two_others_in_its_place_keeps_its_own_sentence() -> None:
    scenario = "In the fluid model a switch with $B$ bytes and ports of rate ${}$ runs DT with $\\alpha$ and ${}$."
    said = [f"{scenario.format(*rates)} Then $B > 0$." for rates in (("C", "C"), ("r", "s"))]
    assert Settings(said).text(said[1]) == said[1]
