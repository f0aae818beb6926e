"""Small networks that several files of tests share."""

from fractions import Fraction
from typing import Any

from dtmodel.network.experiment import EXAMPLE, Experiment, Setting

GIGABIT = Fraction(125_000_000)


def setting(policy: dict[str, Any] | None = None, **changes: Any) -> Setting:
    """The settings of three servers that answer together, with changes of transport and network."""
    incast = {"servers": 3, "size": changes.pop("size", "150 KB"), "queries": changes.pop("queries", 3)}
    document = {**EXAMPLE, "workload": {"incast": incast}, "readings": {"base": changes}}
    if policy:
        document["policies"] = {"P": policy}
    experiment = Experiment.read(document)
    return experiment.setting("base", *experiment.policies, incast["size"])


def shares(policy: dict[str, Any], ms: int, flows: int, warm: int, **changes: Any) -> Fraction:
    """The part of a link of 1 Gbps with a round trip of 500 us that flows use after the first `warm` milliseconds."""
    network = {"hosts": 3, "rate": "1 Gbps", "round_trip": "500 us", "buffer": "500 KB"}
    long = [{"source": 1 + flow % 2, "target": 0} for flow in range(flows)]
    work = {"long": long, "duration": f"{ms} ms", "every": "1 ms"}
    document = {"network": network, "workload": work, "policies": {"P": policy}, "readings": {"base": changes}}
    found = Experiment.read(document).setting("base", "P")
    return Fraction(sum(row[0] for row in found.run(1).bytes[warm:])) / (GIGABIT / 1000 * (ms - warm))


def leaf_spine(**changes: Any) -> dict[str, Any]:
    return {"topology": "leaf-spine", "hosts": 2, "leaves": 3, "spines": 2, "rate": "10 Gbps", "uplink": "40 Gbps",
            "round_trip": "85.2 us", "buffer": "9 MB", "jitter": 0, **changes}  # fmt: skip


TREE = {"topology": "leaf-spine", "hosts": 3, "leaves": 2, "spines": 2, "uplink": "1 Gbps", "spine_buffer": "1 MB"}
