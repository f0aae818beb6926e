"""Section 4 and Section 3.2.2: cycles, comparators and registers; runs and published numbers."""

import ast
from fractions import Fraction
from itertools import product

from dtmodel.ledger import Agrees, Counterexample, Outcome, Proved, Witness, check, evidence, refuted_by_values
from dtmodel.packet.dynaq.algorithm import DynaQ, DynaQPort, algorithm1, may_give
from dtmodel.packet.dynaq.states import PortState
from dtmodel.theory.dynaq.hardware import cycles, tournament_depth

from ..support.dynaq.hardware import tournament
from .runs import SMALL, every_arrival, refuted_by


def _finds_maximum(n: int, answers: tuple[tuple[int, int], ...], budget: int = 2) -> bool:
    """Whether some adaptive choice of `budget` comparisons leaves one possible maximum, whatever the answers are."""
    alive = set(range(n)) - {loser for _, loser in answers}
    if len(alive) == 1:
        return True
    if len(answers) == budget:
        return False
    pairs = [(a, b) for a in range(n) for b in range(a)]
    return any(all(_finds_maximum(n, (*answers, (x, y)), budget) for x, y in ((a, b), (b, a))) for a, b in pairs)


LINE_3 = "T_v < size or (q_v > 0 and T_v - size < S_v)"


def depth(node: ast.expr, *, operands_ready: bool = False) -> int:
    """Return the longest chain of an expression when each subtraction, comparison and gate costs one cycle.

    With `operands_ready` only the gates count: what they join is there when the line starts.
    """
    if isinstance(node, ast.BoolOp):
        return 1 + max(depth(part, operands_ready=operands_ready) for part in node.values)
    if operands_ready or not isinstance(node, ast.BinOp | ast.Compare):
        return 0
    parts = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.left, *node.comparators]
    return 1 + max(map(depth, parts))


def line_3() -> ast.expr:
    """Return line 3 as an expression; it is the rule of the packet engine on all small numbers."""
    tree = ast.parse(LINE_3, mode="eval").body
    code = compile(ast.Expression(tree), "line 3", "eval")
    for T_v, S_v, q_v, size in product(range(4), range(1, 4), range(2), range(1, 4)):
        holds = eval(code, {"T_v": T_v, "S_v": S_v, "q_v": q_v, "size": size})  # noqa: S307 - the constant above
        check(holds != may_give(S_v, T_v, q_v, size), "line 3 of the engine")
    return tree


def _lines(rules: DynaQ, state: PortState, p: int, size: int) -> tuple[int, ...]:
    ruling = algorithm1(rules, state.thresholds, state.lengths, p, size)
    if ruling.victim is None:
        return (1,)
    return (1, 2, 3, 4) if ruling.decision == "drop" else (1, 2, 3, 6, 7)


@evidence("dynaq.sec3.2.2.binary-search", "dynaq.sec3.2.2.log-n@comparisons", form="printed", strength="exact")
def a_tournament_needs_m_minus_1_comparisons() -> Outcome:
    """Count a tournament's comparisons, and show by adversary that ceil(log2 M) of them cannot find a maximum."""
    for M in (4, 8, 32):
        _, rounds, comparisons = tournament(range(M), lambda _, b: b)
        check(comparisons == M - 1 and rounds == tournament_depth(M), f"M = {M}: {comparisons} in {rounds} rounds")
    check(not any(_finds_maximum(4, ()) for _ in (0,)), "two comparisons found the largest of four")
    says = "each comparison rules out one queue, so that the largest of 4 takes 3 comparisons; they fit into 2 rounds"
    values = {"M": "4", "comparisons": "3", "steps_of_a_binary_search": "2"}
    return refuted_by_values(values, "comparisons <= steps_of_a_binary_search", says)


@evidence("dynaq.sec3.2.2.max-idx", "dynaq.sec3.2.1.victim-definition", form="printed", strength="exact")
def without_a_mask_the_tournament_picks_the_sender() -> Outcome:
    """Queue 1 of 4 takes a packet of threshold twice: the second time it has the largest extra itself."""
    rules = DynaQ(8, (1, 1, 1, 1))
    labels = [("arrive", 0, 1)] * 4
    extras = [1, -1, 0, 0]  # before the last arrival
    winner, _, _ = tournament(range(4), lambda a, b: b if extras[b] > extras[a] else a)
    check(winner == 0, "the sender has the largest extra")
    return refuted_by(rules, labels, "MaxIdx over all four returns queue 1, the sender; line 2 excludes it", victim=1)


@evidence("dynaq.sec3.2.2.log-n@depth", form="printed", strength="exact")
@evidence("dynaq.sec3.2.2.o2-o3", "dynaq.sec3.2.2.o5", form="printed", strength="exact")
def the_tournament_takes_log_2_rounds() -> Outcome:
    """Count the rounds for 4, 8 and 32 queues, and for every number up to 64."""
    for M in range(1, 65):
        _, rounds, _ = tournament(range(M), lambda _, b: b)
        check(rounds == tournament_depth(M) and (M == 1 or 2 ** (rounds - 1) < M <= 2**rounds), f"M = {M}: {rounds}")
    check([tournament_depth(M) for M in (4, 8, 32)] == [2, 3, 5], "2, 3 and 5 rounds")
    return Agrees(64, "M = 1 to 64; 2, 3 and 5 rounds for 4, 8 and 32 queues")


@evidence("dynaq.sec4.1.nanosecond", form="printed", strength="exact")
def a_cycle_at_one_gigahertz() -> Outcome:
    """Invert 1 GHz; 800 cycles then take the 800 ns that the text gives elsewhere."""
    cycle = 1 / Fraction(10**9)
    check(800 * cycle == Fraction(800, 10**9), "800 ns")
    return Proved("1 / (1 GHz) = 1 ns, and 800 cycles are 800 ns", {"hertz": "1000000000"})


@evidence("dynaq.sec4.1.line2-cycles", form="printed", strength="exact")
@evidence("dynaq.sec4.1.total", "dynaq.sec1.cycles", "dynaq.ours.cycles", form="printed", strength="exact")
def the_cycles_add_up() -> Outcome:
    """Add 1, the rounds of the tournament, 2 and 1, for 4, 8 and 32 queues."""
    eight = cycles(8)
    check((eight.line1, eight.line2, eight.line3, eight.lines67) == (1, 3, 2, 1), str(eight))
    check([cycles(M).total for M in (4, 5, 6, 7, 8, 32)] == [6, 7, 7, 7, 7, 9], "6, 7 and 9 cycles")
    return Proved("1 + 3 + 2 + 1 = 7 with 8 queues; 6 with 4; 9 with 32", {"M": "8", "cycles": "7"})


@evidence("dynaq.sec4.1.overhead", "dynaq.abstract.few-cycles", form="printed", strength="exact")
def seven_of_800_cycles() -> Outcome:
    """Round 7/800 to two decimals of a percent."""
    part = Fraction(100 * cycles(8).total, 800)
    check(Fraction(875, 1000) <= part <= Fraction(885, 1000) and part < 1, str(part))
    return Proved("7/800 = 0.875 %, which is 0.88 % when halves are rounded up", {"cycles": "7", "of": "800"})


@evidence("dynaq.sec4.1.worst-case", form="printed", strength="exact")
def the_longest_path_executes_lines_1_to_3_and_6_to_7() -> Outcome:
    """Collect the sequences of lines that arrivals take, with their cycles."""
    seen = {
        len(path): path
        for rules in SMALL
        for state, p, size in every_arrival(rules, (1,))
        for path in [_lines(rules, state, p, size)]
    }
    check(seen[max(seen)] == (1, 2, 3, 6, 7), f"paths {seen}")
    return Agrees(len(seen), "paths 1; 1, 2, 3, 4; 1, 2, 3, 6, 7")


@evidence("dynaq.sec4.1.line3-cycles", form="printed", strength="exact")
def line_3_has_four_dependent_operations() -> Outcome:
    """Count the longest chain of line 3: subtraction, comparison, and, or."""
    says = "T_v - size(P), its comparison with S_v, the conjunction and the disjunction depend on each other"
    return refuted_by_values({"depth": depth(line_3())}, "depth == 2", says)


@evidence("dynaq.sec4.1.line3-cycles", form="assumed", strength="exact")
def line_3_has_two_gates() -> Outcome:
    """Count only the gates: the operands are ready when the line starts."""
    gates = depth(line_3(), operands_ready=True)
    check(gates == 2, f"{gates} gates")
    return Proved("a conjunction and then a disjunction", {"gates": str(gates)})


@evidence("dynaq.sec4.1.line3-order", form="printed", strength="exact")
def the_disjunction_of_line_3_has_a_conjunction_in_it() -> Outcome:
    """Take line 3 apart: an or of a comparison and an and of two."""
    tree = line_3()
    check(isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.Or), "an or outside")
    inside = [part.op for part in ast.walk(tree) if isinstance(part, ast.BoolOp) and part is not tree]
    check(len(inside) == 1 and isinstance(inside[0], ast.And), f"inside: {inside}")
    return Proved("the conjunction is an operand of the disjunction", {"line 3": LINE_3})


@evidence("dynaq.sec4.1.lines67-independent", form="printed", strength="exact")
def lines_6_and_7_touch_different_queues() -> Outcome:
    """Check v != p at every adjustment in every reachable state of small ports."""
    cases = 0
    for rules in SMALL:
        for state, p, size in every_arrival(rules, (1,)):
            victim = algorithm1(rules, state.thresholds, state.lengths, p, size).victim
            check(victim != p, f"{rules}, {state}: the victim is the sender")
            cases += victim is not None
    return Agrees(cases, "every victim in every reachable state of the small ports")


@evidence("dynaq.sec4.1.registers@queue", form="printed", strength="exact")
def a_dropped_arrival_is_no_byte_of_the_queue() -> Outcome:
    """A packet arrives that no threshold can be moved for: it is counted, and the queue stays empty."""
    events = [["arrive", None, 1, 2]]
    trace = {
        "algorithm": "dynaq",
        "buffer": 2,
        "weights": [1, 1],
        "tie_break": "low",
        "admit": "port",
        "events": events,
    }
    says = "one arrival and no departure, and nothing is queued: the packet was dropped"
    expected, claimed = {"final": {"queues": ["0", "0"]}}, {"final": {"queues": ["2", "0"]}}
    return Counterexample(Witness("trace", trace, expected, claimed, says), says)


@evidence("dynaq.sec4.1.registers@queue", form="assumed", strength="exact")
def arrivals_less_departures_are_the_length() -> Outcome:
    """Count the bytes of what is not dropped, and hold them against the packets that lie in each queue of a port."""
    events, cases = [(p, size) for p in (0, 1) for size in (1, 2, 0)], 0
    kinds = [DynaQ(4, (1, 1), admit=admit) for admit in ("port", "recheck")]
    for rules, run in product(kinds, product(events, repeat=5)):  # 0 bytes: a departure
        port, arrived, left = DynaQPort(rules), [0, 0], [Fraction(0)] * 2
        for p, size in run:
            if size:
                arrived[p] += size if port.arrive(p, size).decision != "drop" else 0
            else:
                left[p] += port.packets[p][0][1] if port.packets[p] else 0
                port.depart(p)
            held = [sum(size for _, size in queue) for queue in port.packets]
            check([a - d for a, d in zip(arrived, left, strict=True)] == held, f"{rules}, {run}")
        cases += 1
    return Agrees(cases, "every sequence of 5 arrivals (1 and 2 bytes) and departures at 4 bytes over two queues")


@evidence("dynaq.sec1.cycles@any-number", form="printed", strength="exact")
def thirty_two_queues_take_nine_cycles() -> Outcome:
    """Evaluate the paper's accounting for the 32 queues of Section 3.2.2."""
    return refuted_by_values(
        {"queues": 32, "cycles": cycles(32).total}, "cycles <= 7", "1 + 5 + 2 + 1 cycles with 32 queues"
    )


@evidence("dynaq.sec1.cycles@any-number", form="assumed", strength="exact")
def up_to_eight_queues_take_up_to_seven_cycles() -> Outcome:
    """Evaluate it for 1 to 8 queues."""
    counted = [cycles(M).total for M in range(1, 9)]
    check(max(counted) == counted[-1] == 7, f"{counted}")
    return Agrees(8, "1 to 8 queues; 7 is attained")


@evidence("dynaq.sec1.ports", form="printed", strength="exact")
def two_cards_of_four_ports() -> Outcome:
    """Multiply two cards by four ports."""
    check(2 * 4 == 8, "ports")
    return Proved("2 x 4 = 8 ports", {"cards": "2", "ports": "4"})


@evidence("dynaq.ours.stale-length", form="printed", strength="exact")
def a_stale_length_takes_the_threshold_of_an_active_queue() -> Outcome:
    """Run line 3 with the length 1 of the victim, and with 0, its length before the last packet."""
    rules = DynaQ(4, (1, 1))
    true, stale = (algorithm1(rules, rules.initial, [2, q], 0, 1) for q in (1, 0))
    check(true.decision == "drop" and true.thresholds == rules.initial, f"{true}")
    check(stale.decision == "enqueue" and stale.thresholds[1] < rules.satisfaction[1], f"{stale}")
    example = {"T_v": str(stale.thresholds[1]), "S_v": str(rules.satisfaction[1]), "q_v": "1"}
    return Proved("T_2 falls to 1 < S_2 = 2 although queue 2 holds a packet", example, ["T_v < S_v", "q_v > 0"])
