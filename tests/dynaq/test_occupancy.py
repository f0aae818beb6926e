"""DynaQ's repairs for shares of occupancy: what they decide, what they end, and lassos that other engines replay."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import packet_comparisons
import pytest
import reference_dynaq

from dtmodel.base import units
from dtmodel.base.errors import InputError
from dtmodel.packet.dynaq.algorithm import DynaQ, DynaQPort
from dtmodel.packet.dynaq.schemes import DynaQScheme
from dtmodel.packet.dynaq.trace import run_trace
from dtmodel.strategies import trace_generator
from dtmodel.theory.dynaq import formulas as dynaq
from dtmodel.theory.dynaq import statements
from proofs.checker import traces
from validation.dynaq import occupancy
from validation.dynaq.runs import request


def decided(*events, **more):
    """Run events (queue, for an arrival of one byte; minus the queue, for a departure) through a port of 4 bytes."""
    listed = [["arrive", None, n, 1] if n > 0 else ["depart", None, -n] for n in events]
    return run_trace({"buffer": 4, "weights": [1, 1], "victims": "unused", **more, "events": listed})["steps"]


def test_a_queue_gives_what_it_does_not_use_and_no_more():
    steps = decided(2, 2, 2, 2, 1, -2, 1)
    assert [step["decision"] for step in steps] == ["enqueue"] * 4 + ["drop", "depart", "enqueue"]
    assert (steps[4]["reason"], steps[-1]["victim"]) == ("line 2: no other queue can be the victim", 2)
    assert steps[-1]["thresholds"] == ["1", "3"]


def test_nobody_grows_beyond_its_share_while_another_queue_has_a_claim_and_a_claim_lapses():
    steps = decided(2, 2, 2, 2, 1, -2, 2, -2, 2, patience=1)
    assert [step["claims"] for step in steps[3:]] == [[0, 0], [2, 0], [1, 0], [1, 0], [0, 0], [0, 0]]
    assert steps[6]["reason"] == "claims: beyond its satisfaction threshold while another queue has a claim"
    assert steps[8]["decision"] == "enqueue"


def test_a_claim_ends_with_a_packet_and_a_packet_within_the_share_does_not_yield():
    steps = decided(2, 2, 2, 2, 1, -2, -2, -2, 2, 1, 2, patience=9)
    assert [step["decision"] for step in steps[-3:]] == ["enqueue"] * 3
    assert [step["claims"][0] > 0 for step in steps[-3:]] == [True, False, False]
    beyond = decided(1, 1, 2, 2, 1, patience=3)
    assert (beyond[-1]["decision"], beyond[-1]["claims"]) == ("drop", [0, 0])


def test_without_a_patience_answers_are_as_they_were():
    assert "claims" not in decided(1)[0]
    assert DynaQ(4, (1, 1)).no_claims == DynaQPort(DynaQ(4, (1, 1))).claims == ()


@pytest.mark.parametrize("patience", [-1, Fraction(1, 2)])
def test_a_patience_is_a_whole_number(patience):
    with pytest.raises(InputError):
        DynaQ(4, (1, 1), patience=patience)


def test_a_scheme_that_hears_of_no_departures_has_no_claims():
    with pytest.raises(InputError):
        DynaQScheme(DynaQ(4, (1, 1), patience=1))


def test_three_engines_agree_on_long_runs_with_claims():
    claims = 0
    for seed in range(150):
        document = trace_generator.draw_trace(Random(seed), "dynaq") | {"patience": seed % 4, "victims": "unused"}
        ours, other = packet_comparisons.trace(document)
        assert ours == other
        if not document["events"]:
            continue
        steps = run_trace(document)["steps"]
        checked = traces.dynaq(document | {"buffer": units.bytes_(document["buffer"], "buffer")})["steps"]
        assert [step["decision"] for step in steps] == [step["decision"] for step in checked]
        claims += sum("claims:" in step["reason"] for step in steps)
    assert claims > 20


@pytest.mark.parametrize("made", [occupancy.starving, occupancy.halved, occupancy.leapfrog])
@pytest.mark.parametrize(("rules", "size"), occupancy.PORTS)
def test_lassos_of_the_papers_ports_close_in_two_other_engines(made, rules, size):
    stem, cycle = made(rules, size)
    asked = request(rules, stem + 2 * cycle)
    ends = [len(stem) + rounds * len(cycle) - 1 for rounds in range(3)]
    checked = traces.dynaq(asked)["steps"]
    assert len({(*checked[end]["thresholds"], *checked[end]["queues"]) for end in ends}) == 1
    if rules.buffer < 10**6:  # it takes its time
        again = reference_dynaq.run(asked)
        assert [step[0] for step in again] == [step["decision"] for step in checked]
        assert again[ends[0]][3:] == again[ends[2]][3:]


def test_a_lasso_that_does_not_close_or_that_wrr_does_not_serve_is_noticed():
    rules, size = occupancy.PORTS[0]
    stem, cycle = occupancy.starving(rules, size)
    with pytest.raises(AssertionError, match="does not close"):
        occupancy.cycle_states(rules, (stem, cycle[:1]))
    with pytest.raises(AssertionError, match="WRR serves"):
        occupancy.walk(rules, [*stem, ("depart", 2)])
    with pytest.raises(AssertionError, match="gets in"):
        occupancy.refused_for_ever(rules, (stem, cycle), 1)
    mended = replace(rules, victims="unused", patience=1)
    with pytest.raises(AssertionError, match="WRR serves queue 0"):  # its packet got in
        occupancy.cycle_states(mended, (stem, cycle))


def rounds_refused(port, lacking, size=1500):
    """Let queue 1 ask in 40 rounds in which every other queue is served, and refills; count the rounds in vain."""
    vain = 0
    for _ in range(40):
        if port.arrive(0, size).decision == "enqueue":
            return vain
        vain += 1
        for queue in range(1, len(port.lengths)):
            if port.depart(queue) is not None:
                port.arrive(queue, size)
        for queue in lacking:
            port.arrive(queue, size)
    return vain


def test_a_queue_that_wakes_up_waits_no_longer_than_the_formula_says():
    for M, lacking in ((2, ()), (4, ()), (4, (2,)), (4, (2, 3))):
        port = DynaQPort(DynaQ(85_000, (1,) * M, victims="unused", patience=M))
        while port.arrive(1, 1500).decision == "enqueue":
            pass
        short = sum(
            (max(Fraction(0), S - T) for S, T in zip(port.rules.satisfaction[1:], port.thresholds[1:], strict=True)),
            Fraction(0),
        )
        assert 1 <= rounds_refused(port, lacking) <= dynaq.waking_rounds(short, Fraction(1500))
    printed = DynaQPort(DynaQ(85_000, (1,) * 4))
    while printed.arrive(1, 1500).decision == "enqueue":
        pass
    assert rounds_refused(printed, ()) == 40


def test_a_recovery_takes_its_rounds_of_the_weights_in_packets():
    assert dynaq.waking_time(Fraction(3000), Fraction(1500), 3, Fraction(1500)) == 9
    said = statements.recovery.evaluate(L=1500, H="42 KB", W=4, C="1 Gbps")
    assert (said.n, said.t) == (29, Fraction(87, 62500))
