"""The game against a policy: with hindsight the optimum is the best of all choices; no play is worse than the ratio."""

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from dtmodel import DT, LQD, CompleteSharing, InputError, lab, ratio
from dtmodel.lab.hindsight import best_plan
from dtmodel.lab.panels import restored


def taken(ports: int, buffer: int, events: Any, choices: Any) -> int | None:
    """Return the packets that these choices accept; None if one does not fit."""
    lengths, choice, count = [0] * ports, iter(choices), 0
    for event in events:
        if event is None:
            lengths = [max(length - 1, 0) for length in lengths]
        elif next(choice):
            lengths[event] += 1
            count += 1
            if sum(lengths) > buffer:
                return None
    return count


@pytest.mark.parametrize("seed", range(12))
def test_the_plan_is_the_best_of_all_choices(seed: int) -> None:
    random = Random(seed)
    ports, buffer = random.choice([(1, 2), (2, 2), (2, 3), (3, 4)])
    events = [random.choice([*range(ports), *range(ports), None]) for _ in range(12)]
    packets = sum(event is not None for event in events)
    plan = best_plan(ports, buffer, events)
    all_choices = (taken(ports, buffer, events, choices) for choices in product((False, True), repeat=packets))
    assert sum(plan.accepted) == max(count for count in all_choices if count is not None)
    chosen = [taken for taken, event in zip(plan.accepted, events, strict=True) if event is not None]
    assert taken(ports, buffer, events, chosen) == sum(plan.accepted)


def so_far(answer: Any) -> Fraction:
    return Fraction(dict(answer["facts"])["ratio so far"])


@pytest.mark.parametrize(("policy", "buffer"), [(DT(1), 4), (DT(2), 5), (LQD(), 4)])
def test_the_worst_arrivals_come_as_near_to_the_ratio_as_one_likes_and_no_play_is_worse(
    policy: Any, buffer: int
) -> None:
    found = ratio(policy, ports=2, buffer=buffer)
    assert found.ratio is not None
    assert found.additive == 0
    game = lab.adversary(policy, buffer=buffer)
    worst = [so_far(game.answer({"values": {"moves": found.moves(rounds)}})) for rounds in (1, 40)]
    assert worst[0] <= worst[1] <= found.ratio
    assert found.ratio - worst[1] < Fraction(1, 10)
    assert dict(game.answer({})["facts"])["worst of all arrivals"] == str(found.ratio)
    random = Random(buffer)
    for _ in range(40):
        moves = " ".join(random.choice(["1", "1", "2", "|"]) for _ in range(20)) + " 1"
        assert so_far(game.answer({"values": {"moves": moves}})) <= found.ratio


def test_what_is_pushed_out_is_not_sent() -> None:
    answer = lab.adversary(LQD(), buffer=3).answer({"values": {"moves": "1 1 1 2"}})
    assert dict(answer["facts"])["the policy sends"] == "3 of 4"
    assert [len(bar["boxes"]) for bar in answer["bars"][:2]] == [2, 1]


def test_both_decisions_are_told() -> None:
    game = lab.adversary(DT(1), buffer=2)
    told = [game.answer({"values": {"moves": moves}})["decision"] for moves in ("", "1", "1 1", "1 1 |")]
    assert told == ["send a packet", "the policy accepts it, the optimum accepts it",
                    "the policy rejects it, the optimum accepts it", "every port with a packet sends one"]  # fmt: skip


@pytest.mark.parametrize("moves", ["3", "1 x", "11", 5, None, "1 " * 1001])
def test_moves_that_are_not_moves_are_named(moves: Any) -> None:
    answer = lab.adversary(CompleteSharing()).respond({"values": {"moves": moves}})
    assert "moves" in answer["error"]


@pytest.mark.parametrize(
    ("given", "field"), [({"ports": 5}, "ports"), ({"buffer": 25}, "buffer"), ({"moves": "9"}, "moves")]
)
def test_a_game_that_is_too_large_is_refused(given: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError, match=field):
        lab.adversary(DT(1), **given)


def test_the_game_is_drawn() -> None:
    figure = lab.adversary(DT(1), buffer=4, moves="1 1 1 1 | 2").figure()
    assert [len(axes.get_lines()) for axes in figure.axes] == [2, 2]
    assert [text.get_text() for text in figure.axes[1].get_xticklabels()] == ["start", "1", "1", "1", "1", "|", "2"]
    assert lab.adversary(DT(1), buffer=4, moves="1 2 | " * 20).figure().get_figwidth() == 8  # as wide as a page


def test_the_game_is_a_panel_of_the_site_that_a_browser_answers() -> None:
    game = restored()["adversary"]
    facts = dict(game.respond({"values": {"moves": "1 1 1 1 1 1"}})["facts"])
    assert (facts["ratio so far"], facts["worst of all arrivals"]) == ("2", "2")
    assert "dtm" in game.page((), ("../python.js", "adversary"))
