"""Buffer configurations of real switches: reading, checks, packets until a pause or a drop, and the sheet."""

from typing import TYPE_CHECKING

from dtmodel.base.lazily import attributes

if TYPE_CHECKING:
    from dtmodel.switches.answers import counts

__all__ = ["counts"]

__getattr__ = attributes("dtmodel.switches", {"answers": "counts"})
