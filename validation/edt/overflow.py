"""After the overflow of EDT: steady ports that cannot follow the rising threshold; runs."""

from fractions import Fraction

from dtmodel import EDT, Arrivals, Switch, simulate
from dtmodel.fluid import answer
from dtmodel.ledger import Agrees, Counterexample, Outcome, check, evidence
from dtmodel.theory.edt import Bursts, EdtSettings, steady_peak
from dtmodel.theory.edt.overflow import steady_uncontrolled

from .scenarios import GRID, SIX, Pieces, against, as_printed, scenario

F = Fraction


@evidence("edt.sec4.1.adv2.fair@settles", form="printed", strength="exact")
def five_flows_take_the_buffer_in_turn() -> Counterexample:
    """B = 6, five flows of 1.45, three in steady state; cn2 by (73), TM1 by (78), TM2 = B / C: a period of 100/9."""
    flow: Pieces = [(0, "29/20")]
    times = [begin + periods * F(100, 9) for periods in (0, 1, 18) for begin in (F(20, 3), F(100, 9))]
    policy = as_printed(1, 6, 5)
    request = scenario([flow] * 2, [flow] * 3, switch=SIX, until=220, sample=times, policy=policy)
    newcomers, others = [["3"] * 2 + ["0"] * 3], [["0"] * 2 + ["2"] * 3]
    rows = answer(request)["queues"]
    check(rows == (newcomers + others) * 3, f"the queues are {rows}")
    return against(request, {"queues": [["1"] * 5] * 6}, "two of them hold the whole buffer, then the three others")


@evidence("edt.ours.steady-uncontrolled", "edt.ours.steady-uncontrolled.any", "edt.ours.steady-peak",
          form="printed", strength="sampled")  # fmt: skip
def what_the_steady_ports_take_agrees_with_the_engine() -> Outcome:
    """Steady ports about the bound, three settings of TM2; both groups of the closed forms with ==."""
    cases = 0
    for s in (each for each in GRID if each.N):
        for share, spare in ((F(1, 2), F(1)), (F(1), None), (F(4, 3), F(3))):
            background = s.C + share * s.alpha * s.M * s.C / (1 + s.alpha * s.N)
            settings = EdtSettings(s.r * s.dt_drop / 3, None, None if spare is None else s.overflow + spare)
            _check_taken(s, settings, background)
            cases += 1
    return Agrees(cases, "bursts of three rates, steady ports at, below and above what the threshold rises by")


def _check_taken(s: Bursts, settings: EdtSettings, background: Fraction) -> None:
    offered = dict.fromkeys(range(s.M), Arrivals.constant(s.R))
    offered |= dict.fromkeys(range(s.M, s.M + s.N), Arrivals.constant(background))
    freed, peak = steady_uncontrolled(s, settings, background), steady_peak(s, settings, background)
    until = (peak.time if peak else s.overflow + 4 * s.B / s.C) + 1
    policy = EDT(s.alpha, settings.cn2, settings.tm1, settings.tm2)
    steady = dict.fromkeys(range(s.M, s.M + s.N), "steady")
    queue = simulate(Switch(s.M + s.N, s.B, s.C), policy, offered, until=until, initial=steady).queue(s.M)
    check(next((time for time, slope, _ in queue.limits if slope == 0), None) == freed, f"{s}: free at another time")
    if freed is not None and peak is not None:
        check(queue.at(peak.time) == peak.length, f"{s}: another length")
        check(queue.dropped(freed) == queue.dropped(peak.time), f"{s}: an earlier loss")


@evidence("edt.ours.steady-take-all.fig15", form="printed", strength="exact")
def the_long_lived_flow_of_figure_15_takes_all() -> Outcome:
    """Two bursts of 6 ms, a third 3 ms later, beside a steady port, all of 2 Gbps: its queue at five instants."""
    ms, MB = F(1, 1000), F(10**6)
    burst = Arrivals.burst("2 Gbps", "6 ms")
    offered = {0: burst, 1: burst, 2: Arrivals([("3 ms", "2 Gbps"), ("9 ms", 0)]), 3: Arrivals.constant("2 Gbps")}
    policy = EDT(1, 12_000, "2.1 ms", "10 ms")
    run = simulate(Switch(16, "1 MB", "1 Gbps"), policy, offered, until="30 ms", initial={3: "steady"})
    times = [F(17, 3) * ms, F(17, 3) * ms + F(96, 10**6), F(41, 3) * ms, F(53, 3) * ms, 30 * ms]
    check([run.queue(3).at(time) for time in times] == [0, 12_000, MB, MB / 2, MB / 2], "other lengths")
    check(run.free.at(times[0]) == run.free.at(times[2]) == 0, "the buffer is not full")
    check([time for time, slope, _ in run.queue(3).limits if slope == 0] == [times[1]], "uncontrolled at another time")
    return Agrees(1, "the scenario of the figure")
