"""The policies of a derive file: their parameters as expressions, and their thresholds for any numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from dtmodel.base import units
from dtmodel.base.documents import choice, only_keys, required, sequence, table
from dtmodel.base.errors import MISSING, InputError, one_of
from dtmodel.derive.algebra.dimensions import LENGTH, PURE, SLOPE, TIME, Grade, read_term
from dtmodel.derive.algebra.language import Term
from dtmodel.policies import formulas as weights
from dtmodel.policies.caps import Caps
from dtmodel.policies.complete import CompleteSharing, FullBuffer
from dtmodel.policies.dt import DT
from dtmodel.policies.edt import EDT, CountersAndTimers
from dtmodel.policies.memory import Memory
from dtmodel.policies.policy import Policy
from dtmodel.policies.pools import SharedPools
from dtmodel.policies.static import StaticPartition
from dtmodel.policies.weighted import Weighted

Number = Any  # a Fraction or a Ratio
Names = Mapping[str, Term | None]
Thresholds = list[tuple[Number, Number]]


@dataclass(frozen=True)
class Given:
    """The parameters of a policy as numbers, one or a list for the classes, and the number of queues in each class."""

    values: Mapping[str, Any]
    counts: Sequence[Number]

    def __getitem__(self, key: str) -> Any:
        return self.values[key]

    @property
    def zero(self) -> Number:
        """The number 0 in the arithmetic of the parameters."""
        return self.counts[0] - self.counts[0]


@dataclass(frozen=True)
class PolicyTerms(ABC):
    """A policy with its parameters as expressions: `common` to all queues, and one of `each` class.

    A new one declares its parameters with their grades (`COMMON`, `EACH`), its `thresholds` for any numbers, its
    `memory` if it has one, and its `Policy` for exact numbers (`exact`); an entry in `DERIVABLE` registers it.
    """

    common: Mapping[str, Term | None]
    each: Mapping[str, tuple[Term | None, ...]]

    COMMON: ClassVar[Mapping[str, Grade]] = {}
    EACH: ClassVar[Mapping[str, Grade]] = {}
    OPTIONAL: ClassVar[frozenset[str]] = frozenset()
    CONTINUOUS: ClassVar[bool] = True
    """True if runs depend continuously on the parameters."""
    STEADY: ClassVar[bool] = True
    """True if queues can be steady at the start."""

    @property
    def name(self) -> str:
        """The name of the policy in files."""
        return next(name for name, kind in DERIVABLE.items() if type(self) is kind)

    @classmethod
    def read(cls, document: Mapping[str, Any], queues: int, names: Names) -> Self:
        """Read the policy for a number of classes of queues."""
        only_keys(document, ("name", *cls.COMMON, *cls.EACH), "policy.")
        return cls(*cls._terms(document, queues, names))

    @classmethod
    def _terms(cls, document: Mapping[str, Any], queues: int, names: Names) -> tuple[Any, Any]:
        def one(value: Any, key: str, field: str) -> Term | None:
            optional = value in (None, MISSING) and key in cls.OPTIONAL
            return None if optional else read_term(value, field, names, {**cls.COMMON, **cls.EACH}[key])

        def several(key: str) -> tuple[Term | None, ...]:
            value = document.get(key, MISSING)
            if not isinstance(value, list | tuple):
                return (one(value, key, f"policy.{key}"),) * queues
            if len(value) != queues:
                raise InputError(f"policy.{key}", value, f"one for each of the {queues} classes of queues")
            return tuple(one(item, key, f"policy.{key}[{index}]") for index, item in enumerate(value))

        common = {key: one(document.get(key, MISSING), key, f"policy.{key}") for key in cls.COMMON}
        return common, {key: several(key) for key in cls.EACH}

    def of(self, kept: Sequence[int]) -> Self:
        """Return the policy for these classes only."""
        return replace(self, each={key: tuple(terms[k] for k in kept) for key, terms in self.each.items()})

    def graded(self) -> Iterator[tuple[Term, Grade]]:
        """Yield every expression with its grade."""
        for key, term in self.common.items():
            if term is not None:
                yield term, self.COMMON[key]
        for key, terms in self.each.items():
            yield from ((term, self.EACH[key]) for term in terms if term is not None)

    def given(self, counts: Sequence[Number], value: Callable[[Term], Number]) -> Given:
        """Return the parameters at values of the expressions."""

        def number(term: Term | None) -> Number | None:
            return None if term is None else value(term)

        each = {key: [number(term) for term in terms] for key, terms in self.each.items()}
        return Given({**{key: number(term) for key, term in self.common.items()}, **each}, counts)

    @property
    def extreme(self) -> str:
        """The normalisation of L2BM, if its constant is the "least" or the "greatest" sojourn time; else empty."""
        return ""

    def size(self, index: int) -> Term | None:
        """Return the static limit of a class without another bound; None for other classes."""
        del index
        return None

    def occupied(self) -> Iterator[tuple[Sequence[int], str]]:
        """Yield sets of classes that must not all be empty, with the text of the error."""
        return iter(())

    def thresholds(self, given: Given) -> Thresholds | None:
        """Return slope and offset of the threshold of each class; None if only the buffer bounds them."""
        return [(slope, given.zero) for slope in self.slopes(given)]

    def slopes(self, given: Given) -> list[Number]:
        """Return the ratios of the thresholds to the free buffer, for thresholds without offsets."""
        return list(given["alpha"])

    def memory(self, given: Given) -> Memory[Any] | None:
        """Return the memory of the policy in a run, if it has one."""
        del given
        return None

    @abstractmethod
    def exact(self, given: Given) -> Policy:
        """Return the policy for `dtmodel.simulate`, with one queue for each class."""


class DTTerms(PolicyTerms):
    """Dynamic Threshold, with one alpha or one for each class."""

    EACH: ClassVar = {"alpha": SLOPE}

    def exact(self, given: Given) -> Policy:
        """Return DT with these alphas."""
        return DT(given["alpha"])


class EDTTerms(PolicyTerms):
    """Enhanced Dynamic Threshold, with its counting number and timers; an omitted timer never expires."""

    COMMON: ClassVar = {"cn2": LENGTH, "tm1": TIME, "tm2": TIME}
    EACH: ClassVar = {"alpha": SLOPE}
    OPTIONAL = frozenset({"tm1", "tm2"})
    CONTINUOUS = False

    def memory(self, given: Given) -> Memory[Any]:
        """Return the counters and timers."""
        return CountersAndTimers(given["alpha"], given["cn2"], given["tm1"], given["tm2"])

    def exact(self, given: Given) -> Policy:
        """Return EDT with these parameters."""
        return EDT(given["alpha"], given["cn2"], given["tm1"], given["tm2"])


class CompleteTerms(PolicyTerms):
    """Complete sharing: the buffer alone bounds the queues."""

    STEADY = False

    def thresholds(self, given: Given) -> None:
        """Return None: only the buffer bounds the queues."""
        del given

    def memory(self, given: Given) -> Memory[Any]:
        """Return the memory that thins arrivals while the buffer is full."""
        del given
        return FullBuffer()

    def exact(self, given: Given) -> Policy:
        """Return the policy of complete sharing."""
        del given
        return CompleteSharing()


class StaticTerms(PolicyTerms):
    """A static partition: a size for each class."""

    EACH: ClassVar = {"sizes": LENGTH}

    def size(self, index: int) -> Term | None:
        """Return the size of a class."""
        return self.each["sizes"][index]

    def thresholds(self, given: Given) -> Thresholds:
        """Return the sizes, which do not depend on the free buffer."""
        return [(given.zero, size) for size in given["sizes"]]

    def exact(self, given: Given) -> Policy:
        """Return the partition with these sizes."""
        return StaticPartition(given["sizes"])


class WeightedTerms(PolicyTerms):
    """Thresholds w_i F with given weights."""

    EACH: ClassVar = {"weights": SLOPE}

    def slopes(self, given: Given) -> list[Number]:
        """Return the weights of the classes."""
        return list(given["weights"])

    def exact(self, given: Given) -> Policy:
        """Return the policy with these weights."""
        return Weighted(self.slopes(given))


@dataclass(frozen=True)
class ABMTerms(PolicyTerms):
    """ABM: weights from the alphas of priorities, their numbers of congested queues, and shares of the link."""

    priorities: tuple[int, ...]

    EACH: ClassVar = {"alphas": PURE, "drains": PURE}

    @classmethod
    def read(cls, document: Mapping[str, Any], queues: int, names: Names) -> Self:
        """Read the policy; there is one alpha for all priorities, or one for each."""
        only_keys(document, ("name", *cls.EACH, "priorities"), "policy.")
        listed = sequence(document.get("priorities", [0] * queues), "policy.priorities")
        if len(listed) != queues:
            raise InputError("policy.priorities", listed, f"one for each of the {queues} classes of queues")
        priorities = tuple(units.count(value, f"policy.priorities[{index}]") for index, value in enumerate(listed))
        alphas = document.get("alphas")
        if isinstance(alphas, list | tuple):
            if len(alphas) <= max(priorities):
                raise InputError("policy.alphas", alphas, f"one for each of the priorities up to {max(priorities)}")
            document = {**document, "alphas": [alphas[p] for p in priorities]}
        return cls(*cls._terms(document, queues, names), priorities)

    def of(self, kept: Sequence[int]) -> Self:
        """Return the policy for these classes only."""
        return replace(super().of(kept), priorities=tuple(self.priorities[k] for k in kept))

    def occupied(self) -> Iterator[tuple[Sequence[int], str]]:
        """Yield the classes of each priority."""
        for p in dict.fromkeys(self.priorities):
            yield (
                [k for k, own in enumerate(self.priorities) if own == p],
                "at least one queue of each of ABM's priorities",
            )

    def slopes(self, given: Given) -> list[Number]:
        """Return the weights: a priority's queues share its alpha."""
        congested = dict.fromkeys(self.priorities, given.zero)
        for count, p in zip(given.counts, self.priorities, strict=True):
            congested[p] = congested[p] + count
        each = zip(given["alphas"], given["drains"], self.priorities, strict=True)
        return [weights.abm_weight(alpha, share, congested[p]) for alpha, share, p in each]

    def exact(self, given: Given) -> Policy:
        """Return the policy with its weights at these numbers."""
        return Weighted(self.slopes(given))


@dataclass(frozen=True)
class L2BMTerms(PolicyTerms):
    """L2BM: weights from given sojourn times, with a constant by one of the normalisations."""

    normalisation: str

    COMMON: ClassVar = {"alpha": SLOPE}
    EACH: ClassVar = {"sojourns": TIME}

    @property
    def extreme(self) -> str:
        """The normalisation, if it is an extreme."""
        return self.normalisation if self.normalisation in {"least", "greatest"} else ""

    @classmethod
    def read(cls, document: Mapping[str, Any], queues: int, names: Names) -> Self:
        """Read the policy; the default constant is the sum of the sojourn times."""
        only_keys(document, ("name", *cls.COMMON, *cls.EACH, "normalisation"), "policy.")
        how = choice(document.get("normalisation", "sum"), "policy.normalisation", weights.NORMALISATIONS)
        return cls(*cls._terms(document, queues, names), how)

    def graded(self) -> Iterator[tuple[Term, Grade]]:
        """Yield every expression; alpha compensates the count of queues in a sum of sojourn times, not in a mean."""
        for term, grade in super().graded():
            yield term, (-2, 0, 2) if grade == SLOPE and self.normalisation == "sum" else grade

    def occupied(self) -> Iterator[tuple[Sequence[int], str]]:
        """Yield each class if the constant is a sojourn time, all together if it is a mean."""
        classes = range(len(self.each["sojourns"]))
        if self.extreme:
            yield from (([k], "at least one queue: L2BM's constant is one of the sojourn times") for k in classes)
        if self.normalisation == "mean":
            yield classes, "at least one queue in all: L2BM's constant is the mean of the sojourn times"

    def slopes(self, given: Given) -> list[Number]:
        """Return the weights: alpha times the constant, divided by the sojourn time."""
        constant = weights.sojourn_constant(given["sojourns"], self.normalisation, given.counts)
        return [weights.l2bm_weight(given["alpha"], constant, tau) for tau in given["sojourns"]]

    def exact(self, given: Given) -> Policy:
        """Return the policy with its weights at these numbers."""
        return Weighted(self.slopes(given))


class PoolsTerms(PolicyTerms):
    """Reserves, and limits on the shared part, for each class."""

    EACH: ClassVar = {"alpha": SLOPE, "reserved": LENGTH, "cap": LENGTH}

    @classmethod
    def read(cls, document: Mapping[str, Any], queues: int, names: Names) -> Self:
        """Read the policy as in a scenario: one entry of ``limits`` for each class."""
        only_keys(document, ("name", "limits"), "policy.")
        limits = sequence(document.get("limits", MISSING), "policy.limits")
        if len(limits) != queues:
            raise InputError("policy.limits", limits, f"one for each of the {queues} classes of queues")
        each: dict[str, list[Term | None]] = {key: [] for key in cls.EACH}
        for index, item in enumerate(limits):
            where = f"policy.limits[{index}]"
            limit = table(item, where)
            only_keys(limit, tuple(each), f"{where}.")
            if limit.get("alpha") is None and limit.get("cap") is None:
                raise InputError(f"{where}.cap", MISSING, "a static limit for a class without alpha")
            for key, terms in each.items():
                value = limit.get(key)
                terms.append(None if value is None else read_term(value, f"{where}.{key}", names, cls.EACH[key]))
        if len({value is None for value in each["alpha"]}) > 1:
            raise InputError("policy.limits", limits, "an alpha for every class, or for none")
        return cls({}, {key: tuple(terms) for key, terms in each.items()})

    def size(self, index: int) -> Term | None:
        """Return the cap of a class without alpha."""
        return self.each["cap"][index] if self.each["alpha"][index] is None else None

    def _limits(self, given: Given) -> Iterator[tuple[Number | None, Number, Number | None]]:
        for alpha, reserve, cap in zip(given["alpha"], given["reserved"], given["cap"], strict=True):
            yield alpha, given.zero if reserve is None else reserve, cap

    def thresholds(self, given: Given) -> Thresholds:
        """Return alpha and reserve, or the sum of reserve and cap."""
        return [(given.zero, r + c) if a is None else (a, r) for a, r, c in self._limits(given)]

    def memory(self, given: Given) -> Memory[Any] | None:
        """Return the caps, if any of them bounds a class with an alpha."""
        both = {k: (a, r, r + c) for k, (a, r, c) in enumerate(self._limits(given)) if a is not None and c is not None}
        return Caps(both) if both else None

    def exact(self, given: Given) -> Policy:
        """Return the policy with these limits."""
        return SharedPools([weights.QueueLimits(*limit) for limit in self._limits(given)])


DERIVABLE: Mapping[str, type[PolicyTerms]] = {
    "dt": DTTerms,
    "edt": EDTTerms,
    "complete": CompleteTerms,
    "static": StaticTerms,
    "weighted": WeightedTerms,
    "abm": ABMTerms,
    "l2bm": L2BMTerms,
    "pools": PoolsTerms,
}


def read_policy_terms(document: Mapping[str, Any], queues: int, names: Names) -> PolicyTerms:
    """Read the policy of a derive file for a number of classes of queues.

    Raises `InputError` if it is not one of `DERIVABLE`, or a parameter is not accepted.
    """
    required(document, ("name",), "policy.", one_of(DERIVABLE))
    return DERIVABLE[choice(document["name"], "policy.name", tuple(DERIVABLE))].read(document, queues, names)
