"""Executable statements: the language, the instances, the adversary, and the mathematics that is shown."""

from fractions import Fraction

import pytest

from dtmodel.base.errors import InputError
from dtmodel.base.expressions import Undefined, evaluate, free_names, never, parse
from dtmodel.companion.words import VOCABULARY
from dtmodel.ledger.adversary import attack, needs
from dtmodel.ledger.claim import Claim
from dtmodel.ledger.formal import Instance, read_formal
from dtmodel.ledger.formal_text import latex
from dtmodel.ledger.hunting import hunt_target, targets
from dtmodel.ledger.statement import statement

THEOREM_1 = """
for   alpha > 0; B > 0; C > 0; M : int >= 1; N : int >= 0; R > C; R_b >= C
let   rho = C*(1 + (1 + alpha*N)/(alpha*M))
let   t1 = alpha*B/((1 + alpha*(M + N))*(R - C))
let   t2 = alpha*B/((1 + alpha*N)*((1 + alpha*M)*(R - C) - alpha*N*C))
let   t = t1 if R <= rho else t2
for   d : list(M) >= 0
where each(i, 2..M, d[i] > t)
run   x = dt([each_burst(list(i, 1..M, R), d), steady(N, R_b)], until = 2*t, alpha = alpha)
then  (drop(x, 1) == t) if d[1] > t else (drop(x, 1) == never)
"""


def value(text, **scope):
    return evaluate(parse(text), {name: Fraction(number) for name, number in scope.items()})


def test_numbers_are_exact_and_decimals_mean_what_they_say():
    assert value("0.1 + 0.2") == Fraction(3, 10)
    assert value("7 // 2 + 7 % 2") == 4


def test_ranges_bind_between_sums_and_relations():
    assert value("sum(i, 1..M-1, i) == 6", M=4) is True
    assert value("count(i, 0..3, i >= 2)") == 2


def test_never_is_later_than_every_time_and_equal_to_itself():
    assert value("never > x and never == never and not never < x", x=10) is True
    assert evaluate(parse("x + 1 == never"), {"x": never}) is True
    with pytest.raises(Undefined):
        evaluate(parse("0 * x"), {"x": never})


@pytest.mark.parametrize(
    "text",
    ["__import__('os')", "(lambda: 1)()", "x.__class__", "[i for i in x]", "f'{x}'", "x := 1", "x @ y", "1 +", "b'1'"],
)
def test_an_expression_is_never_python(text):
    with pytest.raises(InputError):
        evaluate(parse(text), {"x": Fraction(1), "y": Fraction(1)})


def test_a_division_by_zero_has_no_value():
    with pytest.raises(Undefined):
        value("1 / (x - 1)", x=1)


def test_the_least_of_three_numbers_binds_nothing():
    """The first of three is a name of a number; with a range or a list in its second place it is what runs over it."""
    scope = {"a": Fraction(3), "b": Fraction(2), "c": Fraction(4)}
    assert evaluate(parse("min(a, b, c)"), scope) == 2
    assert evaluate(parse("max(a, b + 1, a + 2)"), scope) == 5
    assert evaluate(parse("max(a, floor(b), c) + min(a, [7, 5], a + 1)"), scope) == 10
    assert free_names(parse("min(a, b, c)")) == {"a", "b", "c"}
    assert free_names(parse("min(a, 1..b, a + c)")) == {"b", "c"}


def test_free_names_leave_out_what_a_binder_binds():
    assert free_names(parse("each(i, 1..M, d[i] > t) and drop(x, 1) == never")) == {"M", "d", "t", "x"}


@pytest.mark.parametrize(
    ("text", "blames"),
    [
        ("for x > 0; then y > 0", "y"),
        ("for x > 0; x > 1; then x > 0", "x"),
        ("for x > 0; let x = 1; then x > 0", "x"),
        ("for x > 0", "for x > 0"),
        ("for x; then x > 0", "x"),
        ("if x > 0 then x > 0", "if x > 0 then x > 0"),
        ("for m : oneof; then m == 1", "m : oneof"),
        ("for x > 0; where x >; then x > 0", "x >"),
    ],
)
def test_a_statement_that_is_not_understood_is_refused_by_name(text, blames):
    with pytest.raises(InputError) as error:
        read_formal(text)
    assert blames in str(error.value.value)


def test_values_may_be_defined_in_any_order_but_not_by_themselves():
    formal = read_formal("for x > 0; let a = b + 1; let b = x; then a == x + 1")
    assert Instance(formal, {"x": Fraction(2)}, {}).truth().holds is True
    circular = read_formal("for x > 0; let a = b; let b = a; then a == x")
    truth = Instance(circular, {"x": Fraction(2)}, {}).truth()
    assert truth.undefined


def test_a_sequence_is_a_recursion():
    formal = read_formal("for n : int 1..9; seq f[k] = k if k < 2 else f[k-1] + f[k-2]; then f[9] == 34")
    assert Instance(formal, {"n": Fraction(1)}, {}).truth().holds is True


def test_an_instance_outside_the_hypotheses_says_nothing_and_names_one():
    formal = read_formal("for x > 0; where x < 2; then x < 1")
    truth = Instance(formal, {"x": Fraction(3)}, {}).truth()
    assert (truth.holds, truth.why) == (None, "x < 2")


def test_theorem_1_as_the_engine_sees_it_survives_and_needs_the_other_bursts_to_last():
    formal = read_formal(THEOREM_1)
    found = attack(formal, VOCABULARY, cases=300, seed=1)
    assert found.counterexample is None
    assert found.tried > 100
    kinds = {need.hypothesis: need.kind for need in needs(formal, VOCABULARY, cases=80, seed=1)}
    assert kinds["each(i, 2..M, d[i] > t)"] == "needed"
    assert kinds["R > C"] != "not known to be needed"


@pytest.mark.parametrize(
    ("printed", "altered"),
    [("(1 + alpha*(M + N))", "(1 + alpha*M)"), ("R <= rho", "R < 0"), ("d[1] > t", "d[1] >= t"), ("2..M", "3..M")],
)
def test_the_adversary_finds_each_alteration_of_theorem_1(printed, altered):
    assert printed in THEOREM_1
    found = attack(read_formal(THEOREM_1.replace(printed, altered)), VOCABULARY, cases=2000, seed=1)
    assert found.counterexample is not None


def test_a_counterexample_is_small_and_replays():
    formal = read_formal("for x > 0; y > 0; then x*y <= x + y")
    found = attack(formal, {}, cases=500, seed=3)
    assert found.counterexample is not None
    assert sum(found.counterexample.values()) <= 5
    assert Instance(formal, found.counterexample, {}).truth().holds is False


@pytest.mark.parametrize("told", ["some(i, 1..2, i > 1)", "(x < 1) == (x < 2)", "count(i, 1..3, i < 2) == 1"])
def test_what_need_not_be_true_is_no_near_miss(told):
    slacks: list[Fraction] = []
    assert evaluate(parse(told), {"x": Fraction(3)}, None, slacks) is True
    assert slacks == []


def test_a_tie_is_found_where_two_sides_are_equal():
    formal = read_formal("for x > 0; y > 0; z > 0; where x <= 3*y + z; then x < 3*y + z")
    found = attack(formal, {}, cases=200, seed=1)
    assert found.counterexample is not None


def test_a_statement_whose_hypotheses_exclude_each_other_is_vacuous():
    formal = read_formal("for x > 0; where x > 2; x < 1; then x == 7")
    assert attack(formal, {}, cases=200).vacuous
    claim = Claim("x.y", "here", "ours", "One.", "holds", formal=formal.text)
    few, many = (hunt_target(next(targets([claim])), {}, cases=cases) for cases in (50, 1000))
    assert few.fault == ""  # not reached yet
    assert "vacuous" in many.fault


@pytest.mark.parametrize(
    ("name", "value"), [("n", Fraction(3, 2)), ("mode", "mean"), ("w", [Fraction(1, 2)]), ("m", []), ("m", ["mean"])]
)
def test_what_a_variable_is_belongs_to_what_is_supposed(name, value):
    text = 'for n : int 1..4; mode : oneof "sum"; w : list(1) int 0..2; m : list(1) oneof "sum"; then n > 4'
    formal = read_formal(text)
    fits = {"n": Fraction(3), "mode": "sum", "w": [Fraction(1)], "m": ["sum"]}
    assert Instance(formal, fits, {}).truth().holds is False
    assert Instance(formal, {**fits, name: value}, {}).truth().holds is None


def test_an_occasion_that_never_comes_is_vacuous():
    text = """for E : word(4) of [["arrive", "small", 1]]
    run x = losspass(E, buffer = 9)
    on k of x: decision(x, k) == "drop"
    then 1 == 1"""
    assert attack(read_formal(text), VOCABULARY, cases=50).vacuous


def test_packets_evict_only_when_the_buffer_is_full():
    text = """for B : int 1..4
    for E : word(9) of [["arrive", "small", 1], ["arrive", "large", 1], ["depart", "any"]]
    run x = losspass(E, buffer = B)
    on k of x: decision(x, k) == "evict"
    then held(before(x, k).small) + held(before(x, k).large) == B"""
    found = attack(read_formal(text), VOCABULARY, cases=400, seed=1)
    assert found.counterexample is None
    assert found.tried > 5
    wrong = attack(read_formal(text.replace("== B", "< B")), VOCABULARY, cases=400, seed=1)
    assert wrong.counterexample is not None


def test_a_false_form_must_have_a_counterexample_and_a_true_one_must_not():
    false = Claim("x.y", "here", "ours", "One.", "refuted", formal="for x > 0; then x > 0")
    assert "recorded as false" in hunt_target(next(targets([false])), {}, cases=50).fault
    true = Claim("x.y", "here", "ours", "One.", "holds", formal="for x >= 0; then x > 0")
    assert "recorded as true" in hunt_target(next(targets([true])), {}, cases=50).fault


def test_the_name_between_two_bounds_is_the_variable():
    (_, between) = read_formal("for R > 0; 1 < S <= R; then S > 0").variables
    assert [(each.sign, each.value.text) for each in between.bounds] == [(">", "1"), ("<=", "R")]
    with pytest.raises(InputError, match="'x'; expected a declared name"):
        read_formal("for R > 0; x < S <= R; then S > 0")


def test_the_form_that_a_verdict_needs_is_asked_for():
    claim = Claim("x.y", "here", "ours", "One.", "misprint", formal="for x > 0; then x < 0")
    with pytest.raises(InputError, match="formal_repair"):
        list(targets([claim]))


def test_a_name_that_nothing_uses_is_not_shown() -> None:
    """What a prelude names for others: x uses y, y uses z by a sequence, and w is for nobody."""
    text = "for a > 0; seq s[k] = a*k + z; let z = 2*a; y = s[3]; w = 5*a; x = y + 1; then x > y"
    assert statement(read_formal(text)) == ("Let $a > 0$. Let $y = a \\cdot 3 + 2 a$.\n\nThen $y + 1 > y$.")


def test_what_is_shown_is_written_from_what_is_run():
    written = statement(read_formal(THEOREM_1), VOCABULARY)
    assert r"\frac{\alpha B}{(1 + \alpha (M + N)) (R - C)}" in written
    assert "Suppose that $d_{i} > t$ for each $i$ from $2$ to $M$." in written
    assert "a burst of rate $R > C$ comes to each of $M \\geq 1$ empty ports" in written


def test_a_burst_without_a_duration_does_not_end() -> None:
    runs = "run x = dt([bursts(M, R), late(M, R, 2), bursts(M, R, 3)], until = 9, alpha = 1)"
    written = statement(read_formal(f"for M : int >= 1; R > 1; {runs}; then lost(x, 1) == lost(x, 1, 9)"), VOCABULARY)
    for queues in (
        "comes to each of $M \\geq 1$ empty ports and never ends",
        "from time $2$ on a burst of rate $R$ comes to each of $M$ empty ports and never ends",
        "and lasts $3$, and nothing else arrives. The run ends at $9$.",
    ):
        assert queues in written


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a - (b - c)", "a - (b - c)"),
        ("(a + b)*c", "(a + b) c"),
        ("a/(b*c)", r"\frac{a}{b c}"),
        ("2*3", r"2 \cdot 3"),
        ("-(a + b)**2", "-(a + b)^{2}"),
        ("not (a < b or c == d)", r"\neg (a < b \lor c = d)"),
        ("sum(i, 1..M, x[i]*y)", r"\sum_{i = 1}^{M} x_{i} y"),
        ("max(i, 1..M, x[i]) + 1", r"\max_{1 \leq i \leq M} x_{i} + 1"),
    ],
)
def test_latex_keeps_the_order_and_sets_the_parentheses_that_are_needed(text, expected):
    assert latex(parse(text)) == expected


def test_a_word_is_made_of_its_letters_and_of_nothing_else():
    """B moves after the word was drawn: a packet of 3 is no letter any more, and nothing is said of the instance."""
    formal = read_formal(
        'for B : int 1..4; E : word(3) of list(i, 1..B, ["arrive", "small", i])\n'
        "run x = losspass(E, buffer = B)\non k of x: k > 0\nthen held(after(x, k).small) <= B"
    )
    told = {
        B: Instance(formal, {"B": Fraction(B), "E": [["arrive", "small", Fraction(3)]]}, VOCABULARY).truth()
        for B in (2, 3)
    }
    assert (told[3].holds, told[2].holds) == (True, None)
    assert "letter == item" in told[2].why


def test_the_reason_of_a_step_can_be_asked_for():
    formal = read_formal(
        "for s : int 1..4\nrun x = dynaq([['arrive', 1, 1], ['arrive', 2, s]], buffer = 4, weights = [1, 1])\n"
        'then (decision(x, 2) == "drop" and because(x, 2, "line 3")) == (s > 2); because(x, 1, "line 1")'
    )
    assert all(Instance(formal, {"s": Fraction(s)}, VOCABULARY).truth().holds for s in range(1, 5))
