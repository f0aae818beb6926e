"""What a claim says of a kernel is data, and is asked for in one piece."""

import pickle
from collections.abc import Sequence
from pathlib import Path
from tempfile import mkdtemp

import pytest
from ledger_cases import claim, evidence, root, verify

from dtmodel.ledger import Kernel, Outcome, Proved, Skipped, collect
from dtmodel.ledger.report import claim_document
from dtmodel.ledger.runner import Options, run_claims

ONE = 'kernel = [{ theorems = ["one", "two"], example = { "C RTT" = "4" }, shows = "it is so" }]\n'
ASSUMED = 'kernel = [{ theorems = ["three"], form = "assumed" }]\n'


class Prover:
    """Answers like Coq, and keeps what it was asked."""

    def __init__(self, answer: Outcome | str = "") -> None:
        self.answer = answer or Proved("it says", {"x": "1"}, certificate={"kind": "coq", "theorems": {"one": "ab"}})
        self._asked = Path(mkdtemp()) / "asked"  # a child process asks

    @property
    def asked(self) -> list[tuple[Path, list[Kernel]]]:
        found = []
        if self._asked.exists():
            with self._asked.open("rb") as file:
                while file.peek(1):
                    found.append(pickle.load(file))  # noqa: S301  # this test wrote the file
        return found

    def __call__(self, where: Path, asked: Sequence[Kernel]) -> list[Outcome | str]:
        with self._asked.open("ab") as file:
            pickle.dump((where, list(asked)), file)
        return [self.answer] * len(asked)


def test_theorems_that_a_claim_names_prove_it_with_the_strength_of_a_kernel(tmp_path: Path) -> None:
    prover = Prover()
    collection = collect([root(tmp_path, [claim() + ONE], [])])
    result = run_claims(collection, replayers={}, options=Options(prove=prover)).results[0]
    assert (result.judgement.verdict, result.judgement.strength) == ("holds", "kernel")
    assert result.judgement.rests_on == ("one, two",)
    assert prover.asked == [(tmp_path, [Kernel(("one", "two"), example={"C RTT": "4"}, shows="it is so")])]
    document = claim_document(result, collection)
    shown = {key: document["evidence"][0][key] for key in ("function", "file", "line", "summary", "form", "strength")}
    assert shown == {
        "function": "one, two", "file": "validation/edt/claims.toml", "line": 1, "summary": "it is so",
        "form": "printed", "strength": "kernel",
    }  # fmt: skip
    assert document["coq"] == ["one"]


def test_all_theorems_of_a_collection_are_asked_for_at_once(tmp_path: Path) -> None:
    prover = Prover()
    claims = [
        claim() + ONE,
        claim("edt.eq2", "holds-under-assumption", assumption="x") + ASSUMED,
        claim("edt.eq3") + ONE,
    ]
    pieces = [evidence("return Counterexample(FALSE)", "edt.eq2", strength="exact")]
    done = verify(tmp_path, claims, pieces, prove=prover)
    assert [item.judgement.strength for item in done.results] == ["kernel"] * 3
    assert [len(asked) for _, asked in prover.asked] == [3]
    selected = verify(tmp_path, claims, pieces, ["edt.eq3"], prove=(again := Prover()))
    assert selected.as_recorded
    assert [len(asked) for _, asked in again.asked] == [1]


def test_what_a_kernel_refuses_is_a_fault(tmp_path: Path) -> None:
    done = verify(tmp_path, [claim() + ONE], [], prove=Prover("there is no theorem one"))
    assert done.results[0].faults[0] == "one, two (validation/edt/claims.toml:1): there is no theorem one"


@pytest.mark.parametrize("prover", [None, Prover(Skipped("coqc is not on the path"))])
def test_without_a_kernel_the_claim_is_not_run(tmp_path: Path, prover: Prover | None) -> None:
    done = verify(tmp_path, [claim() + ONE], [], prove=prover)
    assert (done.results[0].judgement.verdict, done.as_recorded) == ("not run", True)
    assert not verify(tmp_path, [claim() + ONE], [], prove=prover, require=("coq",)).as_recorded


@pytest.mark.parametrize(
    "wrong",
    [
        'kernel = "one"',
        'kernel = ["one"]',
        "kernel = [{ theorems = [] }]",
        "kernel = [{ theorems = [1] }]",
        'kernel = [{ shows = "x" }]',
        'kernel = [{ theorems = ["one"], form = "poem" }]',
        'kernel = [{ theorems = ["one"], example = 1 }]',
        'kernel = [{ theorems = ["one"], example = { x = 1 } }]',
        'kernel = [{ theorems = ["one"], colour = "red" }]',
    ],
)
def test_what_is_said_of_a_kernel_in_another_shape_is_a_fault(tmp_path: Path, wrong: str) -> None:
    done = verify(tmp_path, [claim() + wrong + "\n"], [], prove=Prover())
    assert 'kernel: write kernel = [{ theorems = ["name"]' in str(done.problems[0])
