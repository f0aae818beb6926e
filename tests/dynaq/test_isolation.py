"""DynaQ's formulas, the guarantees against the port, the parameter sheet, and the claims' shape."""

import json
from fractions import Fraction
from random import Random

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused

from dtmodel.base.errors import InputError
from dtmodel.cli import params_dynaq
from dtmodel.companion.words import VOCABULARY
from dtmodel.ledger.formal import Instance, Truth, read_formal
from dtmodel.modelcheck import explore
from dtmodel.packet.dynaq.algorithm import TIE_BREAKS, DynaQ, DynaQPort
from dtmodel.packet.dynaq.states import AnyOrder
from dtmodel.theory.dynaq import formulas as dynaq
from dtmodel.theory.dynaq import hardware, schemes, statements
from dtmodel.theory.dynaq.sheet import PRESETS, parameters, preset
from validation.dynaq.experiments import SCENARIOS, measure
from validation.dynaq.experiments import schemes as compared
from validation.dynaq.runs import fill, worst_deficit_run

WEIGHTS = st.lists(st.integers(1, 6), min_size=1, max_size=6).map(lambda w: [Fraction(x) for x in w])
SIZES = st.fractions(min_value=1, max_value=10**6, max_denominator=100)


@given(WEIGHTS, SIZES)
def test_thresholds_are_positive_parts_of_the_buffer(weights, B):
    assert sum(dynaq.initial_thresholds(B, weights)) == B
    assert min(dynaq.initial_thresholds(B, weights)) > 0
    assert dynaq.initial_thresholds(B, weights) == dynaq.satisfaction_thresholds(B, weights)


@given(WEIGHTS, SIZES, SIZES, SIZES)
def test_margins_are_positive_exactly_when_the_buffer_exceeds_the_bdp(weights, B, C, RTT):
    margins = dynaq.margins(B, C, RTT, weights)
    wbdp = dynaq.weighted_bdp(C, RTT, weights)
    assert margins == tuple(s - w for s, w in zip(dynaq.satisfaction_thresholds(B, weights), wbdp, strict=True))
    assert all((margin > 0) == (B > C * RTT) for margin in margins)


@given(WEIGHTS, SIZES, st.integers(2, 9))
def test_scaling_the_weights_changes_nothing(weights, B, scale):
    assert dynaq.initial_thresholds(B, weights) == dynaq.initial_thresholds(B, [w * scale for w in weights])


@given(st.integers(2, 6), st.integers(2, 6), st.integers(1, 5))
def test_ports_are_driven_to_exactly_the_worst_deficit(M, L, scale):
    size = L - 1
    rules = DynaQ(M * size * (M + 2) * scale + M * L * 4, (1,) * M)
    port, labels = worst_deficit_run(rules, L, 1)
    S = Fraction(rules.satisfaction[0])
    assert port.thresholds[0] == dynaq.guaranteed_threshold(S, M, Fraction(L), Fraction(1))
    assert labels[-1] == ("arrive", 0, L)


ALGORITHM_1 = """
for M : int 2..4; w : list(M) > 0; B > 0; 0 < BDP <= B; 0 < r <= B; 0 < s <= B; admit : oneof "port", "recheck"; tie : oneof "low", "high"
for E : word(16) of list(i, 1..M, ["arrive", i, r]) + list(i, 1..M, ["arrive", i, s]) + list(i, 1..M, ["depart", i])
run x = dynaq(E, buffer = B, weights = w, bdp = BDP, admit = admit, tie_break = tie)
let S = list(i, 1..M, BDP*w[i]/sum(w))
seq p[k] = E[k][2]
seq came[k] = count(j, 1..k, E[j][1] == "arrive")
seq size[k] = E[k][3] if E[k][1] == "arrive" else sum(j, 1..k, E[j][3] if E[j][1] == "arrive" and decision(x, k) == "depart" and came[j] == answered(x, k).packet + 1 else 0)
seq over[k] = E[k][1] == "arrive" and q[k - 1][p[k]] + size[k] > T[k - 1][p[k]]
seq most[k] = max(list(i, 1..M, T[k - 1][i] - S[i] if i != p[k] else -B))
seq among[k] = list(i, 1..M, i if i != p[k] and T[k - 1][i] - S[i] == most[k] else never)
seq v[k] = min(among[k]) if tie == "low" else max(list(i, 1..M, among[k][i] if among[k][i] < never else 0))
seq gives[k] = over[k] and T[k - 1][v[k]] >= size[k] and not (q[k - 1][v[k]] > 0 and T[k - 1][v[k]] - size[k] < S[v[k]])
seq T[k] = list(i, 1..M, B*w[i]/sum(w) if k == 0 else T[k - 1][i] + ((size[k] if i == p[k] else (-size[k] if i == v[k] else 0)) if gives[k] else 0))
seq enters[k] = E[k][1] == "arrive" and (gives[k] or not over[k]) and sum(q[k - 1]) + size[k] <= B and (admit == "port" or q[k - 1][p[k]] + size[k] <= T[k][p[k]])
seq q[k] = list(i, 1..M, 0 if k == 0 else (q[k - 1][i] if i != p[k] else (q[k - 1][i] - size[k] if E[k][1] == "depart" else q[k - 1][i] + (size[k] if enters[k] else 0))))
then each(k, 1..len(E), T[k] == after(x, k).thresholds and q[k] == after(x, k).queues)
"""  # noqa: E501 - a form
"""Algorithm 1 with satisfaction thresholds of its own, line by line, beside the engine."""


def drawn_port(seed):
    random = Random(seed)
    M, B = random.randint(2, 4), Fraction(random.randint(2, 24), random.choice((1, 1, 2)))
    r, s = (min(B, Fraction(random.randint(1, 6), random.choice((1, 2)))) for _ in "rs")
    letters = [["arrive", Fraction(i + 1), size] for i in range(M) for size in (r, s, r)]
    letters += [["depart", Fraction(i + 1)] for i in range(M)]
    return {
        "M": Fraction(M), "w": [Fraction(random.randint(1, 4)) for _ in range(M)], "B": B, "r": r, "s": s,
        "BDP": B * Fraction(random.randint(1, 8), 8), "admit": random.choice(("port", "recheck")),
        "tie": random.choice(("low", "high")), "E": [random.choice(letters) for _ in range(16)],
    }  # fmt: skip


@pytest.mark.parametrize("seeds", [range(20), pytest.param(range(20, 500), marks=pytest.mark.exhaustive)])
def test_thresholds_and_lengths_with_a_bdp_below_the_buffer_are_those_of_algorithm_1_written_out(seeds):
    written, victims = read_formal(ALGORITHM_1), 0
    for seed in seeds:
        drawn = drawn_port(seed)
        assert Instance(written, drawn, VOCABULARY).truth() == Truth(True)
        run = VOCABULARY["dynaq"](drawn["E"], buffer=drawn["B"], weights=drawn["w"], bdp=drawn["BDP"])
        victims += sum(step["reason"].startswith("lines 6-7") for step in run.steps)
    assert victims > len(seeds) // 2


@pytest.mark.parametrize(
    ("line", "altered"),
    [
        ("let S = list(i, 1..M, BDP*", "let S = list(i, 1..M, B*"), ("- S[i] if", "if"), ("< S[v[k]]", "<= S[v[k]]"),
        (">= size[k] and", "> size[k] and"), ("<= T[k][p[k]]", "< T[k][p[k]]"), ('tie == "low"', 'tie == "high"'),
    ],
)  # fmt: skip
def test_algorithm_1_written_out_with_an_altered_line_is_not_the_engines(line, altered):
    assert ALGORITHM_1.count(line) == 1
    written = read_formal(ALGORITHM_1.replace(line, altered))
    assert not all(Instance(written, drawn_port(seed), VOCABULARY).truth().holds for seed in range(60))


def test_with_one_packet_size_the_deficit_is_zero_in_every_reachable_state():
    rules = DynaQ(8, (1, 1))
    S = rules.satisfaction

    def refused_below(state):
        T, q = state.thresholds, state.lengths
        return any(q[p] and T[p] < S[p] and rules.arrive(T, q, p, 2).reason.startswith("line 3") for p in (0, 1))

    assert explore(AnyOrder(rules, (2,)), refused_below).complete
    assert not explore(AnyOrder(rules, (1, 2)), refused_below).complete


@settings(max_examples=50)
@given(st.lists(st.integers(1, 5), min_size=2, max_size=5), st.integers(1, 4), st.data())
def test_a_queue_alone_gets_what_the_formula_says(weights, size, data):
    p = data.draw(st.integers(0, len(weights) - 1))
    rules = DynaQ(12 * sum(weights), tuple(weights))
    port, _ = fill(rules, (p,), size)
    S = [Fraction(value) for value in rules.satisfaction]
    assert port.thresholds[p] == dynaq.threshold_alone(S, p, Fraction(size))
    assert port.thresholds[p] > dynaq.threshold_alone_bound(S, p, Fraction(size))


@settings(max_examples=50)
@given(st.integers(3, 6), st.integers(1, 3), st.sampled_from(["low", "high"]), st.sampled_from(["port", "recheck"]))
def test_two_active_queues_never_have_more_threshold_than_the_bound(M, size, tie_break, admit):
    rules = DynaQ(12 * M, (1,) * M, tie_break, admit)
    port, _ = fill(rules, (0, M - 1), size)
    bound = dynaq.threshold_of_always_active([Fraction(12)] * M, (0, M - 1), Fraction(size))
    assert port.thresholds[0] + port.thresholds[M - 1] <= bound


@settings(max_examples=30)
@given(
    st.lists(st.integers(1, 5), min_size=2, max_size=4),
    st.integers(10, 99),
    st.integers(1, 7),
    st.sampled_from(TIE_BREAKS),
)
def test_with_the_buffer_for_one_active_queue_each_holds_a_bdp_in_whole_packets(weights, BDP, size, tie_break):
    fractions = tuple(map(Fraction, weights))
    rules = DynaQ(dynaq.buffer_for_one_active_queue(Fraction(BDP), fractions, Fraction(size)), fractions, tie_break)
    for p in range(len(weights)):
        port, _ = fill(rules, (p,), size)
        assert port.lengths[p] >= BDP


def test_a_packet_less_than_that_buffer_is_too_little():
    """For weights 4:3:2:1, a BDP of 62,500 bytes and ties to the high index queue 3 stops at 61,500 of 134,000."""
    port, _ = fill(DynaQ(134_000, (4, 3, 2, 1), "high"), (2,), 1500)
    assert port.lengths[2] == 61_500
    assert dynaq.buffer_for_one_active_queue(Fraction(62_500), (4, 3, 2, 1), Fraction(1500)) == 137_000


@settings(max_examples=30)
@given(st.lists(st.integers(1, 4), min_size=2, max_size=4), st.sampled_from(["low", "high"]), st.integers(1, 2))
def test_the_repaired_line_2_lets_any_set_of_active_queues_fill_the_port(weights, tie_break, size):
    rules = DynaQ(8 * sum(weights), tuple(weights), tie_break, "port", "eligible")
    for active in [(0,), (0, len(weights) - 1)]:
        port, _ = fill(rules, active, size)
        assert sum(port.lengths) > rules.buffer - len(weights) * size


def test_a_wrong_set_of_active_queues_is_refused():
    with pytest.raises(InputError):
        dynaq.threshold_of_always_active([Fraction(1)] * 3, [1, 1], Fraction(1))


@pytest.mark.parametrize("g", [0, -1, 4])
def test_the_granularity_lies_between_nothing_and_a_packet(g):
    with pytest.raises(InputError):
        dynaq.worst_deficit(3, Fraction(3), Fraction(g))


@pytest.mark.parametrize(
    ("name", "sign"),
    [
        ("refused_queue_deficit", "<="), ("one_active_queue", ">"), ("active_queues_together", "<="),
        ("fair_sharing_condition", ">="), ("work_conservation_condition", ">="),
    ],
)  # fmt: skip
def test_a_bound_is_shown_as_one_on_its_side(name, sign):
    assert getattr(statements, name).conclusions[0].rel_op == sign


def test_the_granularity_of_a_shown_deficit_divides_the_packet():
    assert statements.refused_queue_deficit.evaluate(M=3, L=6, g=2).deficit == 8
    with pytest.raises(InputError, match="g: got 4"):
        statements.refused_queue_deficit.evaluate(M=3, L=6, g=4)


def test_equation_5_needs_an_empty_queue():
    assert dynaq.output_rate(Fraction(1, 4), Fraction(1, 2)) == Fraction(1, 4)
    assert dynaq.output_rate(Fraction(1, 4), Fraction(1, 2), backlogged=True) == Fraction(1, 2)


def test_pmsb_queue_thresholds_add_up_to_the_port_threshold():
    parts = schemes.pmsb_queue_thresholds(Fraction(100), [Fraction(1), Fraction(3)], Fraction(1, 2))
    assert (parts, schemes.pmsb_port_threshold(Fraction(100), Fraction(1, 2))) == (
        (Fraction(25, 2), Fraction(75, 2)),
        50,
    )


def test_quotas_and_thresholds_need_weights_of_queues():
    for weights in ((), (1, 0), (1, -1)):
        with pytest.raises(InputError):
            schemes.pql_quotas(Fraction(100), weights)
        with pytest.raises(InputError):
            schemes.pmsb_queue_thresholds(Fraction(100), weights, Fraction(1))


def test_the_mq_ecn_threshold_is_capped_at_the_link():
    D = Fraction(62_500)
    rate = Fraction(125_000_000)
    assert schemes.mq_ecn_threshold(Fraction(1500), Fraction(1, 10**9), rate, D / rate, Fraction(1, 3)) == D / 3
    with pytest.raises(InputError):
        schemes.mq_ecn_threshold(Fraction(1500), Fraction(0), rate, D / rate, Fraction(1))


@given(st.fractions(min_value=0, max_value=2, max_denominator=50))
def test_a_halving_window_fills_the_link_exactly_with_a_bdp_of_buffer(b):
    used = schemes.sawtooth_utilisation(b, Fraction(1))
    assert Fraction(3, 4) <= used <= 1
    assert (used == 1) == (b >= 1)


EXPECTED = {  # margin of queue 1 (4 for the weights), deficit, covered, one active queue fills the BDP
    "testbed": (5625, 4497, True, True),
    "testbed-5": (4500, 5996, False, True),
    "testbed-weights": (9000, 4497, True, False),
    "rack-10g": (10_875, 10_493, True, True),
    "rack-100g": (62_500, 62_993, False, True),
    "fabric-10g": (Fraction(21_375, 2), 10_493, True, True),
}


@pytest.mark.parametrize("name", PRESETS)
def test_the_sheet_of_each_setting_of_the_paper(name):
    sheet = preset(name)
    row = (sheet["margin_1"], sheet["worst_deficit"], sheet["covered_1"], sheet["alone_fills_1"])
    assert row == EXPECTED[name]


def test_the_unequal_weights_are_warned_about():
    sheet = preset("testbed-weights")
    assert [sheet[f"covered_{i}"] for i in (1, 2, 3, 4)] == [True, True, True, False]
    assert [sheet[f"alone_fills_{i}"] for i in (1, 2, 3, 4)] == [False] * 4
    text = " ".join(sheet.warnings)
    assert "queue 4" in text
    assert "cannot fill the BDP of 62.5 KB" in text
    assert "5 of 6 pairs" in text


def test_one_packet_size_leaves_no_deficit_and_no_warning_about_sizes():
    sheet = preset("testbed-5", granularity=1500)
    assert sheet["worst_deficit"] == 0
    assert not any("different sizes" in warning for warning in sheet.warnings)


def test_one_queue_is_a_plain_port():
    sheet = parameters("85 KB", "1 Gbps", "500 us", [1])
    assert sheet["alone_1"] == 85_000
    assert sheet["worst_deficit"] == 0


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"weights": []}, "weights"),
        ({"weights": [1, 0]}, "weights[1]"),
        ({"buffer": "1 KB"}, "buffer"),
        ({"rate_": 0}, "rate"),
        ({"rtt": "-1 us"}, "rtt"),
        ({"rtt": 0}, "rtt"),
        ({"granularity": 7}, "granularity"),
        ({"packet": 0}, "packet"),
    ],
)
def test_bad_parameters_are_refused(change, field):
    given_ = {"buffer": "85 KB", "rate_": "1 Gbps", "rtt": "500 us", "weights": [1, 1], **change}
    with refused(field):
        parameters(**given_)


def test_an_unknown_preset_is_refused():
    with refused("preset"):
        preset("none")


def command(*arguments):
    return CliRunner().invoke(params_dynaq.command, list(arguments))


def test_the_command_prints_json():
    result = command("--buffer", "85KB", "--rate", "1Gbps", "--rtt", "500us", "--weights", "4:3:2:1", "--json")
    assert result.exit_code == 0, result.output
    assert "8500" in result.output
    assert json.loads(result.output)


def test_the_command_takes_a_number_of_equal_queues_or_a_preset():
    one = command("--buffer", "85KB", "--rate", "1Gbps", "--rtt", "500us", "--queues", "4", "--json")
    other = command("--preset", "testbed", "--json")
    assert one.exit_code == other.exit_code == 0
    assert json.loads(one.output) == json.loads(other.output)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (["--buffer", "85KB", "--rate", "1Gbps", "--rtt", "500us", "--weights", "1,1", "--queues", "3"], "weights"),
        (["--buffer", "85KB", "--rate", "1Gbps", "--rtt", "500us"], "weights"),
        (["--weights", "1,1"], "buffer"),
        (["--preset", "testbed", "--buffer", "1KB"], "buffer"),
    ],
)
def test_the_command_refuses_what_does_not_fit_together(arguments, field):
    error = command(*arguments).exception
    assert isinstance(error, InputError)
    assert error.field == field


def test_the_experiments_are_reproducible_and_say_what_the_results_say():
    loads = SCENARIOS["two queues, 0.25 against 4"]
    rows = [measure(compared()[name], loads, 4, 200) for name in ("PQL", "DynaQ", "DynaQ")]
    assert rows[1] == rows[2]
    assert rows[0]["loss 1"].mean < 0.01
    assert rows[1]["loss 1"].mean > 0.5


def test_the_port_of_the_experiments_is_the_testbed_in_packets():
    port = DynaQPort(DynaQ(56, (1, 1, 1, 1)))
    assert port.thresholds == (14, 14, 14, 14)
    assert 56 == 85_000 // 1500


def test_the_depth_of_the_tournament_and_the_cycles():
    assert [hardware.tournament_depth(M) for M in (1, 2, 3, 4, 5, 8, 9, 32, 33)] == [0, 1, 2, 2, 3, 3, 4, 5, 6]
    assert [hardware.cycles(M).total for M in (4, 8, 32)] == [6, 7, 9]
    with pytest.raises(InputError):
        hardware.tournament_depth(0)


F = Fraction


def test_a_guarantee_is_never_less_than_nothing():
    assert dynaq.guaranteed_threshold(F(100), 5, F(1500), F(1)) == 0


def test_the_thresholds_of_queues_with_different_weights_count_for_themselves():
    S = [F(1000), F(2000), F(4000), F(8000)]
    assert dynaq.threshold_of_always_active(S, [0, 2], F(100)) == 1000 + 4000 + 2 * 100
    assert dynaq.threshold_of_always_active(S, [3, 1], F(100)) == 8000 + 2000 + 2 * 100
    assert dynaq.threshold_alone_bound(S, 1, F(100)) == 2000 + 3 * (1000 - 100)
    assert dynaq.threshold_alone_bound(S[:1], 0, F(100)) == 1000


@pytest.mark.parametrize("weights", [[], [0, 1], [1, 0], [2, -1], [F(-1, 2), F(1, 2)]])
def test_there_are_no_shares_without_weights_above_0(weights):
    with refused("weights", weights):
        dynaq.shares(weights)


def test_a_guarantee_that_is_just_the_weighted_bdp_covers_it():
    """20000 - 1499 = 18501 is the half of 37002; with sizes that are even, 20000 - 1498 = 18502 is guaranteed."""
    B, halves, L = F(40_000), [F(1), F(1)], F(1500)
    assert dynaq.covers(B, F(37_002), halves, L) == (True, True)
    assert dynaq.covers(B, F(37_003), halves, L) == dynaq.covers(B, F(37_004), halves, L) == (False, False)
    assert dynaq.covers(B, F(37_004), halves, L, F(2)) == (True, True)


def test_active_queues_have_no_more_threshold_than_there_is_buffer():
    assert dynaq.threshold_of_always_active([F(10), F(10), F(1)], [0, 1], F(5)) == 21
    assert dynaq.threshold_of_always_active([F(10), F(10), F(9)], [0, 1], F(5)) == 25
