"""``dtmodel params edt`` and the inverse questions: the paper's numbers, exact answers, warnings, bad input."""

import json
import random
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from click.testing import CliRunner

from dtmodel import InputError
from dtmodel.cli.params_edt import command
from dtmodel.theory.edt.drops import Bursts, EdtSettings, dt_lost, edt_drop_time, edt_lost
from dtmodel.theory.edt.inverse import best_alpha, largest_rate, longest_burst, smallest_buffer, worst_ports
from dtmodel.theory.edt.sheet import parameters

F = Fraction
PAPER: dict[str, Any] = {"ports": 16, "buffer": "1 MB", "rate": "1 Gbps", "duration": "10 ms"}
TESTBED: dict[str, Any] = {"ports": 4, "buffer": "256 KB", "rate": "999 Mbps", "duration": "10 ms"}


def test_the_papers_switch_has_the_papers_settings() -> None:
    sheet = parameters(**PAPER)
    assert sheet["cn2_packets"] == 8
    assert round(float(sheet["tm1"]) * 1e3, 1) == 2.1
    assert sheet["tm2"] == sheet["d"] == F(1, 100)
    assert sheet["cn1"] == 3
    assert sheet["cn2"] == sheet["cn2_best"], "P is even"


def test_the_testbed_has_its_tm1_but_not_its_cn2_with_packets_of_1500_bytes() -> None:
    assert round(float(parameters(**TESTBED)["tm1"]) * 1e3, 2) == 5.56
    assert parameters(**TESTBED)["cn2_packets"] == 18
    assert parameters(**TESTBED, packet=1400)["cn2_packets"] == 20


def test_without_a_duration_d_is_the_time_to_fill_the_buffer() -> None:
    sheet = parameters(ports=16, buffer="1 MB", rate="1 Gbps")
    assert sheet["d"] == F(8, 1000)
    assert parameters(ports=16, buffer="1 MB", rate="1 Gbps", smallest_rate="1.5 Gbps")["d"] == F(16, 1000)


def some_switch(rng: random.Random) -> dict[str, Any]:
    return {"alpha": F(rng.randint(1, 8), 4), "B": F(rng.randint(4, 40)), "C": F(1), "P": rng.randint(1, 6)}


def test_the_answers_are_lossless_and_nothing_more_is() -> None:
    rng = random.Random(21)
    for _ in range(40):
        switch, R = some_switch(rng), 1 + F(rng.randint(1, 12), 2)
        for policy, lost in (("dt", dt_lost), ("edt", edt_lost)):
            d = longest_burst(**switch, R=R, policy=policy)
            cases = [(M, N) for M in range(1, switch["P"] + 1) for N in range(switch["P"] - M + 1)]
            settings = {key: switch[key] for key in ("alpha", "B", "C")}
            losses = [(lost(Bursts(**settings, M=M, N=N, R=R), t)) for M, N in cases for t in (d, d * F(101, 100))]
            assert not any(losses[::2])
            assert any(losses[1::2])


def test_the_worst_bursts_are_on_every_port_that_is_not_steady() -> None:
    """The search over M = P - N finds the least drop time, and its ports, of the search over all M and N."""
    rng = random.Random(23)
    policies = set()
    for _ in range(400):
        switch, R = some_switch(rng), 1 + F(rng.randint(1, 12), 4)
        B = switch["B"]
        settings = EdtSettings(
            B * F(rng.randint(1, 9), 20), rng.choice([None, F(rng.randint(1, 20), 2)]), F(rng.randint(1, 9), 2)
        )
        found = worst_ports(**switch, R=R, settings=settings)
        every = []
        for M in range(1, switch["P"] + 1):
            for N in range(switch["P"] - M + 1):
                bursts = Bursts(switch["alpha"], B, switch["C"], M, N, R)
                every.append((edt_drop_time(bursts, settings), N, -M))
                policies.add(every[-1][0] == bursts.dt_drop)
        time, N, M = min(every)
        assert found == (time, -M, N)
    assert policies == {True, False}


def test_the_inverse_questions_invert_each_other() -> None:
    rng = random.Random(22)
    for _ in range(60):
        switch, R = some_switch(rng), 1 + F(rng.randint(1, 12), 2)
        for policy in ("dt", "edt"):
            d = longest_burst(**switch, R=R, policy=policy)
            without_B = {key: switch[key] for key in ("alpha", "C", "P")}
            assert largest_rate(**switch, d=d, policy=policy) == R
            assert smallest_buffer(**without_B, R=R, d=d, policy=policy) == switch["B"]


def test_the_best_alpha_is_the_best_power_of_two() -> None:
    switch = {"B": F(16), "C": F(1), "P": 4, "R": F(3)}
    alpha, duration = best_alpha(**switch, policy="dt")
    others = [longest_burst(alpha=F(2) ** k, **switch, policy="dt") for k in range(-7, 8)]
    assert duration == max(others) == longest_burst(alpha=alpha, **switch, policy="dt")
    assert best_alpha(**switch | {"P": 1}, policy="dt")[0] == 128  # alone, the most that is tried


def test_settings_can_stand_in_the_way() -> None:
    switch = {"alpha": F(1), "B": F(16), "C": F(1), "P": 2, "R": F(3)}
    late = EdtSettings(F(4), tm1=F(1, 10))
    assert longest_burst(**switch, settings=late) == longest_burst(**switch, policy="dt")
    assert edt_drop_time(Bursts(F(1), F(16), F(1), 1, 1, F(3)), late) == F(8, 3)


def test_what_the_inputs_carry_lasts_longer() -> None:
    sheet = parameters(**PAPER)
    assert sheet["longest_burst_carried"] > sheet["longest_burst"] > sheet["longest_burst_dt"]
    with pytest.raises(InputError, match="inputs can bring"):
        longest_burst(alpha=F(1), B=F(16), C=F(1), P=2, R=F(3), carried=True)


def test_the_inputs_also_carry_the_steady_ports() -> None:
    switch = {"alpha": F(1), "B": F(12), "C": F(1), "P": 2, "R": F(3, 2)}
    assert longest_burst(**switch, policy="dt") == 8, "one burst beside one steady port: 5/2 from two inputs"
    assert longest_burst(**switch, policy="dt", carried=True) == 12


def test_the_command_prints_exact_json() -> None:
    arguments = ["--ports", "16", "--buffer", "1MB", "--rate", "1Gbps", "--duration", "10ms", "--json"]
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 0
    answer = json.loads(result.output)
    assert answer["parameters"]["tm1"]["value"] == "17/8100"
    assert answer["parameters"]["cn2_packets"]["value"] == 8
    assert len(answer["warnings"]) >= 2


@pytest.mark.parametrize("policy", ["dt", "edt"])
def test_the_largest_rate_is_the_inverse_of_the_longest_burst(policy):
    for alpha, P, d in product([F(1, 4), F(1, 2), F(1), F(3)], [1, 2, 3, 4], [F(1), F(5)]):
        switch = {"alpha": alpha, "B": F(20), "C": F(2), "P": P, "policy": policy}
        assert longest_burst(R=largest_rate(d=d, **switch), **switch) == d


def test_only_what_the_inputs_can_bring_is_asked_of_a_switch():
    """P = 2, C = 2: a burst of rate 4 beside an idle port is just what two inputs bring; one of rate 5 is more."""
    switch = {"alpha": F(1), "B": F(16), "C": F(2), "P": 2}
    assert longest_burst(R=F(4), carried=True, **switch) == Bursts(F(1), F(16), F(2), 1, 0, F(4)).overflow
    assert longest_burst(R=F(4), **switch) < longest_burst(R=F(4), carried=True, **switch)
    assert longest_burst(R=F(3), carried=True, **switch) == Bursts(F(1), F(16), F(2), 1, 0, F(3)).overflow
    with pytest.raises(InputError, match="at most 4 bytes/s"):
        longest_burst(R=F(5), carried=True, **switch)


def test_what_the_inputs_bring_to_steady_ports_counts_at_their_rate():
    """P = 3, C = 2: 5 + 2 is more than 6; beside that steady port the buffer would be full at 60 / 5, not at 60 / 3."""
    switch = {"alpha": F(4), "B": F(60), "C": F(2), "P": 3, "R": F(5)}
    assert Bursts(F(4), F(60), F(2), 1, 1, F(5)).overflow == 12
    assert longest_burst(carried=True, **switch) == 20
    # At rate 4 three inputs bring the steady port too: DT loses at 60 / (3 * 2), not at 60 / (2 * 2).
    assert longest_burst(carried=True, policy="dt", **switch | {"alpha": F(1), "R": F(4)}) == 10
    # Six inputs bring three bursts of rate 4 beside nobody, though not one beside five: 60 / (3 * 2), not 60 / 2.
    assert longest_burst(carried=True, **switch | {"alpha": F(1), "R": F(4), "P": 6}) == 10
