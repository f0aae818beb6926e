"""What a claim says for a machine is a Coq proposition, and the theorems that the claim names must close it."""

from pathlib import Path

import pytest

from dtmodel.base.errors import ProverError
from dtmodel.ledger import Kernel, Proved
from dtmodel.ledger.provers import coq
from dtmodel.ledger.provers.coq_export import is_arithmetic, proposition
from dtmodel.ledger.provers.coq_forms import standing


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("for x > 0; y <= x; then y < x or y == x", "(y < x \\/ y = x)"),
        ("for x > 0; then 1/2 <= x != 3", "(1 / 2 <= x /\\ x <> 3)"),
        ("for x > 0; where not x > 1; then (x <= 1) == (x < 2)", "(x <= 1 <-> x < 2)"),
        ("for M : int >= 1; N : int >= 0; then M + N >= 1; M/2 > 0", "((1 <= (M + N))%nat) /\\ (0 < INR M / 2)"),
        ("for n : int >= 1; w : list(n) > 0; then each(i, 2..n, w[i] > 0)",
         "(forall i0, (1%nat <= i0 < n)%nat -> 0 < w i0)"),
        ("for n : int >= 2; w : list(n) > 0; then some(i, 1..n - 1, w[i + 1] > 0)",
         "(exists i0, (i0 < (n - 1))%nat /\\ 0 < w (1 + i0)%nat)"),
        ("for n : int >= 1; w : list(n) > 0; seq G[k] = sum(i, k..n, w[i]); then G[1] > 0",
         "0 < sum n (fun i0 => w i0)"),
        ("for n : int >= 1; w : list(n) > 0; then count(i, 1..n, w[i] > 1) <= n",
         "sum n (fun i0 => (if Rlt_dec 1 (w i0) then 1 else 0)) <= INR n"),
        ("for R > 0; C > 0; let t = 1 if R <= C else 2; then t >= 1", "1 <= (if Rle_dec R_ C then 1 else 2)"),
        ("for n : int >= 1; i : int 1..n; then i <= n", "(i <= n)%nat"),
        ("for n : int >= 1; w : list(n) > 0; i : int 1..n; then w[i]*i > 0", "0 < w i * (1 + INR i)"),
        ("for P : int >= 1; where P % 2 == 0; then P > 1", "(1 < P)%nat"),
    ],
)  # fmt: skip
def test_a_form_is_written_for_coq(text: str, said: str) -> None:
    assert proposition(text).splitlines()[-1].strip() == said


def test_every_hypothesis_is_written_and_a_bound_for_trials_is_not() -> None:
    text = "for n : int 1..4; w : list(n) > 0; B >= 0; where B < 6; n >= 2; then min(w) > 0"
    assert proposition(text).splitlines() == [
        "forall (n : nat) (w : nat -> real) (B : real) (min_1 : real),",
        "  (1 <= n)%nat ->",
        "  (forall i0, (i0 < n)%nat -> 0 < w i0) ->",
        "  0 <= B ->",
        "  B < 6 ->",
        "  (2 <= n)%nat ->",
        "  ((exists i_in, (i_in < n)%nat /\\ w i_in = min_1) /\\ (forall i_in, (i_in < n)%nat -> min_1 <= w i_in)) ->",
        "  0 < min_1",
    ]


def test_a_name_that_is_bound_again_does_not_reach_what_a_value_means() -> None:
    text = "for n : int >= 1; w : list(n) > 0; i : int 1..n; let s = w[i]; then each(i, 1..n, w[i] <= s)"
    assert proposition(text).splitlines()[-1].strip() == "(forall i0, (i0 < n)%nat -> w i0 <= w i)"


@pytest.mark.parametrize(
    "text",
    [
        "for n : int >= 1; seq t[k] = 0 if k == 1 else t[k - 1] + 1; then t[n] == n",
        "for n : int >= 1; seq t[k] = 0 if k == 0 else t[k - 2] + 1; then t[n] == n",
        "for x > 0; then floor(x) <= x",
        "for n : int -1..4; then n <= 4",
        'for x : oneof "sum", "mean"; then x == "sum"',
        "for n : int >= 1; w : list(n) > 0; then each(i, 1..n, min(j, 1..n, w[j]*w[i]) > 0)",
    ],
)
def test_what_has_no_counterpart_is_refused(text: str) -> None:
    with pytest.raises(ProverError):
        proposition(text)
    assert standing(Kernel(("one",), says=text)) == "unwritten"


def test_a_recursion_is_any_function_of_which_its_equations_hold() -> None:
    """It counts from 0, as Coq does; one that another is computed from has its equations, too."""
    text = (
        "for n : int >= 1; w : list(n) > 0; seq t[k] = 0 if k == 0 else u[k - 1] + k*w[k]\n"
        "seq u[k] = 1 if k == 0 else t[k]; then t[1] == 1 + w[1]; t[n] <= u[n + 1]"
    )
    assert proposition(text).splitlines() == [
        "forall (n : nat) (w : nat -> real) (t : nat -> real) (u : nat -> real),",
        "  (forall i0, (i0 < (1 + n))%nat -> 0 < w i0) ->",
        "  t 0%nat = 0 ->",
        "  (forall k0, t (S k0) = u k0 + (1 + INR k0) * w k0) ->",
        "  u 0%nat = 1 ->",
        "  (forall k0, u (S k0) = t (S k0)) ->",
        "  (t 1%nat = 1 + w 0%nat) /\\ (t (S n) <= u (S (1 + n)%nat))",
    ]


def test_what_is_named_up_to_the_largest_of_some_is_below_it() -> None:
    largest = "for w : list(3) > 0; let L = max(j, 1..3, j if w[j] > 1 else 0)"
    text = f"{largest}; for k : int 1..L; then prod(i, 1..k-1, w[i]) == w[k]"
    supposed, *_, said = proposition(text).splitlines()[1:]
    assert supposed.strip() == "(forall i0, (i0 < 3)%nat -> 0 < w i0) ->"
    assert "  1 + INR k <= max_1 ->" in proposition(text).splitlines()
    assert said.strip() == "product ((1 + k) - 1) (fun i0 => w i0) = w k"


def test_a_form_that_runs_something_is_no_arithmetic() -> None:
    assert not is_arithmetic("for R > 0; run x = dt(R); then x > 0")
    assert not is_arithmetic("for R >")


def test_how_a_form_stands_to_its_theorems() -> None:
    says = "for x > 0; then x > 0"
    assert standing(Kernel(("one",), says=says, follows="apply File.one.")) == "follows"
    assert standing(Kernel(("one",), says=says, follows="apply File.one_more.")) == "itself"
    assert standing(Kernel(("one",), says=says, apart="It says more.")) == "apart"


FILE = """Require Import Reals Lra.
Open Scope R_scope.
Theorem halves x y : 0 < x -> y = 0 -> x / 2 + y < x. Proof. lra. Qed.
Theorem halves_instance : 0 < 1 /\\ 1 / 2 + 0 < 1. Proof. lra. Qed.
"""
STEPS = "intros; apply Halves.halves; assumption."


@pytest.mark.needs("coq")
def test_a_form_without_a_hypothesis_of_its_theorem_is_a_fault(tmp_path: Path) -> None:
    where = tmp_path / "proofs" / "coq"
    where.mkdir(parents=True)
    (where / "_CoqProject").write_text("-Q . TINY\nHalves.v\n")
    (where / "Halves.v").write_text(FILE)
    assert coq.main(["--pin", str(where)]) == 0

    forms = [
        "for x > 0; y : rat; where y == 0; then x/2 + y < x",
        "for x > 0; y : rat; then x/2 + y < x",
        "for x > 0; y : rat; where y == 0; then x/2 + y > x",
    ]
    answers = coq.theorems(tmp_path, [Kernel(("halves",), says=form, follows=STEPS) for form in forms])
    assert isinstance(answers[0], Proved)
    assert (answers[0].certificate or {})["form"] == "follows"
    assert all("its executable form does not follow from halves" in str(answer) for answer in answers[1:])
