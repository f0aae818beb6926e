"""Loss priorities (Hahne and Choudhury, 2002): each class of packets has an alpha of its own in every queue."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self, final

from dtmodel.base import units
from dtmodel.base.units import Quantity, whole
from dtmodel.policies.admission import Account, Admission
from dtmodel.policies.parameters import PolicyParameter
from dtmodel.policies.policy import Configured, WithoutThresholds
from dtmodel.policies.setting import PolicySetting


@final
@dataclass(frozen=True, init=False)
class LossPriorities(WithoutThresholds):
    """Dynamic thresholds for classes of packets that share a first-in first-out queue, with packets only.

    The trace gives each packet its class, and the class its threshold alpha F. Two of the variants of Hahne and
    Choudhury differ in the bytes below the threshold. If they are those of the class in the queue, every class keeps a
    part of the buffer and of the rate of its port. If they are those of the whole queue, a class with a smaller alpha
    is locked out of a queue that another class fills.

    Parameters
    ----------
    alphas : sequence of quantities
        The alpha of each class, greater than 0; classes count from 0.
    counted : {"class", "queue"}
        The bytes that are compared with the threshold: those of the packet's class in its queue, or the queue.

    Raises
    ------
    InputError
        If a value is not accepted; in a run, if a packet has no class.

    Examples
    --------
    >>> from dtmodel.packet.engine import run_packets
    >>> stream = [(0, 1, None, mark) for mark in (0, 0, 0, 0, 0, 1, 1, 1)]
    >>> for counted in ("class", "queue"):
    ...     policy = LossPriorities([1, "1/2"], counted)
    ...     done = run_packets(buffer=8, rates=[1], policy=policy, streams=[stream], until=9)
    ...     print(done.sent)
    [6]
    [4]
    """

    alphas: tuple[Fraction, ...]
    counted: str
    parameters = (
        PolicyParameter("alphas", many="each"),
        PolicyParameter("counted", "word", default="class", words=("class", "queue")),
    )
    by_name = True

    def __init__(self, alphas: Sequence[Quantity], counted: str = "class") -> None:
        self._take(alphas=alphas, counted=counted)

    def admission(self, ports: int, buffer: Any, account: Account) -> Admission:
        """Return an admission that counts the bytes of each class in each queue."""
        number: Any = float if type(buffer) is float else Fraction
        return _Classes([*map(number, self.alphas)], ports, account, whole=self.counted == "queue")

    @classmethod
    def for_switch(cls, setting: PolicySetting) -> tuple[Configured]:
        """Set two classes: the alpha of the setting, and half of it."""
        alphas = (setting.alpha, setting.alpha / 2)
        note = "packets only: a packet's class sets its threshold (dtmodel replay-trace runs it)"
        said = " and ".join(f"alpha = {units.plain(alpha)}" for alpha in alphas)
        return (Configured("Loss priorities", said, None, note=note, packets=cls(alphas)),)


@final
class _Classes(Admission):
    """The bytes `held` of each class in each queue, and the classes of waiting packets; `whole`: T is for all."""

    def __init__(self, alphas: Sequence[Any], ports: int, account: Account, *, whole: bool) -> None:
        self.alphas, self.account, self.whole = alphas, account, whole
        self.held = [[0] * len(alphas) for _ in range(ports)]
        self.waiting: list[deque[int]] = [deque() for _ in range(ports)]

    def admits(self, port: int, length: Any, free: Any, now: Any) -> bool:
        own = self.marked(len(self.alphas) - 1, "a class")
        return bool((length if self.whole else self.held[port][own]) < self.alphas[own] * free)

    def enqueued(self, port: int, size: Any, now: Any) -> None:
        own = self.marked(len(self.alphas) - 1, "a class")
        self.held[port][own] += self.account(size)
        self.waiting[port].append(own)

    def dequeued(self, port: int, size: Any, now: Any) -> None:
        """Count the packet; those that were in the queue at the start of the run have no class."""
        taken = self.account(size)
        if self.lengths[port] + taken <= sum(self.held[port]):
            self.held[port][self.waiting[port].popleft()] -= taken

    def in_ticks(self, second: int) -> Self:
        self.alphas = [*map(whole, self.alphas)]
        return self
