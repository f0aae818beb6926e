"""A search by topic finds what a newcomer is after, with verdicts, from a checkout and from what is installed."""

import json
import subprocess
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest
from refusals import refused

import dtmodel
from dtmodel.cli import COMMANDS, run
from dtmodel.companion import search
from dtmodel.companion.ranking import counted, ranked, stem, terms
from dtmodel.companion.searching import KINDS
from dtmodel.theory import statements

QUESTIONS = {
    "fairness": {"edt.sec5.2.same-fairness", "losspass.sec6.dt-fairness"},
    "is EDT fair in the long run?": {"edt.intro.edt-fair", "edt.intro.edt-advantage-2"},
    "staggered": {"edt.thm5@staggered", "edt.ours.no-cn2.staggered"},
    "bursts that begin at different times": {"edt.thm5@staggered", "edt.eq73@staggered"},
    "headroom": {"losspass.sec2.2.headroom", "l2bm.fig2"},
    "Theorem 1": {"edt.thm1", "edt.ours.theorem1"},
    "theorem 5 of EDT": {"edt.thm5"},
    "starvation": {"edt.intro.starvation", "dynaq.ours.starved"},
    "how long a burst can a port absorb": {"03_losspass.ipynb"},
    "which policy should I choose": {"compare", "06_which_policy.ipynb"},
    "how do I write my own claim": {"new-claim", "08_your_own_claim.ipynb"},
    "derive a theorem for my policy": {"derive", "09_derive_a_theorem.ipynb"},
    "search for counterexamples": {"hunt"},
    "packet trace replay": {"replay-trace"},
    "does PFC pause a queue": {"l2bm.fig2", "l2bm.sec2b.needs-pfc"},
    "Sojourn time": {"05_l2bm.ipynb", "derived.ours.l2bm"},
}


@pytest.mark.parametrize(("asked", "wanted"), QUESTIONS.items(), ids=list(QUESTIONS))
def test_the_first_ten_answers_to_a_newcomers_question_have_what_it_is_about(asked: str, wanted: set[str]) -> None:
    assert wanted <= {row["id"] for row in search(asked)}


def test_a_misspelt_word_finds_what_the_right_one_finds() -> None:
    assert search("stagerred bursts", most=3)[0]["id"] == search("staggered bursts", most=3)[0]["id"]


def test_every_row_has_its_verdict_and_a_way_to_read_more() -> None:
    rows = search("burst loss threshold", most=3000)
    assert {row["kind"] for row in rows} == set(KINDS)
    assert len({(row["kind"], row["id"]) for row in rows}) == len(rows)
    assert [row["score"] for row in rows] == sorted((row["score"] for row in rows), reverse=True)
    recorded = {claim["id"]: claim["verdict"] for claim in dtmodel.claims()}
    for row in rows:
        assert row["verdict"] == (recorded[row["id"]] if row["kind"] in {"claim", "theorem"} else None)
        assert row["see"][0].startswith(("dtmodel ", "docs/"))


def test_theorems_are_the_statements_that_can_be_evaluated_by_the_names_they_are_imported_by() -> None:
    rows = search("theorem equation statement holds misprint assumption edt dynaq l2bm losspass", ["theorem"], 200)
    assert {row["id"] for row in rows} == {statement.id for statement in statements()}
    for row in rows:
        module, _, name = row["see"][1].rpartition(".")
        assert getattr(import_module(module), name).id == row["id"]


def test_every_command_is_found_by_its_name() -> None:
    for name in COMMANDS:
        assert name in {row["id"].split()[0] for row in search(name, ["command"], 40)}, name


def test_the_command_prints_what_python_returns(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["search", "staggered", "bursts", "--json", "-n", "3"]) == 0
    assert json.loads(capsys.readouterr().out) == dtmodel.search("staggered bursts", most=3)
    assert run(["search", "staggered", "bursts", "--kind", "claim", "-n", "1"]) == 0
    head, *_, last = capsys.readouterr().out.splitlines()
    assert (head, last) == ("edt.eq73@staggered  refuted  claim", "  dtmodel show edt.eq73@staggered")


def test_a_topic_that_nothing_is_about_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert search("zzzyxq") == []
    assert run(["search", "zzzyxq", "--json"]) == 0
    said = capsys.readouterr()
    assert (json.loads(said.out), said.err.partition(";")[0]) == ([], "nothing matches zzzyxq")


@pytest.mark.parametrize(
    ("words", "more", "field"),
    [("", {}, "words"), ("the ?!", {}, "words"), (3, {}, "words"), ("burst", {"kinds": ["clam"]}, "kind"),
     ("burst", {"most": 0}, "most"), ("burst", {"folders": ["/nowhere"]}, "--collection")],
)  # fmt: skip
def test_a_search_that_cannot_be_made_names_its_field(words: object, more: dict[str, object], field: str) -> None:
    with refused(field):
        search(words, **more)  # type: ignore[arg-type]  # what somebody may try


def test_the_command_ends_with_2_if_it_cannot_search(capsys: pytest.CaptureFixture[str]) -> None:
    assert [
        run(["search", *more]) for more in ([], ["of", "the"], ["burst", "--kind", "clam"], ["burst", "-n", "0"])
    ] == [2] * 4
    assert "words: got 'of the'; expected words of a topic" in capsys.readouterr().err


def test_a_collection_of_ones_own_is_searched_too(tmp_path: Path) -> None:
    dtmodel.companion.new_claims(tmp_path / "mine")
    (row, *_) = search(
        "a burst at an empty port loses nothing while part of the buffer is free",
        ["claim"],
        folders=[tmp_path / "mine"],
    )
    assert (row["id"], row["verdict"]) == ("mine.second", "refuted")


def test_an_installed_package_finds_all_but_the_guides(tmp_path: Path) -> None:
    root, package = Path(dtmodel.__file__).parents[1], tmp_path / "dtmodel"
    (package / "_papers").mkdir(parents=True)
    for path in Path(dtmodel.__file__).parent.iterdir():
        (package / path.name).symlink_to(path)
    for name in ("proofs", "validation", "notebooks"):
        (package / "_papers" / name).symlink_to(root / name)
    code = "import json, pathlib, dtmodel.companion.roots as r; p = pathlib.Path({!r}); r.papers_root = lambda: p\n"
    code += "import dtmodel; print(json.dumps(dtmodel.search('burst', most=3000)))"
    done = subprocess.run(
        [sys.executable, "-c", code.format(str(package / "_papers"))], capture_output=True, text=True, check=True
    )
    assert {row["kind"] for row in json.loads(done.stdout)} == set(KINDS) - {"guide"}


def test_forms_of_a_word_have_one_stem() -> None:
    for forms in (
        "unfair unfairness", "fair fairly", "share shares shared sharing", "drop drops dropped dropping",
        "policy policies", "starve starves starved starvation", "evict evicts evicted evictions", "queue queues",
        "absorb absorbed absorbable", "threshold thresholds", "simulate simulation simulations simulated",
    ):  # fmt: skip
        assert len({stem(word) for word in forms.split()}) == 1, forms
    assert len({stem(word) for word in ("loss", "burst", "bus", "states", "buffer", "bytes")}) == 6


def test_a_greek_letter_is_found_by_its_name() -> None:
    assert terms("α") == terms(r"\alpha") == terms("Alpha")


def test_a_rare_word_outweighs_a_common_one_and_a_title_a_body() -> None:
    texts = [counted([text]) for text in ("queue port", "queue switch", "queue headroom")]
    assert ranked("queue headroom", texts)[0][1] == 2
    assert [index for _, index in ranked("headroom", [counted(["", "", "headroom"]), counted(["headroom"])])] == [1, 0]
    assert ranked("headroom", []) == ranked("", [Counter(["a"])]) == []
