"""Why a theorem is not proved in Coq begins with one word, for each of which a machine looks whether it is still so."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from ledger_cases import papers

from dtmodel.ledger.claim import Claim
from dtmodel.ledger.provers.coq import development

COLLECTION = papers()
EXPLAINED = [claim for claim in COLLECTION.claims.values() if claim.not_in_kernel]
IN_COQ = {claim.id for claim in COLLECTION.claims.values() if claim.kernel}
STRENGTHS: dict[str, set[str]] = {}
for piece in COLLECTION.evidence()[0]:
    for aim in piece.aims:
        for name in aim.claims:
            STRENGTHS.setdefault(name, set()).add(aim.strength)

EXACT = {"run", "search", "numbers", "programs"}
"""What an exact computation decides, and no theorem would be about: their evidence is `exact` and nothing else."""
LACKS = {
    "packets": r"EDT/.*(packet|byte_count)",
    "unequal": r"EDT/(ControlMachine|Theorem5|Overflow).*(unequal|stagger|two_ports|any_rates)",
    "static": r"(?i)static|partition",
    "reserves": r"(?i)(Fluid|Engine)/.*(reserve|pool)|reserves?_(trajectory|drop)",
    "sharing": r"(?i)complete_?sharing|sharing_(trajectory|drop)",
    "PFC": r"(?i)pfc|headroom|L2BM/.*xo(ff|n)",
    "link": r"(?i)(?<!full_)link|propagation|two_frames",
    "acknowledgements": r"(?i)(^|[/_:])acks?(_|\b|now)|ack_clock",
}
"""What the development lacks, and what a file or a definition of it would be called: the reason is then false."""
_DECLARED = re.compile(
    r"^\s*(?:(?:Local|Global|Program)\s+)*(?:Definition|Fixpoint|CoFixpoint|Inductive|CoInductive|Record|Class|Theorem"
    r"|Lemma|Corollary|Proposition)\s+([\w']+)",
    re.MULTILINE,
)


def declared(root: Path) -> list[str]:
    """Return every declaration of a Coq development, as ``Folder/File.v:name``."""
    return [
        f"{path.relative_to(root).as_posix()}:{name}"
        for path in sorted(root.rglob("*.v"))
        for name in _DECLARED.findall(path.read_text("utf-8"))
    ]


DECLARED = declared(development())
NAMES = {line.partition(":")[2] for line in DECLARED}


def there(word: str, lines: Iterable[str]) -> list[str]:
    """Return the declarations of what a word says is lacking."""
    return [line for line in lines if re.search(LACKS[word], line)]


def mentioned(text: str) -> tuple[list[str], list[str], list[str]]:
    """Return what a reason names: claims that are in Coq, claims that it says are not, and theorems."""
    text = re.sub(r"\$[^$]*\$", "", text)
    ids = re.findall(r"\b(?:edt|losspass|dynaq|l2bm|derived)(?:\.[\w-]+)+(?:, which is not)?", text)
    absent = [name.removesuffix(", which is not") for name in ids if name.endswith(", which is not")]
    theorems = re.findall(r"(?<![\w.-])[a-z]\w*_\w+(?![\w-]|\.\w)", text)
    return [name for name in ids if not name.endswith(", which is not")], absent, theorems


def faults(claim: Claim) -> list[str]:
    """Return what a machine finds wrong with a reason."""
    word, colon, text = claim.not_in_kernel.partition(": ")
    if not colon or word not in {*EXACT, *LACKS, "part", "solvers"}:
        return [f"begins with none of the words: {word}"]
    present, absent, theorems = mentioned(text)
    found = [f"{name} is not in Coq" for name in present if name not in IN_COQ and word == "part"]
    found += [f"there is no claim {name}" for name in present if name not in COLLECTION.claims]
    found += [f"{name} is in Coq" for name in absent if name in IN_COQ or name not in COLLECTION.claims]
    found += [f"Coq has no {name}" for name in theorems if name not in NAMES]
    if word == "part" and not present + theorems:
        found.append("names nothing that is in Coq")
    if (STRENGTHS[claim.id] == {"exact"}) != (word in EXACT) and word not in LACKS:
        found.append(f"{word}, but the evidence is {sorted(STRENGTHS[claim.id])}")
    return found


@pytest.mark.parametrize("claim", EXPLAINED, ids=lambda claim: claim.id)
def test_what_a_reason_says_of_coq_is_so(claim: Claim) -> None:
    assert faults(claim) == []


@pytest.mark.parametrize("word", LACKS)
def test_what_a_reason_says_coq_lacks_is_not_there(word: str) -> None:
    assert there(word, DECLARED) == []
    assert any(claim.not_in_kernel.startswith(f"{word}: ") for claim in EXPLAINED)


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("packets", "EDT/ControlPackets.v:packet_state"), ("unequal", "EDT/Theorem5Unequal.v:unequal_run"),
        ("static", "Fluid/Fluid.v:static_drop_time"), ("reserves", "Fluid/Pools.v:reserve_trajectory"),
        ("sharing", "Fluid/Sharing.v:complete_sharing"),
        ("PFC", "L2BM/Pools.v:pfc_state"), ("link", "L2BM/Headroom.v:link_step"),
        ("acknowledgements", "LossPass/WindowsRounds.v:ack_clocked"),
    ],
)  # fmt: skip
def test_a_definition_of_what_is_lacking_is_noticed(word: str, line: str) -> None:
    assert there(word, [line]) == [line]


def test_every_declaration_of_coq_is_seen(tmp_path: Path) -> None:
    (tmp_path / "EDT").mkdir()
    (tmp_path / "EDT" / "Moves.v").write_text("Local Definition packet_moves := 1.\n  Record edt' := {}.\n", "utf-8")
    assert declared(tmp_path) == ["EDT/Moves.v:packet_moves", "EDT/Moves.v:edt'"]
    assert there("packets", declared(tmp_path)) == ["EDT/Moves.v:packet_moves"]


@pytest.mark.parametrize(
    ("reason", "fault"),
    [
        ("someone else shows it.", "begins with none of the words: someone else shows it."),
        ("part: edt.ours.steady-uncontrolled.any has it.", "edt.ours.steady-uncontrolled.any is not in Coq"),
        ("part: edt.ours.theorem1, which is not.", "edt.ours.theorem1 is in Coq"),
        ("part: it rests on overflow_gone.", "Coq has no overflow_gone"),
        ("part: Coq has half of it.", "names nothing that is in Coq"),
        ("run: one run.", "run, but the evidence is ['sampled', 'smt']"),
    ],
)
def test_a_reason_that_is_not_so_is_noticed(reason: str, fault: str) -> None:
    from dataclasses import replace

    assert fault in faults(replace(COLLECTION.claims["edt.ours.alternation"], not_in_kernel=reason))
