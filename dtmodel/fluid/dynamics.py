"""The fluid dynamics, written once: the motion of queues on their thresholds beside the others.

Queue i has a threshold T_i = a_i F + b_i, affine in the free buffer F = B - sum Q, is served at C_i and offered R_i.
Let l_i = -C_i and u_i = R_i - C_i (both 0 if negative when the queue is empty). Then

- below its threshold a queue moves at u_i and loses nothing,
- above it at l_i and loses all arrivals,
- on it at clip(a_i F', l_i, u_i) and loses the rest.

Summed over all queues this is one scalar equation for F',

    F' + sum of the slopes of the queues off their thresholds + sum of clip(a_i F', l_i, u_i) = 0,

whose left side increases strictly, so that F' exists and is unique; a search over the break points of clip finds it.
"""

from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from typing import Generic

from dtmodel.policies.memory import Number


def earliest(times: Sequence[Number]) -> Number:
    """Return the least of some times, by the method `earliest_of` of the number type if it has one."""
    own: Callable[[Sequence[Number]], Number] = getattr(times[0], "earliest_of", min)
    return own(times)


class OnThreshold(Generic[Number]):
    """The queues that sit on their thresholds, and the slope F' that keeps them there.

    A queue stays while -C <= a F' < R - C; one with a constant threshold (a = 0) as long as R > C. A change costs at
    most the logarithm of their number. `slopes`, `offsets`: their sums over the queues.
    """

    def __init__(self, number: type[Number]) -> None:
        self._zero: Number = number(0)
        self._members: dict[int, tuple[int, Number, Number, Number, Number, Number]] = {}
        self._falls: list[tuple[Number, int, int]] = []
        self._rises: list[tuple[Number, int, int]] = []
        self._entries = 0
        self.slopes: Number = self._zero
        self.offsets: Number = self._zero
        self._asks = hasattr(
            self._zero, "earliest_of"
        )  # symbols: each comparison is a case distinction, so compare as little as possible

    def __contains__(self, queue: int) -> bool:
        return queue in self._members

    def add(self, queue: int, slope: Number, offset: Number, least: Number, most: Number, count: Number) -> None:
        """Put `count` identical queues on slope F + offset; their length can change at rates from `least` to `most`."""
        self._entries += 1
        self._members[queue] = (self._entries, slope, offset, least, most, count)
        self.slopes += _all(count, slope)
        self.offsets += _all(count, offset)
        if slope > 0:
            self._keep(self._falls, [(-least / slope, self._entries, queue)])
            self._keep(self._rises, [(most / slope, self._entries, queue)])

    def remove(self, queue: int) -> None:
        """Take `queue` off its threshold."""
        _, slope, offset, _, _, count = self._members.pop(queue)
        weight = _all(count, slope)
        self.slopes = self.slopes - weight if self._members else self._zero
        self.offsets = self.offsets - _all(count, offset) if self._members else self._zero

    def settle(self, others: Number) -> tuple[Number, list[int], list[int]]:
        """Solve for F' and remove the queues that cannot follow their thresholds: those now above, and those now below.

        `others`: the sum of the slopes of the queues off their thresholds.
        """
        fell: list[int] = []
        rose: list[int] = []
        while True:
            slope = -others / (1 + self.slopes)
            low = self._take(self._falls, -slope)
            high = self._take(self._rises, slope, inclusive=True)
            if not low and not high:
                return slope, fell, rose
            # The left side of the equation at `slope`, had the candidates to leave already been clipped.
            excess = sum((self._gap(q, slope, 3) for _, _, q in low), self._zero)
            excess += sum((self._gap(q, slope, 4) for _, _, q in high), self._zero)
            if excess < 0:
                low = self._keep(self._falls, low)
            elif excess > 0:
                high = self._keep(self._rises, high)
            others += sum((_all(self._members[q][5], self._members[q][3]) for _, _, q in low), self._zero)
            others += sum((_all(self._members[q][5], self._members[q][4]) for _, _, q in high), self._zero)
            for leaving, names in ((low, fell), (high, rose)):
                for _, _, queue in leaving:
                    self.remove(queue)
                    names.append(queue)

    def _gap(self, queue: int, slope: Number, bound: int) -> Number:
        member = self._members[queue]
        return _all(member[5], (member[3] if bound == 3 else member[4]) - member[1] * slope)

    def _take(
        self, heap: list[tuple[Number, int, int]], key: Number, *, inclusive: bool = False
    ) -> list[tuple[Number, int, int]]:
        """Pop the current entries whose break point lies on the wrong side of `key`."""
        taken = []
        if self._asks:
            live = [each for each in heap if self._members.get(each[2], (None,))[0] == each[1]]
            taken = [each for each in live if each[0] < key or (inclusive and each[0] == key)]
            heap[:] = [each for each in live if each not in taken]
            return taken
        while heap:
            first, entry, queue = heap[0]
            member = self._members.get(queue)
            if member is None or member[0] != entry:
                heappop(heap)
            elif first < key or (inclusive and first == key):
                taken.append(heappop(heap))
            else:
                break
        return taken

    def _keep(
        self, heap: list[tuple[Number, int, int]], entries: list[tuple[Number, int, int]]
    ) -> list[tuple[Number, int, int]]:
        """Push entries into a heap, or append them to a list of symbols, which have no order."""
        for entry in entries:
            heap.append(entry) if self._asks else heappush(heap, entry)
        return []


def _all(count: Number, each: Number) -> Number:
    return each if count == 1 else count * each
