"""What bad input is answered with, as tests expect it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from dtmodel.base.errors import InputError


@contextmanager
def refused(*said: Any, match: str | None = None) -> Iterator[None]:
    """Expect that an input is refused with this field and, where they are given, this value and what is accepted."""
    with pytest.raises(InputError, match=match) as error:
        yield
    assert (error.value.field, error.value.value, error.value.accepted)[: len(said)] == said
