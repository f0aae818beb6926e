"""Section 3.2: Theorem 2, equations (13) to (29); runs and published numbers."""

from fractions import Fraction

from dtmodel.fluid import answer
from dtmodel.ledger import Agrees, Conflict, Outcome, check, evidence, refuted_by_values
from dtmodel.theory.dt import formulas
from dtmodel.theory.dt.series import draining, meeting_times, recursive_follows

from .figures import fig04
from .figures.threshold_panels import THRESHOLD
from .scenarios import burst, dt, meets, refutes, slopes, steady, times

ONE = Fraction(1)


@evidence("edt.fig4", form="printed", strength="exact")
def figure_4_flattens_at_each_meeting() -> Outcome:
    """Each queue meets the threshold at its ring; after each the threshold falls more slowly, to rest at the end."""
    shown = fig04.data().panels[0]
    threshold = shown.curve(THRESHOLD)
    for k, mark in enumerate(shown.marks, 1):
        queue = shown.curve(f"$Q_{k}$")
        check(meets(shown, queue.label) == mark.time, f"queue {k} does not meet the threshold at its ring")
        later = [t for t in queue.times if t >= mark.time]
        check(all(queue.at(t) == threshold.at(t) for t in later), f"queue {k} leaves the threshold")
    falls = slopes(threshold)
    check(falls == sorted(falls) and falls[-1] == 0 and len(falls) == 4, "the threshold does not flatten to rest")
    check(shown.curve("$Q_4$ (steady)").lengths == threshold.lengths, "the steady queue leaves the threshold")
    return Agrees(5, "the five trajectories of the figure")


@evidence("edt.fig4.caption", "edt.sec3.2.fig4", form="printed", strength="exact")
def the_caption_and_the_text_of_figure_4_differ() -> Outcome:
    """M is 3 in the caption and 4 in the text."""
    caption, text = 3, 4
    check(caption != text, "they agree")
    return Conflict("edt.sec3.2.fig4", "one figure, two values of M", {"caption": str(caption), "text": str(text)})


@evidence(
    "edt.thm2",
    "edt.eq13",
    "edt.thm2.proof.conclusion",
    "edt.thm2.proof.step.count",
    "edt.thm2.proof.step.drop",
    form="printed",
    strength="exact",
)
def a_burst_that_ends_after_its_own_drop_saves_the_next() -> Outcome:
    """Rates 5/3 and 4/3: t_1 = 3 s, t_2 = 5 s. The first ends at 4 s, so the second, of 5.5 s, loses nothing."""
    setting, rates = (ONE, Fraction(5), ONE, 0), (Fraction(5, 3), Fraction(4, 3))
    check(sum(rates) - 2 <= 1, "not Theorem 2's hypothesis")
    claimed = times([time for time, _ in recursive_follows(*setting, rates)])
    scenario = dt([burst("5/3", "4"), burst("4/3", "11/2")], buffer="5", until="8")
    return refutes(scenario, {"first_drop": claimed}, "port 1 stops following the threshold at 4 s")


@evidence("edt.sec3.2.two-theorems@all-ports", form="printed", strength="exact")
def theorem_3_leaves_ports_out() -> Outcome:
    """Rates 4 and 3 beside a steady port: Theorem 3 applies with L = 1, and port 2 drops all the same."""
    setting, rates = (ONE, Fraction(12), ONE, 1), (Fraction(4), Fraction(3))
    L = sum(draining(ONE, ONE, 1, rates))
    found = answer(dt([burst("4"), burst("3"), steady()], buffer="12", until="4"))["first_drop"]
    check(found[1] == str(meeting_times(*setting, rates)[1]), "port 2 does not drop")
    hypotheses = ["alpha * G_1 > (1 + alpha * N) * C", "alpha * G_2 <= (1 + alpha * (N + 1)) * C"]
    values = {"alpha": "1", "N": "1", "C": "1", "G_1": "5", "G_2": "2", "M": "2", "L": L}
    return refuted_by_values(values, "L == M", f"port 2 drops at {found[1]}, and no theorem says so", hypotheses)


@evidence("edt.thm2.proof.exceed@for-a-while", form="printed", strength="exact")
def the_steady_queue_stays_on_the_threshold() -> Outcome:
    """One burst of 2 beside one steady port, alpha = 1, B = 12: at 2 s both the queue and the threshold are 5."""
    (row,) = answer(dt([burst("2"), steady()], buffer="12", until="4", sample=["2"]))["queues"]
    threshold = 12 - sum(Fraction(length) for length in row)
    check(threshold == Fraction(row[1]), "the steady queue is off the threshold")
    values = {"Q": row[1], "T": threshold, "alpha": "1", "N": "1", "G_1": "1", "C": "1"}
    return refuted_by_values(
        values, "Q > T", "it follows the threshold, and is never longer", ["alpha * G_1 <= (1 + alpha * N) * C"]
    )


@evidence("edt.thm2.proof.lower-rate", form="printed", strength="exact")
def at_the_boundary_the_threshold_falls_at_exactly_C() -> Outcome:
    """With alpha = 1, N = 1, G_1 = 2 C the threshold falls at C, not at a lower rate."""
    slope = formulas.follow_slope(Fraction(1), 1, Fraction(2))
    hypotheses = ["alpha * G_1 <= (1 + alpha * N) * C", "Tdot == -alpha * G_1 / (1 + alpha * N)"]
    values = {"alpha": "1", "N": "1", "C": "1", "G_1": "2", "Tdot": slope}
    return refuted_by_values(
        values, "-Tdot < C", "with equality in the hypothesis the threshold falls at C", hypotheses
    )


@evidence("edt.thm2.proof.basis", "edt.thm2.proof.until", form="printed", strength="exact")
def a_burst_that_ends_early_saves_the_first_port() -> Outcome:
    """The second burst ends at 1 s, the first at 3.25 s, after t_1 = 3 s: the first port loses nothing."""
    setting, rates = (ONE, Fraction(5), ONE, 0), (Fraction(5, 3), Fraction(4, 3))
    claimed = [times([time for time, _ in recursive_follows(*setting, rates)])[0], None]
    scenario = dt([burst("5/3", "13/4"), burst("4/3", "1")], buffer="5", until="8")
    return refutes(scenario, {"first_drop": claimed}, "the threshold turns up when burst 2 ends")
