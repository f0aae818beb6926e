"""Numbers that hardware tests measured, beside the counts that a chip reading predicts from the same configuration."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from dtmodel.switches.answers import counts

PACKET = 64
"""The size of the packets of all tests, in bytes."""


@dataclass(frozen=True)
class Measurement:
    """One hardware test: its configuration, the measured counts, and their margin; `facts` is its row of the file."""

    facts: Mapping[str, Any]

    @property
    def expected(self) -> Mapping[str, Any]:
        """The measured counts by name, with a dot before a number of the headroom pool."""
        found: Mapping[str, Any] = self.facts["expected"]
        return found

    def configuration(self) -> dict[str, Any]:
        """Return the buffer tables of the test."""
        facts, cell = self.facts, self.facts["cell"]
        side = "egress" if "queue" in facts else "ingress"
        limited = _profile(facts.get("group") or facts["queue"], cell)
        profiles = {"tested": limited} | ({"port": _profile(facts["port"], cell)} if "port" in facts else {})
        size = facts["pool"].get("size", facts["pool"].get("cells", 0) * cell)
        pools = {"pool": {"type": side, "mode": "dynamic", "size": size, "xoff": facts["pool"].get("xoff", 0)}}
        if "egress_lossless_pool" in facts:
            pools["egress_lossless_pool"] = {"type": "egress", "mode": "static", "size": facts["egress_lossless_pool"]}
        tested = {"Ethernet0|0" if side == "egress" else "Ethernet0|3-4": {"profile": "tested"}}
        made = {"BUFFER_POOL": pools, "BUFFER_PROFILE": profiles}
        made |= {"BUFFER_QUEUE" if side == "egress" else "BUFFER_PG": tested}
        ports = {"Ethernet0": {"profile_list": "port"}} if "port" in facts else {}
        return made | {"BUFFER_PORT_INGRESS_PROFILE_LIST": ports}

    def predicted(self) -> dict[str, Any]:
        """Return the counts that the reading of the chip predicts, for the measured names."""
        facts, sequence = self.facts, self.expected.get("trig_pfc_multi")
        answer = counts(self.configuration(), chip=facts["chip"], packet=PACKET, cell=facts["cell"],
                        groups=None if sequence is None else len(sequence),
                        lossless_groups=facts.get("lossless_groups"))["counts"]  # fmt: skip
        pool = {f"hdrm_pool.{name}": value for name, value in (answer.pop("hdrm_pool") or {}).items()}
        return {name: (answer | pool)[name] for name in self.expected}

    def fits(self) -> bool:
        """Return True if every predicted count lies within the margin of the measured one."""
        predicted = self.predicted()
        return all(
            abs(a - b) <= self.facts["margin"]
            for name, measured in self.expected.items()
            for a, b in zip(_listed(predicted[name]), _listed(measured), strict=True)
        )


def _listed(value: Any) -> list[int]:
    return value if isinstance(value, list) else [value]


def _profile(limits: Mapping[str, Any], cell: int) -> dict[str, Any]:
    given = {key: value for key, value in limits.items() if key != "cells"}
    size = {"size": limits["cells"] * cell} if "cells" in limits else {}
    return {"pool": "pool", "xoff": 0, "xon": 0} | given | size


@cache
def measurements() -> Mapping[str, Measurement]:
    """Return all measurements by their ids."""
    read = tomllib.loads((files("validation.support") / "measurements.toml").read_text(encoding="utf-8"))
    return {facts["id"]: Measurement(facts) for facts in read["measurement"]}
