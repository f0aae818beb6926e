"""The counts of a buffer configuration: those of hardware tests, and those of flows through both sides."""

from collections.abc import Mapping, Sequence
from typing import Any

from dtmodel.base import units
from dtmodel.base.documents import table
from dtmodel.base.errors import InputError
from dtmodel.base.units import Quantity
from dtmodel.switches.checks import CableFacts, link
from dtmodel.switches.chips import reading_of
from dtmodel.switches.counting import Question, ask, tester_counts
from dtmodel.switches.draining import drained, drains_of
from dtmodel.switches.sides import filled, sides_of
from dtmodel.switches.tables import buffer_tables


def counts(
    config: Mapping[str, Any], *, chip: str | None = None, packet: Quantity, cell: Quantity | None = None,
    group: str | int | None = None, queue: str | None = None, fill: str = "sequence", groups: int | None = None,
    overhead: Quantity = 0, descriptors: int | None = None, lossless_groups: int | None = None,
    memory: Quantity | None = None, flow: Sequence[str] = (), drain: Quantity | Sequence[Quantity] = 0,
    rate: Quantity | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Count the packets until a pause, a drop or a resumption that a hardware test measures.

    Parameters
    ----------
    config : mapping
        The buffer tables of a SONiC configuration, or a dump of them.
    chip : str, optional
        The reading of the configuration: td2, td3, th, th2, th3, th5, th6, spectrum1 to spectrum5, or generic.
    packet, cell : quantity
        The size of every packet, and of the chip's cells (default: those of the reading), in bytes.
    group : str or int, optional
        The lossless group, such as 3 or ``"Ethernet0|3"``; by default the first of the file.
    queue : str, optional
        The lossy egress queue, such as ``"Ethernet0|0"``; by default the first of the file.
    fill : {"sequence", "together"}
        Groups are filled one after another, or all at once.
    groups : int, optional
        The number of groups that are filled; by default the lossless groups of the file.
    overhead : quantity
        The bytes that the chip stores beside each packet.
    descriptors : int, optional
        The most packets that the chip stores.
    lossless_groups : int, optional
        The number of lossless groups of the whole switch, if the file has fewer.
    memory : quantity, optional
        The size of pools that have none in the file.
    flow : sequence of str
        Flows that both sides count, such as ``"Ethernet0|3 to Ethernet8"`` (see `dtmodel.switches.sides`).
    drain : quantity or sequence of quantity
        The rate at which each output of the flows sends, or ``"Ethernet8=50Gbps"`` for one of them; 0 if it is blocked
        (see `dtmodel.switches.draining`).
    rate : quantity, optional
        With `drain` the rate of the source of each flow; by default the speed of its port.

    Returns
    -------
    dict
        The counts (None where the file has no such group or pool), the side that refuses, and the reading; with
        `flow` also ``"flows"``: of each its packets until the first refusal, the event (a pause or a drop), the limit
        that refuses, the packets in the headroom, and the first dropped packet with the limit that drops it; with
        `drain` also the packets that are stored at the first refusal, and its time in seconds; the packets in the
        headroom are then those that are sent before the drop, after the sender ignores the pause, and a flow that
        is never refused has None.

    Raises
    ------
    InputError
        For a configuration or a setting that is not accepted.

    Examples
    --------
    >>> config = {"BUFFER_POOL": {"p": {"type": "ingress", "mode": "dynamic", "size": "10875072"}},
    ...           "BUFFER_PROFILE": {"x": {"pool": "p", "size": "1248", "xoff": "268736", "dynamic_th": "0"}},
    ...           "BUFFER_PG": {"Ethernet0|3": {"profile": "x"}}}
    >>> found = counts(config, chip="th", packet=64)["counts"]
    >>> found["trig_pfc"], found["trig_ingr_drp"]
    (6542, 7835)
    """
    total = None if memory is None else units.bytes_(memory, "memory", positive=True)
    reading = reading_of(table(config, "config"), chip, total, lossless_groups)
    asked = ask(reading, packet=packet, cell=cell, group=group, queue=queue, fill=fill,
                groups=groups, overhead=overhead, descriptors=descriptors)  # fmt: skip
    return tester_counts(asked) | flow_counts(asked, config, flow, drain, rate)


def flow_counts(
    question: Question, document: Mapping[str, Any], flow: Sequence[str], drain: Quantity | Sequence[Quantity],
    rate: Quantity | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Return the counts of flows that both sides count, under the key ``"flows"`` (see `counts`), or nothing."""
    flows = units.sequence(flow, "flow")
    if not flows:
        if drain:
            raise InputError("drain", drain, "flows to count: without them all outputs are blocked")
        return {}
    sides = sides_of(question, flows)
    drains = drains_of(drain, [*dict.fromkeys(queue.rpartition("|")[0] for queue in sides.queues)])
    if not drains:
        return {"flows": filled(sides, question.fill)}
    facts, tables = CableFacts(rate=rate), buffer_tables(document)
    of = [sides.groups[group] for group, _ in sides.flows]
    rates = [link(group.rpartition("|")[0], question.reading.config.ingress[group], tables, facts)[0] for group in of]
    return {"flows": drained(sides, question.fill, rates, drains, question.packet)}
