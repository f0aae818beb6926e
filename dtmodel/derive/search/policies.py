"""The policy of a derive file: a class of `dtmodel.policies` with its parameters as expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from dtmodel import policies
from dtmodel.base import units
from dtmodel.base.documents import required
from dtmodel.base.errors import InputError, one_of
from dtmodel.derive.algebra.dimensions import COUNT, LENGTH, PURE, SLOPE, TIME, Grade, read_term
from dtmodel.derive.algebra.language import Term
from dtmodel.derive.search.trees import Tree
from dtmodel.policies import Policy, PolicyParameter, SharedPools
from dtmodel.policies.parameters import unchecked

Number = Any  # a Fraction or a Ratio
Names = Mapping[str, Term | None]
_GRADES: Mapping[str, Grade] = {
    "slope": SLOPE, "number": PURE, "bytes": LENGTH, "s": TIME,
    "slope per queue": (SLOPE[0] - COUNT[0], SLOPE[1] - COUNT[1], SLOPE[2] - COUNT[2]),
}  # fmt: skip
_AMPLE = Fraction(10**9)
"""A buffer with room for all queues of a policy whose parameters are 1."""


@dataclass(frozen=True)
class Least:
    """The least of several expressions."""

    terms: tuple[Term, ...]


@dataclass(frozen=True)
class PolicyTerms:
    """A class of policies with the values of its parameters, and the policy's `name` in files.

    `tree`: the tree with these limits, with `below` apart from those of the groups. `continuous`: runs depend
    continuously on the parameters.
    """

    name: str
    kind: type[Policy]
    values: Mapping[str, Any]
    queues: int
    tree: Tree | None = None
    below: bool = False

    @property
    def certifiable(self) -> bool:
        """True if each limit is one expression."""
        if self.below:
            return False
        lists = [each for each in self.values.values() if isinstance(each, tuple)]
        return not any(isinstance(term, Least) for each in lists for term in each)

    @cached_property
    def continuous(self) -> bool:
        """True if runs depend continuously on the parameters, because thresholds do not jump."""
        policy = self.of_ones()
        memory = policy.memory(policy.parts(_AMPLE, self.queues)[0], Fraction)
        return memory is None or memory.continuous

    def steady(self, queue: int) -> bool:
        """Return True if a queue has a threshold, on which it can be steady at the start."""
        return self.of_ones().thresholds(self.queues)[queue] is not None

    def of(self, kept: Sequence[int]) -> PolicyTerms:
        """Return the policy for these classes only."""
        each = {parameter.name for parameter in self.kind.parameters if parameter.many in ("each", "either")}
        values = {key: tuple(v[k] for k in kept) if key in each else v for key, v in self.values.items()}
        return replace(self, values=values, queues=len(kept), tree=self.tree and self.tree.of(kept))

    def terms(self) -> Iterator[tuple[PolicyParameter, Term]]:
        """Yield every expression with its parameter."""
        for parameter in self.kind.parameters:
            found = self.values[parameter.name]
            for term in found if isinstance(found, tuple) else (found,):
                for each in term.terms if isinstance(term, Least) else (term,):
                    if isinstance(each, Term):
                        yield parameter, each
            for group in self.tree.groups if self.tree and self.below else ():
                if (term := getattr(group, parameter.name)) is not None:
                    yield parameter, term

    def graded(self) -> Iterator[tuple[Term, Grade]]:
        """Yield every expression with its grade."""
        if self.tree and self.below:
            yield from self.tree.graded()
            return
        policy = self.of_ones()
        yield from ((term, _GRADES[policy.unit_of(parameter)]) for parameter, term in self.terms())

    def at(self, counts: Sequence[Number], value: Callable[[Term], Number]) -> Policy:
        """Return the policy at values of the expressions, which are numbers of any kind and are not checked."""

        def number(given: Any) -> Any:
            if isinstance(given, tuple):
                return tuple(map(number, given))
            if isinstance(given, Least):
                found = [value(term) for term in given.terms]
                return found[0] if isinstance(found[0], Term) else min(found)
            return value(given) if isinstance(given, Term) else given

        return self.kind.of({name: number(given) for name, given in self.values.items()}, unchecked).counting(counts)

    def of_ones(self) -> Policy:
        """Return the policy with 1 for every expression."""
        return self.at([Fraction(1)] * self.queues, lambda _: Fraction(1))


def read_policy_terms(document: Mapping[str, Any], queues: int, names: Names) -> PolicyTerms:
    """Read the policy for a number of classes of queues; `InputError` if the fluid model cannot run it."""
    required(document, ("name",), "policy.", one_of(policies.names()))
    name, kind = policies.find(document["name"])
    if accepted := policies.packets_only(kind):
        raise InputError("policy.name", document["name"], accepted)
    columns = kind.columns(document, queues)
    each = {p.name: _read(p, kind, columns, queues, names) for p in kind.parameters}
    found = PolicyTerms(name, kind, each, queues)
    policy = found.of_ones()
    policy.consistent()
    policy.start(_AMPLE, [Fraction(0)] * queues)
    return found


def tree_terms(tree: Tree, names: Names, *, below: bool) -> PolicyTerms:
    """Return the limits that classes of queues that are alike have in a tree, or their limits `below` its groups."""
    if below:
        own = {key: tuple(getattr(limit, key) for limit in tree.classes) for key in ("alpha", "reserved", "cap")}
        return PolicyTerms("pools", SharedPools, own, len(tree.classes), tree, below=True)
    values: dict[str, list[Any]] = {"alpha": [], "reserved": [], "cap": []}
    for index, limit in enumerate(tree.classes):
        laws = dict(zip(("alpha", "cap"), tree.law(index), strict=True))
        for key, grade in (("alpha", SLOPE), ("cap", LENGTH)):
            terms = tuple(read_term(text, f"policy.limits[{index}].{key}", names, grade) for text in laws[key])
            values[key].append(Least(terms) if len(terms) > 1 else terms[0] if terms else None)
        values["reserved"].append(limit.reserved)
    found = {key: tuple(each) for key, each in values.items()}
    return PolicyTerms("pools", SharedPools, found, len(tree.classes), tree)


def _read(parameter: PolicyParameter, kind: type[Policy], columns: Mapping[str, Any], queues: int, names: Names) -> Any:
    """Read a parameter; one value stands for all classes."""
    value, field = columns[parameter.name], f"policy.{parameter.name}"
    if parameter.many == "one":
        return _read_one(parameter, value, field, names)
    if parameter.many in columns:  # one for each index
        (index,) = (each for each in kind.parameters if each.name == parameter.many)
        indices = _read(index, kind, columns, queues, names)
        accepted, many = f"one for each of {parameter.many}", 1 + max(indices, default=0)
    else:
        accepted, many = f"one for each of the {queues} classes of queues", queues
    if not units.is_sequence(value):
        return (_read_one(parameter, value, field, names),) * many
    if len(value) != many if many == queues else len(value) < many:
        raise InputError(field, value, accepted)
    return tuple(
        _read_one(parameter, item, kind.place(parameter.name, index), names) for index, item in enumerate(value)
    )


def _read_one(parameter: PolicyParameter, value: Any, field: str, names: Names) -> Any:
    if not parameter.symbolic or (value is None and parameter.default is None):
        return parameter.read_one(value, field)
    return read_term(value, field, names, _GRADES[parameter.unit])
