"""Several questions of one kind, the first loss of several classes, and the length of a queue when it first loses."""

import json
from fractions import Fraction
from itertools import pairwise
from random import Random

import families
import pytest
from test_forms import ANSWER

from dtmodel import DT, EDT, Arrivals, InputError, Switch, simulate
from dtmodel.derive import Limits, derive
from dtmodel.derive.theorem.certificate import has_certificate
from dtmodel.derive.theorem.check import engine_at
from proofs.check_certificates import check

TWO_BURSTS = {**families.DURATION, "symbols": {**families.DURATION["symbols"], "S": "> C"}, "queues": [
    families.ENDING, {"arrivals": [["d", "S"]]},
]}  # fmt: skip


def asked(family, *asks):
    return derive({**family, "ask": list(asks)})


def checked(theorem):
    assert theorem.complete, theorem.open
    assert theorem.check_points(points=4) >= 4
    ANSWER.validate(theorem.document())
    return theorem


def test_questions_of_one_kind_are_told_apart_by_their_classes():
    theorem = checked(asked(families.THEOREM1, {"first_drop": 0}, {"first_drop": 1}))
    assert theorem.keys == ("first_drop_0", "free_at_first_drop_0", "first_drop_1", "free_at_first_drop_1")
    alone = derive(families.THEOREM1)
    for case, mine in zip(theorem.cases, alone.cases, strict=True):
        assert [case.answers[key] for key in theorem.keys[:2]] == list(mine.answers.values())
    assert check(json.loads(json.dumps(theorem.certificate()))) == ""
    assert r"F(t_{0}) = " in theorem.latex()
    assert theorem.evaluate(alpha=1, B=12, C=1, M=1, N=2, R=3, R_b=2).units["first_drop_1"] == "s"


def test_questions_about_one_class_at_two_times_are_numbered():
    theorem = checked(asked(families.STATIC, {"length": 0, "at": "d"}, {"length": 0, "at": "2*d"}))
    assert theorem.keys == ("length_1", "length_2")
    assert check(json.loads(json.dumps(theorem.certificate()))) == ""


@pytest.mark.parametrize("policy", [{}, {"policy": {"name": "complete"}}])
def test_the_first_loss_of_several_classes_is_the_earliest(policy):
    family, source = {**TWO_BURSTS, **policy}, Random(4)
    either = checked(asked(family, {"first_drop": [0, 1]}))
    seen = set()
    alone = [derive({**family, "ask": [{"first_drop": number}]}) for number in (0, 1)]
    for _ in range(30):
        values = either.values([Fraction(source.randint(1, 40), 8) for _ in either.domain.outer.names])
        values["M"] = Fraction(values["M"].__ceil__())
        each = [engine_at(theorem, values)["first_drop"] for theorem in alone]
        known = [drop for drop in each if drop is not None]
        assert either.exact(**values)["first_drop"] == (min(known) if known else None)
        seen.add(None if not known else each.index(min(known)))
    assert {0, 1} <= seen


def test_the_length_at_the_first_loss_is_the_threshold_then():
    theorem = checked(asked(families.THEOREM1, {"first_drop": 0}, {"length_at_first_drop": 0}))
    alpha = theorem.domain.outside()["alpha"]
    for case in theorem.cases:
        assert case.answers["length_at_first_drop"] == alpha * case.answers["free_at_first_drop"]
    certificate = json.loads(json.dumps(theorem.certificate()))
    assert check(certificate) == ""
    said = certificate["questions"][1]["cells"][0]["answers"]
    said["length_at_first_drop"] = certificate["questions"][0]["cells"][0]["answers"]["first_drop"]
    assert check(certificate) != ""


@pytest.mark.parametrize(
    "asks",
    [
        [{"first_drop": [0, 0]}],
        [{"first_drop": []}],
        [{"first_drop": [0, 9]}],
        [{"first_drop": 0}, {"first_drop": 0}],
        [{"recovered": True}, {"recovered": 1}],
        [{"length_at_first_drop": [0, 1]}],
        [{"length": 0, "at": "d"}, {"length": 0, "at": "d"}],
    ],
)
def test_a_question_that_is_asked_twice_or_about_nothing_is_refused(asks):
    with pytest.raises(InputError, match=r"^ask\[\d\]"):
        asked(families.DURATION, *asks)


def test_questions_without_a_certificate_or_words_are_refused_by_name(tmp_path):
    either = asked(families.THEOREM1, {"first_drop": [0, 1]})
    with pytest.raises(InputError, match=r"^ask: got \[0, 1\]; expected questions about one class"):
        either.certificate()
    for theorem in (either, asked(families.THEOREM1, {"length_at_first_drop": 0})):
        with pytest.raises(InputError, match=r"^ask: got "):
            theorem.to_claim("mine.either", tmp_path)


TWO = {"B": "> 0", "C": "> 0", "R": ">= 0", "S": "> C"}
CONSTANT = {"symbols": TWO, "policy": {"name": "complete"}, "switch": {"buffer": "B", "rate": "C"},
            "queues": [{"arrivals": [["0", "R"]]}, {"arrivals": [["0", "S"]]}]}  # fmt: skip
BESIDE = {**CONSTANT, "symbols": {**TWO, "alpha": "> 0", "beta": "> 0", "q": ">= 0, <= B/4"},
      "policy": {"name": "dt", "alpha": ["alpha", "beta"]}}  # fmt: skip
SETTLED = {
    "dt": (BESIDE, ["B*alpha/(1 + alpha + beta)", "0"]),
    "complete": (CONSTANT, ["B", "0", "B/2"]),
    "static": ({**CONSTANT, "symbols": {"S": "> 0, <= B", "q": ">= 0, <= S", "B": "> 0", "C": "> 0", "R": ">= 0"},
                "policy": {"name": "static", "sizes": "S"}, "queues": [{"arrivals": [["0", "R"]], "initial": "q"}]},
               ["0", "S", "q"]),
}  # fmt: skip


@pytest.mark.parametrize("name", SETTLED)
def test_a_steady_length_is_the_limit_on_boundaries_too(name):
    family, expected = SETTLED[name]
    theorem = checked(asked(family, {"length": 0, "at": "steady"}))
    assert [case["length"] for case in theorem.document()["cases"]] == expected
    certificate = json.loads(json.dumps(theorem.certificate()))
    assert check(certificate) == ""
    certificate["cells"][0]["ends"] = "until"
    assert check(certificate) != ""


def test_a_steady_length_is_what_a_long_run_has():
    later = checked(asked(BESIDE, {"length": 0, "at": "steady"}, {"threshold": 1, "at": "steady"}))
    run = simulate(Switch(2, 12, 1), DT([2, 1]), {0: Arrivals.constant(3), 1: Arrivals.constant(2)}, until=99)
    values = {"alpha": 2, "beta": 1, "B": 12, "C": 1, "R": 3, "S": 2, "q": 0}
    assert later.check(run, **values)
    assert later.exact(**values) == {"length": run.queue(0).at(99), "threshold": 3}


def test_long_run_shares_of_the_buffer_and_of_all_losses_have_their_own_units():
    family = {**BESIDE, "symbols": {**BESIDE["symbols"], "R": "> C", "N": ">= 1"},
              "queues": [BESIDE["queues"][0], {**BESIDE["queues"][1], "count": "N"}]}  # fmt: skip
    theorem = asked(family, {"buffer_share": 0}, {"loss_share": 0}, {"loss_rate": 1, "at": "steady"})
    checked(theorem)
    (case,) = theorem.document()["cases"]
    assert case["buffer_share"] == "alpha/(1 + alpha + beta*N)"
    assert case["loss_share"] == "(R - C)/(R - C + N*(S - C))"
    assert case["loss_rate"] == "S - C"
    assert theorem.units() == {"buffer_share": "", "loss_share": "", "loss_rate": "bytes/s"}
    run = simulate(Switch(3, 12, 1), DT([2, 1, 1]), {0: Arrivals.constant(3), 1: Arrivals.constant(2),
                                                     2: Arrivals.constant(2)}, until=99)  # fmt: skip
    assert theorem.check(run, alpha=2, beta=1, B=12, C=1, R=3, S=2, q=0, N=2)
    with pytest.raises(
        InputError, match=r"^ask: got 'buffer_share'; expected questions that are not about the long run"
    ):
        theorem.certificate()


def test_a_share_of_losses_does_not_exist_where_nothing_is_lost():
    theorem = checked(asked({**CONSTANT, "queues": CONSTANT["queues"][:1], "symbols": {
        name: TWO[name] for name in "BCR"}}, {"loss_share": 0}))  # fmt: skip
    assert theorem.evaluate(B=6, C=2, R=1).loss_share is None
    assert theorem.evaluate(B=6, C=2, R=5).loss_share == 1


def under_edt(alpha, timer, symbol, *queues):
    rules = {"name": "edt", "alpha": alpha, "cn2": "1", "tm1": "1", "tm2": timer}
    switch = {"buffer": "12", "rate": "1"}
    ask = [{"length": 0, "at": "steady"}]
    return {"symbols": {symbol: "> 0"}, "policy": rules, "switch": switch, "queues": list(queues), "ask": ask}


def test_lengths_under_edt_settle_after_the_last_timer():
    burst, later = {"arrivals": [["0", "4"]]}, {"arrivals": [["1", "3"]]}
    theorem = checked(derive(under_edt("alpha", "5", "alpha", burst, later)))
    for alpha in (Fraction(1, 9), Fraction(1, 2), 2, 7):
        arrivals = {0: Arrivals.constant(4), 1: Arrivals([(0, 0), (1, 3)])}
        run = simulate(Switch(2, 12, 1), EDT(alpha, 1, 1, 5), arrivals, until=99)
        assert theorem.exact(alpha=alpha) == {"length": run.queue(0).at(99)}
    certificate = json.loads(json.dumps(theorem.certificate()))
    assert check(certificate) == ""
    certificate["cells"][0]["phases"].pop()
    assert check(certificate) != ""


IN_TURN = {
    "symbols": {"alpha": "> 0", "B": "> 0", "C": "> 0", "R": "> C"},
    "policy": {"name": "edt", "alpha": "alpha", "cn2": "B/100"},
    "switch": {"buffer": "B", "rate": "C"},
    "queues": [{"arrivals": [["0", "R"]]}, {"arrivals": [["0", "R"]], "initial": "steady"}],
}


def test_ports_that_take_the_buffer_in_turn_under_edt_have_means_and_a_period():
    theorem = checked(asked(IN_TURN, {"length": 0, "at": "steady"}, {"period": True}))
    assert theorem.text().splitlines() == [
        "If alpha >= 1/98 and R <= C*(1 + alpha/(1 + alpha)):",
        "  length = B*(R + 4*alpha*C - 2*alpha*R)/(4*(C*(1 + alpha) - alpha*r))",
        "  period = 2*B/r",
        "If R > C*(1 + alpha/(1 + alpha)):",
        "  length = alpha*B/(1 + 2*alpha)",
        "  period = 0",
        "If alpha < 1/98:",
        "  length = alpha*B/(1 + 2*alpha)",
        "  period = 0",
        "with r = R - C",
    ]
    assert r"\text{period} = \begin{cases}" in theorem.latex()
    assert theorem.units() == {"length": "bytes", "period": "s"}
    means = derive({**IN_TURN, "ask": [{"length": 0, "at": "steady"}]})
    assert not has_certificate(means.found)
    with pytest.raises(InputError, match=r"^ask: got 'steady'; expected lengths that settle, for a certificate"):
        means.certificate()


def test_means_of_a_cycle_are_those_of_a_run_over_any_of_its_periods():
    asks = [{"length": 0, "at": "steady"}, {"threshold": 1, "at": "steady"}, {"loss_rate": 0}, {"buffer_share": 1},
            {"loss_share": 1}, {"period": True}, {"first_drop": 0}]  # fmt: skip
    theorem = checked(derive({**IN_TURN, "symbols": {"B": "> 0", "C": "> 0"}, "ask": asks, "policy": {
        "name": "edt", "alpha": "1", "cn2": "B/100"}, "queues": [
            {"arrivals": [["0", "5/4*C"]]}, {"arrivals": [["0", "5/4*C"]], "initial": "steady"}]}))  # fmt: skip
    said = theorem.exact(B=12, C=1)
    assert said["period"] == 96
    run = simulate(Switch(2, 12, 1), EDT(1, cn2="12/100 B"), {0: Arrivals.constant("5/4"), 1: Arrivals.constant("5/4")},
                   initial={1: "steady"}, until=500)  # fmt: skip
    assert theorem.check(run, B=12, C=1)
    queue = run.queue(0)
    for begin in (100, Fraction(1234, 7)):
        bends = sorted({begin, begin + 96, *(t for t in queue.breakpoints if begin < t < begin + 96)})
        halves = [(queue.at(a) + queue.at(b)) * (b - a) / 2 for a, b in pairwise(bends)]
        assert sum(halves) / 96 == said["length"]
        assert (queue.dropped(begin + 96) - queue.dropped(begin)) / 96 == said["loss_rate"]
    assert queue.at(100) != queue.at(148)


@pytest.mark.parametrize(("later", "period"), [([], 96), ([["500", "2"]], 0)])
def test_a_cycle_that_begins_as_at_time_0_or_ends_as_arrivals_change_is_none_that_lengths_return_to(later, period):
    """One port has the whole buffer at time 0, as once in each period."""
    family = {
        "symbols": {"R": "> 1, <= 3/2"},
        "policy": {"name": "edt", "alpha": "1", "cn2": "1/8"},
        "switch": {"buffer": "12", "rate": "1"},
        "queues": [{"arrivals": [["0", "R"], *later]}, {"arrivals": [["0", "R"], *later], "initial": "12"}],
    }
    theorem = asked({**family, "symbols": {}, "queues": json.loads(json.dumps(family["queues"]).replace("R", "5/4"))},
                    {"recovered": True}, {"period": True})  # fmt: skip
    assert checked(theorem).exact() == {"recovered": None, "period": period}
    if not later:
        assert checked(asked(family, {"recovered": True}, {"period": True})).exact(R="5/4")["period"] == period


def test_a_run_under_edt_that_only_approaches_a_cycle_is_open_by_name():
    family = {"symbols": {"q": ">= 3, <= 4"}, "policy": {"name": "edt", "alpha": "1", "cn2": "1", "tm2": "8"},
              "switch": {"buffer": "8", "rate": "1"}, "queues": [
                  {"arrivals": [["0", "3/2"]]}, {"arrivals": [["0", "3/2"]], "initial": "q"}]}  # fmt: skip
    theorem = derive({**family, "ask": [{"length": 0, "at": "steady"}]}, Limits(expiries=99, events=40))
    assert not theorem.complete
    assert "more than 40 phases" in theorem.open


def test_timers_that_expire_too_often_are_named():
    theorem = derive(under_edt("2", "T", "T", {"arrivals": [["0", "4"]]}), Limits(expiries=1))
    assert not theorem.complete
    assert "more than 1 expiries of timers" in theorem.open


_SETTLE = "a time: only length, threshold, buffer_share, loss_share, loss_rate, period become steady"


@pytest.mark.parametrize("given", [{"buffer_share": 0, "at": "3"}, {"loss_rate": 0, "by": "3"}])
def test_a_share_has_no_other_time_than_the_long_run(given):
    with pytest.raises(InputError, match="it is about the long run"):
        derive({**BESIDE, "ask": [given]})


@pytest.mark.parametrize(
    ("change", "accepted"),
    [
        ({"ask": [{"dropped": 0, "at": "steady"}]}, _SETTLE),
        ({"until": "5"}, f"{_SETTLE}, in a family without an end"),
    ],
)
def test_what_need_not_settle_is_refused(change, accepted):
    with pytest.raises(InputError, match=rf"^ask\[0\].at: got 'steady'; expected {accepted}"):
        derive({**BESIDE, "ask": [{"length": 0, "at": "steady"}], **change})
