"""Section 3.1: equation (12), the free buffer at the first drop; runs and published numbers."""

from fractions import Fraction

from dtmodel.fluid import answer
from dtmodel.ledger import Counterexample, Outcome, Proved, Witness, check, evidence, refuted_by_values
from dtmodel.theory.dt import formulas

from .scenarios import burst, dt, refutes

FREE_FAST = "r * B / ((1 + alpha * N) * ((1 + alpha * M) * r - alpha * N * C))"


@evidence("edt.abstract.sufficient-conditions", form="printed", strength="exact")
def the_conditions_are_not_sufficient_as_they_stand() -> Outcome:
    """Two bursts of 3/2 C, alpha = 1, B = 3: the one of 2.5 s > t_1 = 2 s loses nothing, as the other ends at 1 s."""
    scenario = dt([burst("3/2", "5/2"), burst("3/2", "1")], buffer="3", until="4")
    return refutes(scenario, {"first_drop": ["2", None]}, "port 1's burst is longer than t_1, and it loses nothing")


@evidence("edt.intro.drops-with-free-buffer", form="printed", strength="exact")
def a_burst_loses_bytes_while_half_the_buffer_is_free() -> Outcome:
    """One burst on an empty switch, alpha = 1: the engine drops at 1 s with 1 of 2 bytes free."""
    found = answer(dt([burst("2")], buffer="2", until="3"))
    check(Fraction(found["free_at_first_drop"][0]) == 1, "another free buffer")
    check(Fraction(found["dropped"][0]) > 0, "nothing is dropped")
    return Proved("F = B / 2 at the first drop", {"B": "2", "F": found["free_at_first_drop"][0]}, ["F > 0"])


@evidence("edt.intro.negative-correlation", form="printed", strength="exact")
def one_more_steady_port_can_leave_more_free() -> Outcome:
    """With alpha = 4, R = 3 C, one burst: B / 15 is free beside one steady port, B / 13 beside two."""
    alpha, B, C, r = Fraction(4), Fraction(195), Fraction(1), Fraction(2)
    one, two = formulas.fast_free(alpha, B, C, 1, 1, r), formulas.slow_free(alpha, B, 1, 2)
    check(two > one, "one more steady port leaves less free")
    hypotheses = [
        f"F_1 == {FREE_FAST}", "F_2 == B / (1 + alpha * (M + N + 1))",
        "alpha * M * r > (1 + alpha * N) * C", "alpha * M * r <= (1 + alpha * (N + 1)) * C",
    ]  # fmt: skip
    values = {"alpha": "4", "B": "195", "C": "1", "M": "1", "r": "2", "N": "1", "F_1": one, "F_2": two}
    return refuted_by_values(values, "F_2 <= F_1", "the second steady port turns case b into case a", hypotheses)


@evidence("edt.intro.extra-traffic", form="printed", strength="exact")
def three_bursts_could_gain_only_a_third() -> Outcome:
    """With alpha = 1 and M = 3 bursts that had the free buffer as well could last a third longer."""
    alpha, B, r = Fraction(1), Fraction(12), Fraction(1)
    gain = formulas.slow_free(alpha, B, 3, 0) / (3 * r) / formulas.slow_drop_time(alpha, B, 3, 0, r)
    values = {"alpha": "1", "M": "3", "gain": gain}
    return refuted_by_values(
        values, "1/2 <= gain and gain <= 1", "the gain is 1 / (alpha M)", ["gain == 1 / (alpha * M)"]
    )


@evidence("edt.sec3.1.remark.reach@case-b", form="printed", strength="exact")
def in_case_b_drops_begin_below_the_length_of_the_others() -> Outcome:
    """With alpha = 1, B = 12, one burst of 4 C beside one steady port: 3.6 against 4.8 bytes at t_2."""
    time = formulas.fast_drop_time(Fraction(1), Fraction(12), Fraction(1), 1, 1, Fraction(3))
    scenario = {
        "switch": {"ports": 2, "buffer": "12", "rate": "1"}, "policy": {"name": "dt", "alpha": "1"},
        "queues": [{"arrivals": [["0", "4"]]}, {"arrivals": [["0", "2"]], "initial": "steady"}], "until": "2",
        "sample": [str(time)],
    }  # fmt: skip
    burst, steady = 3 * time, 6 - time
    check(burst < steady, "the burst's queue is as long as the steady one")
    expected = {"first_drop": [str(time), "0"], "queues": [[str(burst), str(steady)]]}
    claimed = {"queues": [[str(burst), str(burst)]]}
    return Counterexample(Witness("fluid", scenario, expected, claimed, "the steady queue is above the threshold"))
