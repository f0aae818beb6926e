"""LossPass's port as transition systems, for proofs by induction."""

from typing import Any

import sympy as sp

from dtmodel.ledger.provers.inductive import InductiveInvariant, Transition

B, b, s, l, P, v, d = sp.symbols("B b s l P v d", real=True)
ROOM = [s >= 0, l >= 0, s + l <= B]
OVERFLOW = P + s + l > B
FITS = P + s + l <= B
VICTIM = [v > 0, v <= l, v >= P]  # line 3, with a victim in Q_l

OTHERS = [
    Transition("the packet is dropped", [P > 0]),
    Transition("a small packet departs", [d > 0, d <= s], {s: s - d}),
    Transition("a large packet departs", [d > 0, d <= l], {l: l - d}),
]


def port_of_any_reading() -> InductiveInvariant:
    """Q_s and Q_l under lines 5, 6, 10 and 12, whatever the other lines ask for besides."""
    transitions = [
        Transition("line 12 enqueues a small packet", [P > 0, FITS], {s: s + P}),
        Transition("line 12 enqueues a large packet", [P > 0, FITS], {l: l + P}),
        Transition("lines 5 and 6 exchange", [P > 0, OVERFLOW, *VICTIM], {s: s + P, l: l - v}),
        Transition("line 10 drops what line 6 enqueued", [P > 0, OVERFLOW, *VICTIM], {l: l - v}),
        *OTHERS,
    ]
    return InductiveInvariant("the port never holds more than B", {s: 0, l: 0}, ROOM, transitions, [B > 0])


def port_with_reserve(limited: bool) -> InductiveInvariant:
    """The intended reading with the reserve b = B_l, or the one in which line 12 too keeps Q_s within B - B_l."""
    within = [P + s <= B - b]
    transitions = [
        Transition("line 12 enqueues a small packet", [P > 0, FITS, *(within if limited else [])], {s: s + P}),
        Transition("line 12 enqueues a large packet", [P > 0, FITS], {l: l + P}),
        Transition("lines 5 and 6 exchange", [P > 0, OVERFLOW, *VICTIM, *within], {s: s + P, l: l - v},
                   [l > b, s + P <= B - b]),
        *OTHERS,
    ]  # fmt: skip
    says = "Q_s stays within B - B_l" if limited else "an eviction starts with Q_l > B_l and ends with Q_s <= B - B_l"
    invariant = [*ROOM, *([s <= B - b] if limited else [])]
    return InductiveInvariant(says, {s: 0, l: 0}, invariant, transitions, [b >= 0, b <= B])


def port_of_one_size(limited: bool) -> InductiveInvariant:
    """The port in units of the one packet size: an eviction leaves B_l, and if `limited` so does a dropped packet."""
    r, S, L = sp.symbols("r S L", integer=True)
    n = sp.Symbol("n", real=True)  # the buffer need not be a whole number of packets
    fits, full = n >= 1 + S + L, n < 1 + S + L
    transitions = [
        Transition("a small packet fits", [fits, n - r >= 1 + S] if limited else [fits], {S: S + 1}),
        Transition("a large packet fits", [fits], {L: L + 1}),
        Transition("a small packet evicts", [full, L >= 1, n - r >= 1 + S], {S: S + 1, L: L - 1}, [r <= L - 1]),
        Transition("a large packet is dropped", [full], {}, [r <= L] if limited else []),
        Transition("a small packet is dropped", []),
        Transition("a small packet departs", [S >= 1], {S: S - 1}),
        Transition("a large packet departs", [L >= 1], {L: L - 1}),
    ]
    says = "Q_s stays within B - B_l, and a full port has Q_l >= B_l" if limited else "an eviction leaves Q_l >= B_l"
    state = [S >= 0, L >= 0, n >= S + L, *([n - r >= S] if limited else [])]
    return InductiveInvariant(says, {S: 0, L: 0}, state, transitions, [r >= 0, r <= n])


def coupled_ports() -> InductiveInvariant:
    """LossPass (s, l; lost S, L) beside tail drop (t, m; lost T, M), with packets of one size, on the same events."""
    B, b, s, l, t, m, S, L, T, M = sp.symbols("B b s l t m S L T M", integer=True)
    free, full = s + l < B, s + l >= B
    transitions = [
        Transition("small fits in both", [free], {s: s + 1, t: t + 1}, [t + m < B]),
        Transition("large fits in both", [free], {l: l + 1, m: m + 1}, [t + m < B]),
        Transition("large is dropped by both", [full], {L: L + 1, M: M + 1}, [t + m >= B]),
        Transition("small is dropped by both", [full], {S: S + 1, T: T + 1}, [t + m >= B]),
        Transition("small evicts, and is dropped by tail drop", [full, l >= 1, 1 + s <= B - b],
                   {s: s + 1, l: l - 1, L: L + 1, T: T + 1}, [t + m >= B]),
        *(Transition(f"{one} and {two} are served", [one >= 1, two >= 1], {one: one - 1, two: two - 1})
          for one in (s, l) for two in (t, m)),
        Transition("neither has anything to serve", [s + l <= 0], {}, [t + m <= 0]),
    ]  # fmt: skip
    everything = (s, l, t, m, S, L, T, M)
    kept = [s + l <= B, sp.Eq(s + l, t + m), S <= T, L >= M, sp.Eq(S + L, T + M)]
    return InductiveInvariant(
        "equally long ports and equal losses; LossPass loses no more small and no fewer large packets",
        dict.fromkeys(everything, 0),
        [*(x >= 0 for x in everything), *kept],
        transitions,
        [B >= 1, b >= 0, b <= B],
    )


def isolated_small_flows() -> InductiveInvariant:
    """LossPass (s, l) with strict priority and B_l = 0 beside a port for small packets alone (i), one size."""
    B, s, l, i = sp.symbols("B s l i", integer=True)
    free, full = s + l < B, s + l >= B
    transitions = [
        Transition("small fits", [free], {s: s + 1, i: i + 1}, [i < B]),
        Transition("small evicts", [full, l >= 1, 1 + s <= B], {s: s + 1, l: l - 1, i: i + 1}, [i < B]),
        Transition("small is dropped", [full, sp.Or(l <= 0, 1 + s > B)], {}, [i >= B]),
        Transition("large fits", [free], {l: l + 1}),
        Transition("large is dropped", [full]),
        Transition("small is served", [s >= 1], {s: s - 1, i: i - 1}),
        Transition("large is served", [s <= 0, l >= 1], {l: l - 1}, [i <= 0]),
        Transition("nothing is served", [s <= 0, l <= 0], {}, [i <= 0]),
    ]
    return InductiveInvariant(
        "Q_s is the queue of a port of its own, which loses the same packets",
        dict.fromkeys((s, l, i), 0), [s >= 0, l >= 0, s + l <= B, sp.Eq(s, i)], transitions, [B >= 1],
    )  # fmt: skip


def least_loss() -> InductiveInvariant:
    """A port of its own (i; lost J) beside any policy that holds x <= B small packets and has lost T, one size."""
    B, i, x, J, T = sp.symbols("B i x J T", integer=True)

    def event(name: str, guards: list[Any], **new: Any) -> Transition:
        own = {"i": i, "x": x, "J": J, "T": T}
        return Transition(name, guards, {own[key]: own[key] + step for key, step in new.items()})

    transitions = [
        event("both enqueue", [i < B, x < B], i=1, x=1),
        event("the policy loses it", [i < B], i=1, T=1),
        event("the port of its own loses it", [i >= B, x < B], x=1, J=1),
        event("both lose it", [i >= B], J=1, T=1),
        event("the policy pushes a small packet out", [x >= 1], x=-1, T=1),
        event("a packet that is not small arrives", []),
        event("the policy serves something else", [i >= 1], i=-1),
        event("both serve a small packet", [i >= 1, x >= 1], i=-1, x=-1),
        event("only the policy has one to serve", [i <= 0, x >= 1], x=-1),
        event("neither serves a small packet", [i <= 0]),
    ]
    state = [i >= 0, i <= B, x >= 0, x <= B, J >= 0, T >= J, T + x >= J + i]
    says = "the policy has lost at least as many small packets as the port of its own"
    return InductiveInvariant(says, dict.fromkeys((i, x, J, T), 0), state, transitions, [B >= 1])
