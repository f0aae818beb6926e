"""Every documented form of a file, and that the answer has the documented form: by the schemas and by the reader."""

import json
from fractions import Fraction
from importlib.resources import files
from random import Random

import families
import pytest
from jsonschema import Draft202012Validator, ValidationError

from dtmodel import InputError
from dtmodel.derive import derive
from dtmodel.derive.algebra.domain import read_domain
from dtmodel.derive.algebra.language import read_expression, read_relation, read_relations
from dtmodel.derive.algebra.writing import Writer
from dtmodel.derive.search.family import read_family
from dtmodel.derive.theorem.check import engine_at


def schema(name):
    return Draft202012Validator(json.loads(files("dtmodel").joinpath("schemas", name).read_text(encoding="utf-8")))


FILE, ANSWER = schema("derive.json"), schema("derive-answer.json")
FAMILIES = {name: value for name, value in vars(families).items() if name.isupper() and "queues" in value}
CLASSES = [families.BURSTS, families.STEADY]
LIMITED = [{"alpha": "alpha", "reserved": "B/(9*M)", "cap": None}, {"alpha": 1, "reserved": None}]

POLICIES = {
    "one alpha": {"name": "dt", "alpha": "alpha"},
    "an alpha each": {"name": "dt", "alpha": ["alpha", 2]},
    "weights": {"name": "weighted", "weights": ["alpha", "2*alpha"]},
    "abm": {"name": "abm", "alphas": "alpha", "drains": [1, "1/2"]},
    "abm with priorities": {"name": "abm", "alphas": ["alpha", 2], "priorities": [0, 1], "drains": 1},
    "l2bm": {"name": "l2bm", "alpha": "alpha", "sojourns": [1, "2"]},
    "l2bm by the mean": {"name": "l2bm", "alpha": "alpha", "sojourns": ["B/C", 2], "normalisation": "mean"},
    "l2bm by the least": {"name": "l2bm", "alpha": "alpha", "sojourns": [3, 2], "normalisation": "least"},
    "pools": {"name": "pools", "limits": LIMITED},
    "sizes": {"name": "static", "sizes": ["B/(2*M)", "B/(2*(N + 1))"]},
}


@pytest.mark.parametrize("name", FAMILIES)
def test_the_families_of_the_tests_follow_the_schema(name):
    FILE.validate(FAMILIES[name])
    assert read_family(FAMILIES[name]).asks


@pytest.mark.parametrize("name", POLICIES)
def test_every_policy_is_read_and_answered(name):
    more = {"N": ">= 1"} if {"priorities", "normalisation"} & set(POLICIES[name]) else {}
    document = families.family(CLASSES, {"first_drop": 0}, more, policy=POLICIES[name])
    FILE.validate(document)
    theorem = derive(document)
    assert theorem.complete, theorem.open
    assert theorem.check_points(points=10) >= 10
    ANSWER.validate(theorem.document())


@pytest.mark.parametrize(
    ("ask", "keys"),
    [
        ({"first_drop": 1}, {"first_drop", "free_at_first_drop"}),
        ({"dropped": 0, "by": "d"}, {"dropped"}),
        ({"dropped": 0, "at": "d"}, {"dropped"}),
        ({"length": 0, "at": "2*d"}, {"length"}),
        ({"threshold": 0, "at": "0"}, {"threshold"}),
        ({"recovered": True}, {"recovered"}),
        ({"recovered": 1}, {"recovered"}),
    ],
)
def test_every_question_is_read_and_answered(ask, keys):
    symbols = {**families.SYMBOLS, "R_b": "> C", "d": "> 0"}
    document = families.family([families.ENDING, families.STEADY], ask, symbols=symbols)
    FILE.validate(document)
    theorem = derive(document)
    ANSWER.validate(theorem.document())
    assert set(theorem.keys) == keys
    assert theorem.check_points(points=5) >= 5


def test_several_questions_have_one_answer():
    asks = [{"first_drop": 0}, {"length": 1, "at": "d"}, {"dropped": 0, "by": "d"}]
    theorem = derive({**families.family([families.ENDING, families.STEADY], {}, {"d": "> 0"}), "ask": asks})
    assert theorem.keys == ("first_drop", "free_at_first_drop", "length", "dropped")
    assert theorem.check_points(points=10) >= 10
    ANSWER.validate(theorem.document())


def test_a_question_without_a_time_is_about_the_end():
    ending = derive(families.family(CLASSES, {"dropped": 0}, {"d": "> 0"}, until="d"))
    by = derive(families.family(CLASSES, {"dropped": 0, "by": "d"}, {"d": "> 0"}))
    assert [case["dropped"] for case in ending.document()["cases"]] == [c["dropped"] for c in by.document()["cases"]]


def test_never_is_null_and_nothing_else_is():
    document = families.family([families.ENDING], {"first_drop": 0}, symbols={**families.SYMBOLS, "d": "> 0"})
    cases = json.loads(json.dumps(derive(document).document()))["cases"]
    assert {case["first_drop"] is None for case in cases} == {True, False}
    assert all((case["first_drop"] is None) == (case["free_at_first_drop"] is None) for case in cases)


def test_numbers_may_be_numbers_and_decimals_are_exact():
    fixed = {"M": 2, "N": 3}
    queues = [{**queue, "count": fixed[queue["count"]]} for queue in CLASSES]
    theorem = derive(families.family(queues, {"first_drop": 0}, policy={"name": "dt", "alpha": "0.5"}))
    same = derive(families.family(queues, {"first_drop": 0}, policy={"name": "dt", "alpha": 0.5}))
    point = {name: Fraction(5, 3) for name in families.SYMBOLS} | {"R": Fraction(7), "M": Fraction(2)}
    assert theorem.exact(**point) == same.exact(**point)
    assert theorem.check_points(points=10) >= 10


@pytest.mark.parametrize("name", ["THEOREM1", "DURATION", "LOST", "COMPLETE"])
def test_the_answer_is_made_of_the_symbols_and_arithmetic_alone(name):
    theorem = derive(FAMILIES[name])
    document, names = theorem.document(), set(FAMILIES[name]["symbols"])
    ANSWER.validate(document)
    for case, shown in zip(theorem.cases, document["cases"], strict=True):
        values = theorem.values(case.example)
        for text in shown["when"]:
            relation = read_relation(text, "when", names)
            assert {">": 1, ">=": 0, "==": 0}[relation.sign] in {0, 1}
            value = relation.left.value(values)
            assert value > 0 or (value == 0 and relation.sign != ">")
        for key in theorem.keys:
            if shown[key] is not None:
                assert read_expression(shown[key], key, names).value(values) == theorem.exact(**values)[key]


@pytest.mark.parametrize(
    ("symbols", "rate", "written"),
    [({"C": "> 1/2"}, "2*C + 1/2", "2*B/(3*(1 + 2*C))"), ({"C": "> 1/3"}, "2*C + 1/2", "2*B/(3*(1 + 2*C))"),
     ({"C": "> 0", "x": ">= 1/C"}, "2*C + x - 1/(2*C)", "2*B*C/(3*(2*C*(C + x) - 1))")],
)  # fmt: skip
def test_a_bound_that_is_a_fraction_leaves_no_factor_out(symbols, rate, written):
    """With C = c + 1/2 inside, c + 1 is C + 1/2: half of 2 C + 1; a wrong text beside a right value otherwise."""
    theorem = derive({
        "symbols": {"B": "> 0", **symbols}, "policy": {"name": "dt", "alpha": 1},
        "switch": {"buffer": "B", "rate": "C"}, "queues": [{"count": 2, "arrivals": [[0, rate]]}],
        "ask": [{"first_drop": 0}],
    })  # fmt: skip
    (case,) = theorem.document()["cases"]
    assert case["first_drop"] == written
    values = {"B": Fraction(9), "C": Fraction(1), **({"x": Fraction(3)} if "x" in symbols else {})}
    assert read_expression(written, "x", set(values)).value(values) == theorem.exact(**values)["first_drop"]


@pytest.mark.parametrize("bounds", [{"a": "> 0", "C": "> 1/2", "R": "> C"}, {"a": "> 1/3", "C": "> 0", "R": ">= 1/C"},
                                    {"a": "> 2", "C": "> 3/2*a", "R": "> C + 1/4"}])  # fmt: skip
def test_what_is_written_is_what_was_to_be_written(bounds):
    """Sums, products and quotients of slacks, at random; and some that are shorter in symbols, but for a divisor."""
    relations = {name: read_relations(name, text, "", set(bounds)) for name, text in bounds.items()}
    domain = read_domain(relations, [], [], [], [])
    point, source = [Fraction(2, 3), Fraction(5, 4), Fraction(7)], Random(9)
    values = {name: ratio.at(point) for name, ratio in domain.outside().items()}

    def drawn():
        terms = [source.choice((1, 1, 2, -1, -3)) * source.choice(domain.outer.symbols) ** source.randint(0, 2)
                 * source.choice(domain.outer.symbols) ** source.randint(0, 1) for _ in range(3)]  # fmt: skip
        return sum(terms, domain.outer(0))

    a, C, R = (domain.outer.symbols[domain.outer.names.index(slack.name)] for slack in domain.slacks)
    fractions = [C**2 + C + 1, a * (C**2 + C + 1) - R * C**3, C**2 * R**3 + 3 * C * R**2 + 3 * R + a]
    pairs = [(part, domain.outer(1)) for part in fractions]
    pairs += [(drawn() * source.choice((drawn(), 2)), drawn() * source.choice((drawn(), 3))) for _ in range(50)]
    for above, below in pairs:
        if above and below:
            text = Writer(domain).ratio(above / below)
            assert read_expression(text, "x", set(bounds)).value(values) == (above / below).at(point), text
            sign = read_expression(Writer(domain).polynomial(above.top), "x", set(bounds)).value(values)
            assert (sign > 0, sign < 0) == (above.at(point) > 0, above.at(point) < 0)


def test_the_example_of_every_case_lies_in_it():
    """Several regions may have one answer, and each is of other cells."""
    theorem = derive({
        "symbols": {"B": "> 1/2", "C": "> 1/2", "R": "> 0", "d": "> 0"}, "policy": {"name": "dt", "alpha": "3/2"},
        "switch": {"buffer": "B", "rate": "C"}, "ask": [{"dropped": 0, "at": "1/2"}],
        "queues": [{"count": 2, "arrivals": [["0", "R"], ["d", "3*C"]]}],
    })  # fmt: skip
    assert len(theorem.cases) > len({case.answers["dropped"] for case in theorem.cases})
    assert all(c.holds(case.example) for case in theorem.cases for c in case.when)
    assert "C - R >= 0" in theorem.document()["cases"][0]["when"]


def test_an_id_is_repeated():
    assert derive({**families.THEOREM1, "id": "a", "version": 1}).document()["id"] == "a"
    assert "id" not in derive(families.THEOREM1).document()


def test_a_family_of_numbers_alone_has_one_case():
    document = {"symbols": {}, "policy": {"name": "dt", "alpha": 1}, "switch": {"buffer": 12, "rate": 1},
                "queues": [{"arrivals": [[0, 3]]}], "ask": [{"first_drop": 0}]}  # fmt: skip
    theorem = derive(document)
    assert theorem.exact() == {"first_drop": 3, "free_at_first_drop": 6}
    assert theorem.check_points(points=1) == 1


def test_complete_sharing_bounds_a_queue_by_the_buffer():
    theorem = derive({**families.COMPLETE, "ask": [{"threshold": 0, "at": "B/C"}]})
    assert [case["threshold"] for case in theorem.document()["cases"]] == ["B"]
    assert theorem.check_points(points=3) >= 3


def test_a_threshold_is_what_it_is_after_a_jump():
    """Enhanced DT: at 1 s the queue has grown by cn2, and the whole buffer is its threshold from then on."""
    theorem = derive({
        "symbols": {"B": "> 0", "R": "> 2"}, "policy": {"name": "edt", "alpha": 1, "cn2": "B/6", "tm2": 2},
        "switch": {"buffer": "B", "rate": 2}, "queues": [{"arrivals": [["1/2", "R"]]}],
        "ask": [{"threshold": 0, "at": 1}],
    })  # fmt: skip
    assert theorem.complete
    for B, expected in ((20, 20), (21, 21 - Fraction(10, 3)), (19, 19)):
        values = {"B": Fraction(B), "R": Fraction(26, 3)}
        assert theorem.exact(**values) == engine_at(theorem, values) == {"threshold": expected}


def test_what_never_recovers_inside_may_not_have_left_on_the_boundary():
    """At R_2 = C the queue stays where it was; below that it runs empty, ever later."""
    theorem = derive({
        "symbols": {"R_2": "> 0"}, "policy": {"name": "dt", "alpha": "1/2"}, "switch": {"buffer": 1, "rate": 1},
        "queues": [{"initial": "steady", "arrivals": [[0, 2], [1, "R_2"]]}], "ask": [{"recovered": True}],
    })  # fmt: skip
    assert theorem.complete
    assert [theorem.exact(R_2=R)["recovered"] for R in ("1/2", 1, 2)] == [None, 0, 0]


def test_an_answer_at_one_value_inside_a_region_is_a_case_of_its_own():
    """At R = 12/11 the queue that had run empty has just its first length again at the end."""
    theorem = derive({
        "symbols": {"R": "> 0"}, "policy": {"name": "complete"}, "switch": {"buffer": 6, "rate": 1}, "until": 6,
        "queues": [{"initial": "1/2", "arrivals": [["1/2", "R"]]}], "ask": [{"recovered": True}],
    })  # fmt: skip
    assert theorem.complete
    answers = [theorem.exact(R=R)["recovered"] for R in ("1/2", 1, "12/11", 2)]
    assert answers == [None, None, 6, None]
    assert all(c.holds(case.example) for case in theorem.cases for c in case.when)


def test_a_tie_on_the_boundary_of_the_domain_may_have_another_answer():
    """Enhanced DT: at R = 2 the counter is full when the timer ends; below that the timer resets it."""
    theorem = derive({
        "symbols": {"R": "> 1, <= 2"}, "policy": {"name": "edt", "alpha": 1, "cn2": 1, "tm1": 1},
        "switch": {"buffer": 10, "rate": 1}, "queues": [{"arrivals": [[0, "R"]]}],
        "ask": [{"threshold": 0, "at": "3/2"}],
    })  # fmt: skip
    assert theorem.complete
    assert [theorem.exact(R=R)["threshold"] for R in ("3/2", 2)] == [Fraction(37, 4), 10]


DEFINED = {**families.THEOREM1, "symbols": {**families.SYMBOLS, "M": "== 2", "R": "== 2*C, > C", "R_b": "== R"}}


def test_a_symbol_may_be_defined_by_others():
    FILE.validate(DEFINED)
    theorem, general = derive(DEFINED), derive(families.THEOREM1)
    assert not {"M", "R"} & set("".join(case["when"][0] for case in theorem.document()["cases"]))
    assert theorem.check_points(points=10) >= 20
    assert theorem.prove().complete
    free = {"alpha": 1, "B": 12, "C": 1, "N": 2}
    everything = {**free, "M": 2, "R": 2, "R_b": 2}
    assert theorem.exact(**free) == theorem.exact(**everything) == general.exact(**everything)
    assert theorem.lambdify()(**free) == float(theorem.exact(**free)["first_drop"])
    del free["B"], everything["B"]
    assert theorem.inverse("B", 3, free) == theorem.inverse("B", 3, everything) == general.inverse("B", 3, everything)
    with pytest.raises(InputError, match=r"^M: got '3'; expected M == 2"):
        theorem.exact(**{**everything, "B": 12, "M": 3})
    with pytest.raises(InputError, match=r"^at.R_b"):
        theorem.inverse("B", 3, {**free, "R_b": 3})


BAD = {
    "definitions in a circle": ({"symbols": {**families.SYMBOLS, "R": "== 2*C", "C": "== R/2"}}, "symbols.C"),
    "two definitions": ({"symbols": {**families.SYMBOLS, "M": "== 2, == 3"}}, "symbols.M"),
    "a definition outside the domain": ({"symbols": {**families.SYMBOLS, "M": "== 2, >= 3"}}, "symbols.M"),
    "a definition that is too small": ({"symbols": {**families.SYMBOLS, "R": "== 2*C, <= C"}}, "symbols.R"),
    "a definition of nothing": ({"symbols": {**families.SYMBOLS, "M": "== Z"}}, "symbols.M"),
    "a defined count below 0": ({"symbols": {**families.SYMBOLS, "M": "== -1"}}, r"queues\[0\].count"),
    "no whole number of queues": ({"symbols": {**families.SYMBOLS, "M": "> 2, < 3"}}, "symbols.M: got '> 2, < 3'"),
    "no whole number, ends included": ({"symbols": {**families.SYMBOLS, "M": ">= 5/4, <= 7/4"}}, "symbols.M"),
    "a defined half": ({"symbols": {**families.SYMBOLS, "M": "== 1/2"}}, r"queues\[0\].count: got '1/2'"),
    "a mean of nothing": ({"symbols": {"N": ">= 0", "tau": "> 0"}, "switch": {"buffer": 1, "rate": 1},
                           "queues": [{"count": "N", "arrivals": [[0, 3]]}],
                           "policy": {"name": "l2bm", "alpha": 1, "sojourns": "tau", "normalisation": "mean"}},
                          r"queues\[0\].count"),
    "a sum of hundreds": ({"until": "+".join(["B"] * 900)}, "until: .*; expected at most 100 operations"),
    "definitions that are deep together": ({"symbols": {**families.SYMBOLS, "M": "==" + "-" * 60 + "N",
                                                        "N": "==" + "-" * 60 + "1"}}, "symbols.M"),
    "half a queue": ({"queues": [{"count": "1/2", "arrivals": [["0", "R"]]}]}, r"queues\[0\].count"),
    "a bound by itself": ({"symbols": {**families.SYMBOLS, "C": "> C/2"}}, "symbols.C"),
    "steady without thresholds": ({"policy": {"name": "complete"}}, r"queues\[1\].initial"),
    "steady without arrivals": ({"queues": [{"initial": "steady"}]}, r"queues\[0\].arrivals"),
    "steady, and arrivals later": ({"queues": [{"initial": "steady", "arrivals": [["1", "R"]]}]},
                                   r"queues\[0\].arrivals\[0\]"),
    "an ask without a time": ({"ask": [{"dropped": 0}]}, r"ask\[0\].at"),
    "an ask with two times": ({"ask": [{"dropped": 0, "at": "1", "by": "2"}]}, r"ask\[0\].at"),
    "a time after the end": ({"until": "1", "ask": [{"length": 0, "at": "2"}]}, r"ask\[0\].at"),
    "a question twice": ({"ask": [{"first_drop": 0}, {"first_drop": 0}]}, r"ask\[1\]"),
    "an unknown question": ({"ask": [{"last_drop": 0}]}, r"ask\[0\]"),
    "no question": ({"ask": []}, "ask"),
    "no queues": ({"queues": []}, "queues"),
    "a reserved word": ({"symbols": {**families.SYMBOLS, "lambda": "> 0"}}, "symbols"),
    "no time": ({"symbols": {**families.SYMBOLS, "never": "> 0"}}, "symbols"),
    "no lower bound": ({"symbols": {**families.SYMBOLS, "alpha": "< 1"}}, "symbols.alpha"),
    "no relation": ({"symbols": {**families.SYMBOLS, "alpha": "positive"}}, "symbols.alpha"),
    "an empty domain": ({"symbols": {**families.SYMBOLS, "alpha": "> 1, < 1/2"}}, "symbols"),
    "version 2": ({"version": 2}, "version"),
    "an id of control characters": ({"id": "\x1b"}, "id"),
    "weights too few": ({"policy": {"name": "weighted", "weights": ["alpha"]}}, "policy.weights"),
    "a weight of 0": ({"policy": {"name": "weighted", "weights": ["alpha", 0]}}, r"policy.weights\[1\]"),
    "no weights": ({"policy": {"name": "weighted"}}, "policy.weights"),
    "priorities beyond": ({"policy": {"name": "abm", "alphas": ["alpha"], "priorities": [0, 1], "drains": 1}},
                          "policy.alphas"),
    "a priority of B**2": ({"policy": {"name": "abm", "alphas": [1], "priorities": ["B**2", 0], "drains": 1}},
                           r"policy.priorities\[0\]"),
    "a priority of no queue": ({"policy": {"name": "abm", "alphas": [1, 2], "priorities": [0, 1], "drains": 1}},
                               r"queues\[1\].count"),
    "a drain above 1": ({"policy": {"name": "abm", "alphas": "alpha", "drains": [2, 1]}}, r"policy.drains\[0\]"),
    "sizes beyond the buffer": ({"policy": {"name": "static", "sizes": ["B", "B"]}}, "switch.buffer"),
    "reserves beyond the buffer": ({"policy": {"name": "pools", "limits": [{"alpha": 1, "reserved": "B"}] * 2}},
                                   "switch.buffer"),
    "a limit without alpha and cap": ({"policy": {"name": "pools", "limits": [{}, {}]}}, r"policy.limits\[0\].cap"),
    "a division by 0": ({"until": "B/(C - C)"}, "until"),
    "a sum that ends": ({"until": "B +"}, r"until: got 'B \+'; expected an expression of \+ - \* / \*\* \( \), exact"),
    "a call": ({"until": "max(B, C)"}, "until"),
    "a text": ({"until": "'B'"}, "until"),
    "a list": ({"until": "[B]"}, "until"),
    "an unknown symbol": ({"until": "B/D"}, "until"),
    "a huge exponent": ({"until": "B**65"}, "until"),
    "a fractional exponent": ({"until": "B**(1/2)"}, "until"),
    "no buffer": ({"switch": {"rate": "C"}}, "switch.buffer"),
    "a negative rate": ({"queues": [{"arrivals": [["0", "C - R"]]}, {}]}, r"queues\[0\].arrivals\[0\]"),
}  # fmt: skip
READER_ONLY = {  # well-formed, but not meaningful
    "definitions in a circle", "two definitions", "a definition outside the domain", "a definition that is too small",
    "a definition of nothing", "a defined count below 0", "a bound by itself", "steady without thresholds",
    "steady without arrivals", "steady, and arrivals later",
    "an ask without a time", "an ask with two times", "a time after the end", "a question twice", "a reserved word",
    "no time", "no lower bound", "an empty domain", "weights too few", "a weight of 0", "priorities beyond",
    "a priority of no queue", "a priority of B**2", "half a queue", "no whole number of queues",
    "no whole number, ends included",
    "a defined half", "a mean of nothing", "a sum of hundreds", "definitions that are deep together",
    "a drain above 1", "sizes beyond the buffer", "reserves beyond the buffer", "a limit without alpha and cap",
    "a division by 0", "a sum that ends", "a call", "a text", "a list",
    "an unknown symbol",
    "a huge exponent", "a fractional exponent", "a negative rate",
}  # fmt: skip


@pytest.mark.parametrize("domain", ["> 0", ">= 1", "> 0, < 2", ">= 3/2, <= 2", "> 0, <= N/2 + 1", "== 3"])
def test_a_count_that_may_be_whole_is_accepted(domain):
    assert read_family({**families.THEOREM1, "symbols": {**families.SYMBOLS, "M": domain}}).queues


def test_numbers_beyond_64_bits_are_factored():
    theorem = derive({**families.THEOREM1, "policy": {"name": "dt", "alpha": 10**40}})
    assert theorem.complete
    at = {name: Fraction(value) for name, value in zip(families.SYMBOLS, (1, 12, 1, 2, 1, 3, 2), strict=True)}
    assert theorem.exact(**at) == engine_at(theorem, at)


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_is_named(name):
    change, where = BAD[name]
    document = {**families.THEOREM1, **change}
    with pytest.raises(InputError, match=f"^{where}"):
        derive(document)
    if name not in READER_ONLY:
        with pytest.raises(ValidationError):
            FILE.validate(document)


def test_an_answer_with_a_number_of_thousands_of_digits_is_written() -> None:
    """Half a factor of 4,481 digits: B / (2 (R - C)) with more digits than Python turns into text unasked."""
    long = "*".join(["10**64"] * 70)
    family = {
        "symbols": {"B": "> 0", "C": "> 0", "R": "> C"},
        "policy": {"name": "dt", "alpha": "1"},
        "switch": {"buffer": f"{long}*B", "rate": "C"},
        "queues": [{"count": "1", "arrivals": [["0", "R"]]}],
        "ask": [{"first_drop": 0}],
    }
    (case,) = derive(family).document()["cases"]
    assert case["first_drop"].startswith("5" + "0" * 4479)


@pytest.mark.parametrize("document", [None, "x", 3, [["0"]]])
def test_what_is_no_document_is_refused_by_name(document):
    with pytest.raises(InputError, match=r"^document: got"):
        derive(document)


def test_what_a_symbol_is_defined_as_stays_in_its_own_document():
    """Texts are read once in a process: a definition that is put into one must not be seen by who reads it again."""
    doubled = {"a": None, "b": read_expression("2*a", "b", {"a": None})}
    assert read_expression("a + b", "x", doubled).value({"a": Fraction(1)}) == 3
    free = read_expression("a + b", "x", {"a": None, "b": None})
    assert free.value({"a": Fraction(1), "b": Fraction(5)}) == 6


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("R - S", "R - S"),
        ("R + S - 2*C", "R + S - 2*C"),
        ("a*M*(R - C) + a*N*(R - C) + a*N", "a*(N + (R - C)*(M + N))"),
        ("M + N - 1", "M + N - 1"),
        ("R - C + a*M*(R - C) + a*N*(S - C)", "(R - C)*(1 + a*M) + a*N*(S - C)"),
        ("C*(1 + a*N) - a*M*(R - C)", "C*(1 + a*N) - a*M*(R - C)"),
        ("a*N + C*M*(1 + a*(M + N))", "a*N + C*M*(1 + a*(M + N))"),
        ("(M**2 + 2*M*N + N**2)*(R - C) + a", "a + (R - C)*(M + N)**2"),
    ],
)
def test_sums_are_written_as_a_mathematician_would(expression, text):
    texts = {"a": "> 0", "C": "> 0", "M": ">= 1", "N": ">= 0", "R": "> C", "S": "> C"}
    domain = read_domain(
        {name: read_relations(name, each, "", set(texts)) for name, each in texts.items()}, [], [], [], []
    )
    value = read_expression(expression, "x", set(texts)).value(domain.outside())
    assert Writer(domain).ratio(domain.outer(0) + value) == text
