"""The search for counterexamples beside Hypothesis' `find` with `target`: false forms found, draws and seconds.

Both draw instances with the same function from forms that are recorded as false, and both are told the slack of the
conclusion. `attack` follows the nearest miss and instances in which rare hypotheses held; `find` optimises the slack.

    python benchmarks/hunting.py [EVERY] [CASES]
"""

import random
import sys
import time
from collections.abc import Callable

from hypothesis import HealthCheck, Phase, find, settings, target
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from dtmodel.base import budgets
from dtmodel.companion.hunting import quarry
from dtmodel.companion.roots import load
from dtmodel.companion.words import vocabulary
from dtmodel.ledger.adversary import EVENTS, attack, decided
from dtmodel.ledger.formal import Formal, Vocabulary

Search = Callable[[Formal, Vocabulary, int], tuple[bool, int]]


def own(formal: Formal, words: Vocabulary, cases: int) -> tuple[bool, int]:
    """Attack a form; return whether it was found false, and the number of draws."""
    found = attack(formal, words, cases=cases, seed=1)
    return found.counterexample is not None, found.drawn


def by_hypothesis(formal: Formal, words: Vocabulary, cases: int) -> tuple[bool, int]:
    """Let Hypothesis draw; return whether the form was found false, and the number of draws."""
    drawn = 0

    def false(source: random.Random) -> bool:
        nonlocal drawn
        drawn += 1
        with budgets.raised(events=EVENTS):
            _, truth, slack = decided(formal, None, words, source)
        if slack is not None:
            target(-float(slack))
        return truth is not None and truth.holds is False

    phases, checks = [Phase.generate, Phase.target], list(HealthCheck)
    options = settings(max_examples=cases, database=None, deadline=None, phases=phases, suppress_health_check=checks)
    try:
        find(st.randoms(use_true_random=False), false, settings=options, random=random.Random(1))
    except NoSuchExample:
        return False, drawn
    return True, drawn


def main(every: int = 6, cases: int = 400) -> None:
    """Print both searches over every n-th false form."""
    forms = [item.formal for item in quarry(load(()), ()) if not item.recorded][::every]
    print(f"{'search':12} {'found':>9} {'draws':>7} {'seconds':>8}")
    searches: dict[str, Search] = {"attack": own, "Hypothesis": by_hypothesis}
    for name, search in searches.items():
        begin = time.process_time()
        results = [search(formal, vocabulary(formal), cases) for formal in forms]
        spent = time.process_time() - begin
        found, draws = sum(hit for hit, _ in results), sum(number for _, number in results)
        print(f"{name:12} {found:>4} of {len(forms):<2} {draws:>7} {spent:>8.1f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
