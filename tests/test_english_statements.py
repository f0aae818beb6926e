"""Statements in English are written from the forms that run, and no part of a form is left out of them."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from ledger_cases import PROVED, claim, evidence, paper_forms, papers, root, told

from dtmodel.base.mathtext import symbol_of, text_of
from dtmodel.cli import run
from dtmodel.companion.reports import ReportMaker
from dtmodel.companion.words import VOCABULARY, telling, vocabulary
from dtmodel.ledger.claim import Claim, expanded, text_of_form
from dtmodel.ledger.formal import called, read_formal
from dtmodel.ledger.hunting import Target
from dtmodel.ledger.manifest import _entry
from dtmodel.ledger.statement import Teller, statement, statement_of, unsaid, unsaid_of
from dtmodel.ledger.teller import Glossary

TARGETS = paper_forms()
SWITCH = "In the fluid model a switch with B > 0 bytes and ports of rate C > 0 runs"
STEADY = "N ≥ 0 steady queues, on their thresholds at time 0, are offered R_b ≥ C for ever, and nothing else arrives."
T10 = (
    "Let t_10 = (α B)/((1 + α (M + N)) (R - C)) and F_11 = B/(1 + α (M + N)) if R ≤ C (1 + (1 + α N)/(α M)); otherwise "
    "t_10 = (α B)/((1 + α N) ((1 + α M) (R - C) - α N C)) and F_11 = ((R - C) B)/((1 + α N) ((1 + α M) (R - C) - "
    "α N C))."
)
STATEMENTS = {
    "edt.thm1": f"{SWITCH} DT with α > 0. From time 0 on a burst of rate R > C comes to each of M ≥ 1 empty ports and "
    f"lasts d_i > 0 at port i; {STEADY} Let 1 ≤ k ≤ M be whole. {T10} Suppose that d_k > t_10[+, and d_j > t_10 for "
    "all j ≠ k from 1 to M+]. Then port k loses bytes, and F_11 bytes are free when port k first loses bytes.",
    "edt.ours.theorem1": f"{SWITCH} DT with α > 0. From time 0 on a burst of rate R > C comes to each of M ≥ 1 empty "
    f"ports and lasts d_i > 0 at port i; {STEADY} The run ends at 4 t_10. Let 1 ≤ k ≤ M be whole. {T10} Suppose that "
    "d_j > t_10 for all j ≠ k from 1 to M. Then port k first loses bytes at t_10, and F_11 bytes are free at t_10, if "
    "d_k > t_10; otherwise port k has lost nothing when the run ends.",
    "edt.eq80": f"{SWITCH} EDT with α, c_n2, TM_1, TM_2 > 0. From time 0 on a burst of rate R > C comes to each of "
    f"M ≥ 1 empty ports and never ends; {STEADY} Let t_full = B/(M (R - C)).[+ Let ρ = C (1 + (1 + α N)/(α M)) "
    "and τ = c_n2/(R - C). Let t_10 = (α B)/((1 + α (M + N)) (R - C)) if R ≤ ρ; otherwise (α B)/((1 + α N) "
    "((1 + α M) (R - C) - α N C)). Suppose that either R ≤ ρ or N = 0, and that τ ≤ TM_1, τ ≤ t_10 and "
    "τ + TM_2 ≥ t_full.+] Then the buffer is full for the first time at t_full.",
    "edt.ours.least-share.tight": f"{SWITCH.replace('In the', 'In run x of the')} DT with α > 0. For each i from 1 to "
    "M ≥ 1, from time ((i - 1) B)/r on a burst of rate C + r comes to an empty port and never ends; "
    f"{STEADY} Let 0 < e < 1. Let P = M + N, r = "
    "(3 P^2 C (1 + α)^P)/e, share = (α B)/((1 + α N) (1 + α)^M) and held = Q^x_M(t^drop_M(x)). Here Q^x_k(t) is the "
    "length of queue k at t. Here t^drop_k(x) is the time at which port k first loses bytes, or never. Then held ≤ "
    "(1 + e) · share; and held ≥ share; and held = share if and only if P = 1.",
    "dynaq.eq5": "Let q, λ, α, μ ≥ 0. Here q is the length of a queue; λ the arrival rate of the queue; α its fair "
    "share; μ its output rate. This relates numbers alone. Suppose that μ ≤ α, and "
    "that either μ = α or both q = 0 and μ = λ, and that either q > 0 or μ ≤ λ[+, and q = 0+]. Then μ = min(λ, α).",
    "losspass.alg1.line15": "Let E be any sequence of at most 14 events, each of them the arrival of a small or large "
    "packet of 1 or s bytes or a departure (small packets first) or a departure from the small queue or from the large "
    "queue. A port with B bytes, of which B_l are reserved for large packets, runs [~ LossPass as printed, -> "
    "corrected LossPass, ~] on E, with marks for packets with which the small queue holds more than K_s bytes or the "
    "large queue holds more than K_l bytes or the port holds more than K bytes. [~ -> Here corrected LossPass has ≤ in "
    "line 4 of Algorithm 1, line 10 only if nothing was enqueued and line 15 only if the packet was. ~] Let 1 ≤ s ≤ 3, "
    "s ≤ B ≤ 5 and 0 ≤ B_l, K_s, K_l, K ≤ B be whole. Here packet(k^+) is the number of the packet of event k, counted "
    "from 0 by arrival, just after event k. Here marked(k^+) is the list of the numbers of marked packets, from 0 by "
    "arrival, just after event k. Then at each event k such that event k is an arrival and that packet(k^+) ∈ "
    "marked(k^+): the packet of event k is in the buffer just after it.",
    "losspass.eq4@packets": "Let 1 ≤ D ≤ 12, 0 ≤ K ≤ 12, 1 ≤ N ≤ 5 and 1 ≤ begin ≤ 3 be whole. Let w_k = begin if "
    "k = 0, else ⌊(w_(k - 1))/2⌋ if N w_(k - 1) - D > K, else w_(k - 1) + 1. "
    "Here D is the bandwidth-delay product; K the marking threshold; N the number of senders; begin the window at "
    "first; w_i the window of each sender in round i. This relates numbers alone."
    "[+ Suppose that (K + D) mod N = 0 and begin = 1.+] Then max_(0 ≤ k ≤ 90) (N w_k - D) = K + N.",
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_statement_tells_scenario_variables_hypotheses_and_conclusion(name: str) -> None:
    assert text_of(told(name)) == STATEMENTS[name]


def test_a_repair_leaves_the_sentences_that_it_does_not_alter_and_both_forms_can_be_read() -> None:
    shared, sums = "for a > 0; {} let s = a + 7; t = s*a; {} then u > t*s; s > t", ("u = t + b + c;", "u = t + 5;")
    parts = zip(("b > 0; c > a;", ""), sums, strict=True)
    printed, repaired = (read_formal(shared.format(*each)) for each in parts)
    assert statement(printed, other=repaired, repaired=True) == (
        "Let $a > 0$. [~ Let $b > 0$ and $c > a$. -> ~] Let $s = a + 7$ and $t = s a$.\n\n"
        "Then [~ $t + b + c > t s$; -> $t + 5 > t s$; ~] and $s > t$."
    )
    for target in (each for each in TARGETS if each.form == "repaired"):
        text = told(target.claim)
        (old,) = (each.formal for each in TARGETS if (each.claim, each.form) == (target.claim, "printed"))
        for side, form, beside in ((1, old, target.formal), (2, target.formal, old)):
            alone = Teller(form, VOCABULARY, beside=beside).text().split()
            marked = re.sub(r"\[~ (.*?) ?-> ?(.*?) ?~\]", rf"\{side}", text, flags=re.DOTALL)
            assert [word for word in alone if word not in marked.split()] == [], target.claim


@pytest.mark.parametrize("verdict", ["refuted", "inconsistent", "not-checkable"])
def test_a_form_is_the_statement_whatever_the_verdict_is(verdict: str) -> None:
    undecided = replace(papers().claims["edt.fn9"], formal="for x > 0; then x > 1", caption="A bound", verdict=verdict)
    assert statement_of(undecided, {}) == "Let $x > 0$. This relates numbers alone. Then $x > 1$."


def said(then: str, before: str = "", variables: str = "a > 0; b > 0; C > 0; B > 0; M : int >= 2") -> str:
    """The last sentences of a form with one run of DT, and two hypotheses if they are given."""
    runs = "run x = dt(bursts(M, b), until = 9, alpha = a)"
    return text_of(statement(read_formal(f"for {variables}\n{before}\n{runs}\nthen {then}"), VOCABULARY))


@pytest.mark.parametrize(
    ("then", "told"),
    [
        ("not (a < b or a > 2)", "a ≥ b, and a ≤ 2"),
        ("a < b or (a > 2 and b > 3)", "either a < b or both a > 2 and b > 3"),
        ("a < b or each(i, 1..M, i > a)", "either a < b or (i > a for each i from 1 to M)"),
        ("not each(i, 1..M, i > a)", "i ≤ a for some i from 1 to M"),
        ("not some(i, 1..M, i > a)", "i ≤ a for each i from 1 to M"),
        ("each(i, 1..M, i == 2 or i > a)", "i > a for all i ≠ 2 from 1 to M"),
        ("each(i, 1..M, i > a and a > b)", "for each i from 1 to M both i > a and a > b"),
        ("(a > b) == (b > 2)", "a > b if and only if b > 2"),
        ("(a > b or a > 3) != (b > 2)", "(either a > b or a > 3) or else b > 2"),
        ("a > b if b > 1 else a < b", "a > b if b > 1; otherwise a < b"),
        ("not a in [1, 2]", "a ∉ [1, 2]"),
        ("drop(x, 1) == a", "port 1 first loses bytes at a"),
        ("drop(x, 1) < never", "port 1 loses bytes"),
        ("not drop(x, 1) < a", "port 1 loses nothing before a"),
        ("drop(x, 1) <= a", "port 1 has begun to lose bytes by a"),
        ("a < drop(x, 1)", "port 1 loses nothing until after a"),
        ("drop(x, 1) == never", "port 1 has lost nothing when the run ends"),
        ("full(x) == a", "the buffer is full for the first time at a"),
        ("full(x) == never", "the buffer has not been full when the run ends"),
        ("free(x, full(x)) == 0", "the buffer is full when the buffer is first full"),
        ("free(x, a) >= b", "at least b bytes are free at a"),
        ("Q(x, 1, a) == 0", "queue 1 is empty at a"),
        ("Q(x, 1, a) > T(x, 1, a)", "queue 1 is above its threshold at a"),
        ("T(x, 1, a) <= b", "the threshold of queue 1 is at most b at a"),
        ("growth(x, 1, a) == -C", "queue 1 shrinks at the rate C just after a"),
        ("growth(x, 1, drop(x, 1)) > 0", "queue 1 grows just after the time when port 1 first loses bytes"),
        ("lost(x, 1, a) == 0", "port 1 has lost nothing by a"),
        ("not losing(x, 1, a)", "port 1 loses nothing just after a"),
        ("uncontrolled(x, 1, a)", "port 1 is uncontrolled just after a"),
        ("not uncontrolled_before(x, 1, a)", "port 1 is controlled just before a"),
        (
            "drop(x, 1) == (a if b > 1 else never)",
            "port 1 first loses bytes at a if b > 1; otherwise port 1 has lost nothing when the run ends",
        ),
        ("a > count(i, 1..M, not i in [a, b])", "a > #{1 ≤ i ≤ M : i ∉ [a, b]}"),
        ("losing_rate(x, 1, a) > b", "lost^x_1'(a^+) > b"),
        ("b > integral([[0, a]], 0, a)", "b > (∫_0^a [[0, a]])"),
    ],
)
def test_relations_are_told_in_words(then: str, told: str) -> None:
    assert said(then).partition(" Then ")[2].partition(" (Here")[0] == f"{told}."


PORT = """for B : int 1..5; B_l : int 0..B
for E : word(4) of [["arrive", "small", 1], ["arrive", "large", 1], ["depart", "any"], ["depart", "large"]]
run x = losspass(E, buffer = B, reserve_large = B_l)
on k of x: k > 0
then """


def told_at_a_step(then: str, form: str = PORT) -> str:
    return text_of(statement(read_formal(form + then), VOCABULARY)).partition(" Then at each event k: ")[2].rstrip(".")


@pytest.mark.parametrize(
    ("relation", "told", "denied"),
    [
        ('E[k][1] == "arrive"', "event k is an arrival", "event k is not an arrival"),
        ('E[k][2] == "small"', "event k concerns small packets", "event k does not concern small packets"),
        ('E[k][2] == "any"', "event k serves small packets first", "event k does not serve small packets first"),
        ('decision(x, k) == "drop"', "the packet of event k is dropped", "the packet of event k is not dropped"),
        ('decision(x, k) in ["evict", "evict+drop"]', "event k evicts a packet", "event k does not evict a packet"),
        (
            'decision(x, k) in ["drop", "evict", "evict+drop"]',
            "a packet is lost at event k",
            "a packet is not lost at event k",
        ),
        ('because(x, k, "line 1 is false")', "event k finds line 1 of Algorithm 1 false",
         "event k does not find line 1 of Algorithm 1 false"),
        ("held(before(x, k).small) == 0", "the small queue is empty just before event k",
         "the small queue is not empty just before event k"),
        ("len(after(x, k).large) > 0", "the large queue is not empty just after event k", "N_l(k^+) ≤ 0"),
        ("before(x, k).large[len(before(x, k).large)][2] == 1", "last(k^-) = 1", "last(k^-) ≠ 1"),
        ('E[k] == ["depart", "large"]', "event k is a departure from the large queue",
         "event k is not a departure from the large queue"),
    ],
)  # fmt: skip
def test_parts_of_events_and_states_are_told_in_words(relation: str, told: str, denied: str) -> None:
    assert told_at_a_step(relation) == told
    assert told_at_a_step(f"not ({relation})") == denied


def test_the_end_of_a_run_is_told_where_it_plays_a_part() -> None:
    told = " The run ends at 9."
    assert [told in said(then) for then in ("drop(x, 1) == a", "drop(x, 1) < never", "drop(x, 1) == never")] == [
        False, False, True
    ]  # fmt: skip
    assert [told in said("a > b", f"where {given}") for given in ("a > 1", "drop(x, 1) < never")] == [False, True]
    assert told in said("lost(x, 1) == 0")
    assert told not in said("lost(x, 1, 2) == 0")


def test_a_definition_stands_behind_those_that_it_uses() -> None:
    form = "for a > 0; let u = t + 1; t = a if a > 1 else v + 1; v = s[2]*s[3]; seq s[k] = s[k - 1] if k > 1 else a"
    text = text_of(statement(read_formal(f"{form}; then u > t; t > v; v > 0; t > u*s[1]")))
    places = [text.index(f"{name} = ") for name in ("s_k", "v", "t", "u")]
    assert places == sorted(places), text


def has_an_engine(target: Target) -> bool:
    return bool(target.formal.runs) or any(name in VOCABULARY for name in called(target.formal))


def test_a_claim_whose_form_has_no_run_says_that_it_relates_numbers() -> None:
    sentence = "This relates numbers"
    numbers = [each for each in TARGETS if not has_an_engine(each)]
    chosen = numbers + Random(38).sample([each for each in TARGETS if has_an_engine(each)], 20)
    for each in chosen:
        known = papers().claims[each.claim]
        numbers = not has_an_engine(each)
        assert (sentence in told(each.claim)) == numbers, each.claim
        assert (f"; {known.tied_to} ties it to runs." in told(each.claim)) == bool(known.tied_to), each.claim


def test_each_variable_of_a_form_without_a_run_has_a_meaning() -> None:
    untold = {}
    for each in TARGETS:
        if not has_an_engine(each):
            variables = Teller(each.formal, VOCABULARY).formal.variables
            names = [one for one in variables if one.letters is None and one.name not in ("i", "j", "k", "u", "n")]
            symbols = [symbol_of(one.name) + ("_{" if one.length else "$") for one in names]
            here = told(each.claim).partition(" Here ")[2].partition(" This relates")[0]
            untold[each.claim] = [symbol for symbol in symbols if f"${symbol}" not in here]
    assert {claim: symbols for claim, symbols in untold.items() if symbols} == {}


def test_symbols_of_a_form_without_a_run_have_the_meaning_of_the_glossary() -> None:
    glossary = {"own.symbols": "R: the rate\nR[]: the rate of burst #\nM: the number of bursts"}
    known = Claim(
        "own.eq1", "here", "ours", "", "holds", "Rates of bursts", formal="for M : int 1..9; R : list(M) > 0\n"
    )
    numbers = replace(known, formal=f"{known.formal}then R[1] > 0")
    assert statement_of(numbers, glossary, vocabulary) == (
        "Let $1 \\leq M \\leq 9$ be whole, and let $R_{i} > 0$ for $1 \\leq i \\leq M$. "
        "Here $M$ is the number of bursts; $R_{i}$ the rate of burst $i$. "
        "This relates numbers alone. Then $R_{1} > 0$."
    )
    tied = replace(numbers, tied_to="own.eq2")
    assert "numbers; own.eq2 ties it to runs. Then" in statement_of(tied, glossary, vocabulary)
    runs = replace(known, formal=f"for B > 0; C > 0\n{known.formal}run x = complete([each_burst(R)], until = 1)\n")
    assert "number of bursts" not in statement_of(
        replace(runs, formal=f"{runs.formal}then drop(x, 1) > 0"), glossary, vocabulary
    )


def test_a_rate_of_a_switch_is_for_ports_without_their_own() -> None:
    form = "for B > 0; C > 0; a > 0; c > 0; run x = dt({}, until = 9, alpha = a); then drop(x, 1) > a"
    given = [f"[queue(0, [0, a]{rate})]" for rate in ("", ", rate = c")]
    said = [text_of(statement(read_formal(form.format(each)), VOCABULARY)) for each in given]
    assert ["ports of rate C > 0, if no other rate is given, runs" in text for text in said] == [False, True]


def test_events_by_a_condition_and_a_second_run_are_told_in_words() -> None:
    form = """for B : int 1..5; n : int 1..9
    run x = losspass(list(k, 1..n, ["arrive", "small", 1] if k < B else ["depart", "any"]), buffer = B)
    run y = losspass(E, buffer = B); z = losspass(E, buffer = B, reserve_large = 1)
    on k of x: k > 0
    then before(z, k).small == before(y, k).small"""
    events = '[["depart", "any"]]'
    text = text_of(statement(read_formal(form.replace("E,", f"{events},")), VOCABULARY))
    assert (
        "on these events: for each k from 1 to n the arrival of a small packet of 1 byte if k < B, and otherwise a"
        in text
    )
    assert "Run y is as run x, but on a departure (small packets first). In run z" in text
    assert "on the events of run y" in text


def test_a_second_run_of_the_same_queues_is_told_by_its_policy() -> None:
    text = "for a > 0; B > 0; C > 0; R > C; M : int >= 1\nrun x = dt(bursts(M, R), until = 9, alpha = a)\n"
    text += "run y = complete(bursts(M, R), until = 9); z = complete(bursts(M, R), until = 9, B = 2*B)\n"
    shown = text_of(statement(read_formal(f"{text}then drop(x, 1) < drop(y, 1); drop(z, 1) > 1"), VOCABULARY))
    assert "In run y the same comes to the same queues as in run x under complete sharing." in shown
    other = "In run z of the fluid model a switch with 2 B bytes and ports of rate C runs complete sharing."
    assert f"{other} From time 0" in shown
    assert "The runs end at 9." in shown


def test_every_part_of_every_recorded_form_is_in_its_statement() -> None:
    chosen = Random(38).sample(TARGETS, 60)
    assert {(each.claim, each.form): found for each in chosen if (found := unsaid(each.formal, VOCABULARY))} == {}


def test_every_part_of_all_recorded_forms_is_in_its_statement() -> None:
    found = {(each.claim, each.form): unsaid(each.formal, VOCABULARY) for each in TARGETS}
    assert {name: parts for name, parts in found.items() if parts} == {}


SECTION = re.compile(r"(?:^|;)\s*(for|try|let|seq|where|run|on|then)\s+", re.MULTILINE)


def altered(text: str) -> Iterator[str]:
    """Yield a form with each hypothesis, variable and bound of a search altered: a denial, a domain, one less."""
    told = Teller(read_formal(text), VOCABULARY)
    unused = {variable.name for variable in read_formal(text).variables} - {*told.domains}
    marks = list(SECTION.finditer(text))
    for mark, end in zip(marks, [*(mark.start() for mark in marks[1:]), len(text)], strict=True):
        place = mark.end()
        names = re.split(r"\s*[,;]\s*", text[place:end].strip().strip(";")) if mark[1] == "try" else []
        for name in names:
            rest = ", ".join(each for each in names if each != name)
            yield text[: mark.start()] + (f"\ntry {rest}\n" if rest else "\n") + text[end:].lstrip(";")
        for item in text[place:end].split(";") if mark[1] in ("for", "where") else ():
            if item.strip() and (mark[1] == "where" or unused.isdisjoint(re.findall(r"[A-Za-z]\w*", item))):
                yield text[:place] + _other(mark[1], item.strip()) + "\n" + text[place + len(item) :]
            place += len(item) + 1


def _other(keyword: str, item: str) -> str:
    if keyword == "where":
        return f"not ({item})"
    if "oneof" in item:
        return f'{item}, "another"'
    if "word(" in item:
        return item.replace("word(", "word(1 + ", 1)
    if re.search(r"list\([^()]*(\([^()]*\))?[^()]*\)\s*$", item):
        return item.replace("list(", "list(1 + ", 1)
    if item.endswith(("rat", "int")):
        return item.replace("rat", "int") if item.endswith("rat") else item.replace("int", "rat")
    return f"1 + {item}" if item[0].isdigit() and item.count("<") == 1 else f"{item} + 1"


def alterations(target: Target) -> Iterator[tuple[str, str]]:
    """Yield the texts of a form with one part altered, where text or manifest stay the same."""
    known = papers().claims[target.claim]
    text = expanded(text_of_form(known, target.form), papers().preludes)
    alone = replace(papers(), tell=lambda claim, _: statement(read_formal(claim.formal), VOCABULARY))
    before = statement(read_formal(text), VOCABULARY), _entry(replace(known, formal=text), [], alone).words
    for other in altered(text):
        after = statement(read_formal(other), VOCABULARY), _entry(replace(known, formal=other), [], alone).words
        if before[0] == after[0] or before[1] == after[1]:
            yield target.claim, other


def test_altering_a_hypothesis_alters_statement_and_manifest() -> None:
    assert [found for each in Random(7).sample(TARGETS, 30) for found in alterations(each)] == []


def test_altering_any_hypothesis_of_any_form_alters_statement_and_manifest() -> None:
    assert [found for each in TARGETS for found in alterations(each)] == []


def test_verify_fails_where_a_word_tells_less_than_the_form_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = papers().claims["edt.thm1"]
    assert unsaid_of(known, papers().preludes, vocabulary) == []
    monkeypatch.setattr(telling, "_parameters", lambda *_: "")
    parts = ["alpha of x of the printed form", "alpha of x of the assumed form"]
    assert unsaid_of(known, papers().preludes, vocabulary) == parts
    monkeypatch.setattr(ReportMaker, "unsaid", lambda *_: parts[:1])
    place = root(tmp_path / "own", [claim("own.eq1")], [evidence(PROVED, "own.eq1")])
    assert run(["verify", "own.eq1", "--collection", str(place.path), "--json"]) == 1
    (found,) = json.loads(capsys.readouterr().out)["claims"]
    assert found["faults"] == [f"its statement does not depend on {parts[0]}: mend the words that tell it"]


@pytest.mark.parametrize("broken", ["_hypotheses", "_lets", "_definitions", "_concluded"])
def test_a_sentence_that_is_left_out_is_noticed(monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    formal = read_formal("for a > 0; M : int 1..4; let t = a + 1; where a < M; a < t; then t < 9")
    assert unsaid(formal) == []
    monkeypatch.setattr(Teller, broken, lambda *_: ("", "") if broken == "_hypotheses" else [])
    assert unsaid(formal) != []


def test_a_statement_does_not_depend_on_the_order_of_sets(tmp_path: Path) -> None:
    """The order in which Python keeps a set of strings changes from process to process."""
    code = "from dtmodel.cli import main; main()"
    command = [sys.executable, "-c", code, "ledger", "losspass.alg1", "--json"]
    said = {
        subprocess.run(
            command, capture_output=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "DTMODEL_CACHE": str(tmp_path / seed)},
        ).stdout
        for seed in "123"
    }  # fmt: skip
    assert len(said) == 1


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "l2bm.ours.current",
            "In run x L2BM's recorder as printed sees these events: for each i from 1 to n the arrival",
        ),
        (
            "edt.intro.negative-correlation",
            "The runs x and y end at 4 t_10. The run z ends at (4 B)/(R - C).",
        ),
        ("derived.ours.levels-pool", "each queue i of it, at a port of its own, alphas_i times the free bytes."),
        ("derived.ours.levels-settings", "of its own, alphas_i times what the group may hold beyond its bytes."),
        ("losspass.ours.ecn-b", "a small or large packet of 1 to B bytes or a departure (small packets first)"),
        ("losspass.ours.ecn-b", "with marks for packets with which the port holds more than K ≥ B bytes"),
        (
            "l2bm.eq1.reserved-first",
            "from ingress queue 1 to egress queue 1 or from ingress queue 2 to egress queue 2 or",
        ),
        ("edt.fig8.multiplexer", "#{1 ≤ j ≤ M : port j in run x is uncontrolled just after u}"),
    ],
)
def test_a_statement_tells_events_and_settings_in_words(name: str, said: str) -> None:
    assert said in text_of(told(name))


def test_variables_that_play_no_part_are_not_told_unless_their_range_may_be_empty() -> None:
    text = 'for x : int 1..9; y : int x..5; z > 0; kind : oneof "a", "b"; then x > 0'
    assert statement(read_formal(text)) == r"Let $1 \leq x \leq 9$ and $x \leq y \leq 5$ be whole. Then $x > 0$."
    text = "for s : int >= 1; B : int s..5; part : int 0..B; y <= 5; z : rat; then B > y + z"
    assert statement(read_formal(text)) == (
        r"Let $s \geq 1$ and $s \leq B \leq 5$ be whole, and let $y \leq 5$ and $z\text{ any number}$. "
        "Then $B > y + z$."
    )


def test_the_only_run_has_its_name_if_a_formula_uses_it() -> None:
    assert said("a*Q(x, 1, b) > 0").startswith("In run x of the fluid model a switch")
    assert said("Q(x, 1, b) > 0").startswith("In the fluid model a switch")
    port = 'for E : word(2) of [["arrive", "small", 1]]\nrun x = losspass(E, buffer = 3)\non k of x: k > 0\nthen '
    word = text_of(statement(read_formal(f"{port}decision(x, k) == (1 if k > 1 else 2)"), VOCABULARY))
    assert "In run x a port with 3 bytes, of which none are reserved, runs corrected LossPass, on E." in word


def test_meanings_of_a_claim_are_told_beside_runs_and_those_of_its_paper_only_without() -> None:
    glossary = Glossary.of("B: the buffer", "s: the larger size; t[]: a time", "This relates numbers alone.")
    run = """for B : int 1..4; s : int 1..2
    for E : word(3) of [["arrive", "small", s], ["depart", "any"]]
    run x = losspass(E, buffer = B)
    then held(after(x, 1).small) <= B"""
    assert "Here $s$ is the larger size." in statement(read_formal(run), VOCABULARY, glossary=glossary)
    assert "the buffer" not in statement(read_formal(run), VOCABULARY, glossary=glossary)
    numbers = statement(read_formal("for B > 0; s > B; then s > 0"), VOCABULARY, glossary=glossary)
    assert "Here $B$ is the buffer; $s$ the larger size. This relates numbers alone." in numbers


def test_events_of_a_sequence_are_told_from_those_of_a_run_with_ticks() -> None:
    text = text_of(told("edt.sec4.2.c2.value@signed"))
    assert "Here queue_k is the queue of event k of E." in text
    assert "see E, with a tick of the clock before its j-th event (event 2 j), event k at the time now_k, with" in text
    assert "Here state_i(k^-) and state_i(k^+) stand for the state of port i just before and after event k." in text
