"""Limits on several levels, as in real switches: of queues, of ports or groups above them, and of pools.

The bytes beyond a reserve may grow to min(alpha R, cap); R is the room of the parent (its limit less its bytes) or the
free buffer F of the pool. Several pools are slices of a buffer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from dtmodel.base import units
from dtmodel.base.documents import choice, only_keys, sequence, table
from dtmodel.base.errors import MISSING, InputError, one_of
from dtmodel.base.units import Quantity
from dtmodel.policies.admission import Account, Admission
from dtmodel.policies.forest import Forest, Node, steady_start, with_limits
from dtmodel.policies.parameters import PolicyParameter, call, in_json
from dtmodel.policies.policy import Configured, Part, Policy, refuse_alphas
from dtmodel.policies.setting import PolicySetting

_FOLLOWED = ("parent", "pool")
_KEYS = ("parent", "alpha", "reserved", "cap")


@final
@dataclass(frozen=True, init=False)
class Share:
    """The share of one queue, or of one group of queues such as a port.

    Parameters
    ----------
    alpha : quantity or "inf"
        The factor of the room, at least 0; ``"inf"`` or None if only `cap` and what lies above bound the share.
    reserved : quantity
        The bytes that it uses before those of its parent.
    cap : quantity or None
        The greatest number of bytes beyond the reserve.
    parent : str or None
        The name of the group or pool above it; None if there is one pool, and it lies directly above.
    field : str
        The field that an error names.

    Raises
    ------
    InputError
        If a value is not accepted, or neither alpha nor cap is given.

    Examples
    --------
    >>> Share("1/8", reserved="1 KB", parent="port 0").reserved
    Fraction(1000, 1)
    """

    alpha: Fraction | None
    reserved: Fraction
    cap: Fraction | None
    parent: str | None

    def __init__(
        self,
        alpha: Quantity | None = None,
        reserved: Quantity = 0,
        cap: Quantity | None = None,
        parent: str | None = None,
        field: str = "policy",
    ) -> None:
        if alpha is None and cap is None:
            raise InputError(f"{field}.alpha", MISSING, 'a number, or "inf" if only the levels above limit the queue')
        if parent is not None and not isinstance(parent, str):
            raise InputError(f"{field}.parent", parent, "the name of a group or pool")
        endless = alpha is None or (isinstance(alpha, str) and alpha == "inf")
        object.__setattr__(self, "alpha", None if endless else units.number(alpha, f"{field}.alpha"))
        object.__setattr__(self, "reserved", units.bytes_(reserved, f"{field}.reserved"))
        object.__setattr__(self, "cap", None if cap is None else units.bytes_(cap, f"{field}.cap"))
        object.__setattr__(self, "parent", parent)


@final
@dataclass(frozen=True, init=False)
class Hierarchy(Policy):
    """Limits of queues below groups of queues below pools.

    Parameters
    ----------
    limits : sequence of Share
        One for each queue.
    groups : mapping from str to Share, optional
        The groups by their names; the parent of a group is a pool or an earlier group.
    pools : mapping from str to quantity, optional
        The sizes of the pools. By default one pool, named ``"pool"``, holds all bytes that are not reserved.
    follows : {"parent", "pool"}
        The room that alpha multiplies: that of the parent, or the free buffer of the pool.

    Raises
    ------
    InputError
        If a parent does not exist, or a value is not accepted.

    Examples
    --------
    One queue on a port whose limit is the free buffer, in a buffer of 12 bytes:

    >>> from dtmodel import Arrivals, Switch, simulate
    >>> policy = Hierarchy([Share(2, parent="port 0")], {"port 0": Share(1)})
    >>> str(simulate(Switch(1, 12, 1), policy, {0: Arrivals.constant(3)}, until=9).queue(0).at(9))
    '24/5'
    """

    limits: tuple[Share, ...]
    groups: tuple[tuple[str, Share], ...]
    pools: tuple[tuple[str, Fraction], ...] | None
    follows: str
    by_name = True
    parameters = (
        PolicyParameter("alpha", many="each", default=None, positive=False, spoken="alphas"),
        PolicyParameter("reserved", "bytes", many="each", default=0, positive=False, spoken="reserves"),
        PolicyParameter("cap", "bytes", many="each", default=None, positive=False, spoken="caps"),
        PolicyParameter("port", "index", many="each", default=0, positive=False, spoken="ports"),
        PolicyParameter("port_alpha", many="port", default=None, positive=False, spoken="port_alphas"),
        PolicyParameter("port_reserved", "bytes", many="port", default=None, positive=False, spoken="port_reserves"),
        PolicyParameter("port_cap", "bytes", many="port", default=None, positive=False, spoken="port_caps"),
        PolicyParameter("follows", "word", default="parent", words=_FOLLOWED),
    )

    def __init__(
        self,
        limits: Sequence[Share],
        groups: Mapping[str, Share] | None = None,
        pools: Mapping[str, Quantity] | None = None,
        follows: str = "parent",
    ) -> None:
        shares = units.sequence(limits, "policy.limits")
        named = table(groups or {}, "policy.groups")
        for field, share in [*enumerate(shares), *named.items()]:
            if not isinstance(share, Share):
                place = "groups" if isinstance(field, str) else "limits"
                raise InputError(f"policy.{place}[{field}]", share, 'a share such as Share(1, parent="port 0")')
        sizes = None if pools is None else table(pools, "policy.pools").items()
        read = sizes and tuple((name, units.bytes_(size, f"policy.pools[{name}]")) for name, size in sizes)
        object.__setattr__(self, "limits", tuple(shares))
        object.__setattr__(self, "groups", tuple(named.items()))
        object.__setattr__(self, "pools", read)
        object.__setattr__(self, "follows", choice(follows, "policy.follows", _FOLLOWED))
        if read is not None and not read:
            raise InputError("policy.pools", [], "at least one pool")
        self._places()

    def _places(self) -> list[int]:
        """Return the index of the parent of each group and queue; pools come first, then groups."""
        known = [name for name, _ in self.pools or (("pool", None),)]
        pools, found = len(known), []
        shares = [(f"groups[{name}]", share) for name, share in self.groups]
        shares += [(f"limits[{index}]", share) for index, share in enumerate(self.limits)]
        for number, (field, share) in enumerate(shares):
            if share.parent is None and pools > 1:
                raise InputError(f"policy.{field}.parent", MISSING, one_of(known))
            if share.parent is not None and share.parent not in known:
                raise InputError(f"policy.{field}.parent", share.parent, one_of(known))
            found.append(0 if share.parent is None else known.index(share.parent))
            if number < len(self.groups):
                if self.groups[number][0] in known:
                    raise InputError(f"policy.{field}", self.groups[number][0], "a name that no pool or group has")
                known.append(self.groups[number][0])
        return found

    def thresholds(self, queues: int) -> tuple[None, ...]:
        """Return None for each queue: its limit follows from the tree, which `forest` returns."""
        if len(self.limits) != queues:
            raise InputError("policy.limits", len(self.limits), f"one for each of the {queues} queues")
        return (None,) * queues

    def unbounded(self, buffer: Fraction, queues: int, counts: Sequence[int] = ()) -> str:
        """Return an empty text: each queue lies in a pool, which bounds it."""
        return ""

    def form(self, part: Part) -> None:
        """Return None: compiled code does not run trees."""
        del part

    def parts(self, buffer: Fraction, queues: int, counts: Sequence[int] = ()) -> tuple[Part, ...]:
        """Return the pools with the queues below them and their reserves."""
        forest = self.forest(buffer, counts)
        pools: dict[int, list[int]] = {root: [] for root in forest.roots}
        for queue in range(queues):
            pools[forest.pool_of[forest.first_queue + queue]].append(queue)
        return tuple(
            Part(forest.nodes[root].cap, tuple(own), tuple(self.limits[queue].reserved for queue in own))
            for root, own in pools.items()
        )

    def forest(self, buffer: Fraction, counts: Sequence[int] = ()) -> Forest:
        """Return the trees of a buffer of `buffer` bytes.

        Raises `InputError` if pools and reserves exceed the buffer, or the fluid model has no unique run.
        """
        shares = [*(share for _, share in self.groups), *self.limits]
        many = (1,) * len(self.groups) + tuple(counts or (1,) * len(self.limits))
        reserved = sum((n * share.reserved for n, share in zip(many, shares, strict=True)), Fraction(0))
        pools = self.pools or (("pool", buffer - reserved),)
        used = reserved + sum((size for _, size in pools), Fraction(0))
        if used > buffer or any(size < 0 for _, size in pools):
            accepted = f"reserves and pools of {units.plain(buffer)} bytes at most"
            raise InputError("policy.pools", units.plain(used), accepted)
        each = zip(self._places(), shares, strict=True)
        own = [Node(parent, share.alpha, share.reserved, share.cap) for parent, share in each]
        nested, names = self.follows == "parent", [name for name, _ in (*pools, *self.groups)]
        nodes = with_limits([size for _, size in pools], own, nested=nested)
        forest = Forest(nodes, (1,) * len(pools) + many, len(self.limits), nested, names)
        self._refuse_undetermined(forest)
        return forest

    def _refuse_undetermined(self, forest: Forest) -> None:
        """Refuse factors that follow the room of a static group which others can keep from its limit."""
        if not forest.nested:
            return
        for index, node in enumerate(forest.nodes):
            above = node.parent if node.factor is not None else None
            while above is not None:
                if _kept_from_its_limit(forest, above):
                    field = f"policy.{self._field(forest, index)}.alpha"
                    raise InputError(field, units.plain(node.factor or 0), _FITTING)
                above = forest.nodes[above].parent

    def _field(self, forest: Forest, index: int) -> str:
        first = index - forest.first_queue
        return f"limits[{first}]" if first >= 0 else f"groups[{self.groups[index - len(forest.roots)][0]}]"

    def start(
        self, buffer: Fraction, held: Sequence[Fraction | None], counts: Sequence[int] = ()
    ) -> tuple[Fraction, ...]:
        """Return the lengths at time 0; a queue whose `held` is None sits on its limit, and no other limit binds it."""
        self.thresholds(len(held))
        return tuple(steady_start(self.forest(buffer, counts), held))

    def admission(self, ports: int, buffer: Any, account: Account) -> Admission:
        """Return an admission that compares each level with its limit, from the queue up to its pool."""
        self.thresholds(ports)
        return _TreeAdmission(self.forest(Fraction(buffer)))

    @classmethod
    def of(cls, values: Mapping[str, Any], make: Callable[..., Any] = call) -> Hierarchy:
        """Make the policy from the values of each queue and of each port, in one pool."""
        each = zip(*(values[name] for name in ("alpha", "reserved", "cap", "port")), strict=True)
        limits = [
            Share(_endless(a), r, c, f"port {port}", f"policy.limits[{i}]") for i, (a, r, c, port) in enumerate(each)
        ]
        number = 1 + int(max(values["port"], default=0))
        own = [values[f"port_{name}"] or (None,) * number for name in ("alpha", "reserved", "cap")]
        for name, given in zip(("alpha", "reserved", "cap"), own, strict=True):
            if len(given) < number:
                raise InputError(f"policy.port_{name}", len(given), f"one for each of the {number} ports")
        groups = {
            f"port {i}": Share(_endless(a), r or 0, c, None, f"policy.port[{i}]")
            for i, (a, r, c) in enumerate(zip(*own, strict=False))
        }
        return cls(limits, groups, None, values["follows"])

    def document(self) -> dict[str, Any]:
        """Return the policy's document without its name."""
        groups = [{"name": name, **_row(share)} for name, share in self.groups]
        pools = [{"name": name, "size": in_json(size)} for name, size in self.pools or ()]
        return {"limits": [*map(_row, self.limits)], "groups": groups, "pools": pools, "follows": self.follows}

    @classmethod
    def read(cls, document: Mapping[str, Any], alphas: Mapping[int, Quantity], queues: int) -> Hierarchy:
        """Make the policy from ``{"name": "hierarchy", "limits": [...], "groups": [...], "pools": [...]}``."""
        only_keys(document, ("name", "limits", "groups", "pools", "follows"), "policy.")
        refuse_alphas(alphas)
        limits = [_share(row, f"policy.limits[{i}]") for i, row in enumerate(_rows(document, "limits", MISSING))]
        groups, pools = dict[str, Share](), dict[str, Fraction]()
        for index, row in enumerate(_rows(document, "groups", [])):
            field = f"policy.groups[{index}]"
            groups[_name(row, field, groups)] = _share({k: v for k, v in row.items() if k != "name"}, field)
        for index, row in enumerate(_rows(document, "pools", [])):
            field = f"policy.pools[{index}]"
            only_keys(row, ("name", "size"), f"{field}.")
            pools[_name(row, field, pools)] = units.bytes_(row.get("size", MISSING), f"{field}.size")
        policy = cls(limits, groups, pools or None, document.get("follows", "parent"))
        policy.thresholds(queues)
        return policy

    @classmethod
    def for_switch(cls, setting: PolicySetting) -> tuple[Configured]:
        """Give a port alpha times the free buffer, and its one queue alpha times the room of the port."""
        ports = {f"port {port}": Share(setting.alpha) for port in range(setting.queues)}
        policy = cls([Share(setting.alpha, parent=port) for port in ports], ports)
        said = f"alpha = {units.plain(setting.alpha)} of a port in the buffer and of a queue in its port"
        return (Configured("hierarchy", said, policy),)


_FITTING = (
    'a factor below groups with a factor; or limits that follow the pool (follows = "pool"); or static limits of all '
    "groups above that fit together into what lies above them"
)


def _kept_from_its_limit(forest: Forest, index: int) -> bool:
    """Return True if the limit of a group is static, and what lies beside it can fill the node above first."""
    group = forest.nodes[index]
    if group.parent is None or group.factor is not None:
        return False
    beside = [(forest.counts[child], forest.nodes[child]) for child in forest.children[group.parent]]
    if forest.nodes[group.parent].factor is not None or any(child.factor is not None for _, child in beside):
        return True
    return bool(sum(count * child.cap for count, child in beside) > forest.nodes[group.parent].cap)


def _endless(alpha: Any) -> Any:
    return "inf" if alpha is None else alpha


def _rows(document: Mapping[str, Any], key: str, default: Any) -> list[Mapping[str, Any]]:
    rows = sequence(document.get(key, default), f"policy.{key}")
    return [table(row, f"policy.{key}[{index}]") for index, row in enumerate(rows)]


def _name(row: Mapping[str, Any], field: str, known: Mapping[str, Any]) -> str:
    name = row.get("name", MISSING)
    if not isinstance(name, str) or name in known:
        raise InputError(f"{field}.name", name, "a name that no other one has")
    return name


def _row(share: Share) -> dict[str, Any]:
    return {**in_json(vars(share)), "alpha": in_json(_endless(share.alpha))}


def _share(row: Mapping[str, Any], field: str) -> Share:
    only_keys(row, _KEYS, f"{field}.")
    return Share(**row, field=field)


@final
class _TreeAdmission(Admission):
    """A packet enters if each level from its queue up, until one has reserve left, is below its limit."""

    def __init__(self, forest: Forest) -> None:
        self.forest = forest

    def admits(self, port: int, length: Any, free: Any, now: Any) -> bool:
        return self.forest.refusing(port, self.forest.levels(self.lengths)) is None
