"""Runs of the fluid model, held against the engine in Coq in more switches than the ledger's."""

import pytest

from validation.edt.scenario import engines_agree


@pytest.mark.exhaustive
@pytest.mark.needs("coq")
def test_the_engine_in_coq_agrees_in_thousands_of_switches() -> None:
    instants, most_in_a_run = engines_agree(9, 3_000)
    assert (instants, most_in_a_run) == (21_548, 20)
