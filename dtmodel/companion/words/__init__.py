"""The vocabulary of executable statements: functions that run the engines (also one by policy), and observables."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from dtmodel import policies
from dtmodel.companion.words.fluid import FLUID, policy_word
from dtmodel.companion.words.lossless import LOSSLESS
from dtmodel.companion.words.packets import PACKETS
from dtmodel.companion.words.telling import tell
from dtmodel.ledger.formal import Formal, called

__all__: list[str] = []

_OTHERS = {**FLUID, **LOSSLESS, **PACKETS}


def _words(names: Iterable[str]) -> dict[str, Callable[..., Any]]:
    """Return the words of the policies that the fluid model runs, by name."""
    kinds = {f"{name}_fluid" if name in _OTHERS else name: policies.find(name)[1] for name in names}
    words = {word: policy_word(kind) for word, kind in kinds.items() if not policies.packets_only(kind)}
    tell({**_OTHERS, **words}, [*words])
    return words


VOCABULARY = {**_OTHERS, **_words(policies.own_names())}
"""All functions by the names that statements use, with the policies of the package."""


def vocabulary(*formals: Formal) -> Mapping[str, Callable[..., Any]]:
    """Return the functions that statements may use; entry points are read only if one calls another function."""
    if all(name in VOCABULARY for formal in formals for name in called(formal)):
        return VOCABULARY
    return {**_words(name for name in policies.names() if name not in policies.own_names()), **VOCABULARY}
