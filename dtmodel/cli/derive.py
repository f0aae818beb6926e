"""``dtmodel derive``: a theorem from a policy and a family of scenarios."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dtmodel.base.documents import read_documents
from dtmodel.base.errors import MISSING, InputError
from dtmodel.base.extras import need
from dtmodel.base.files import write_whole
from dtmodel.base.schemas import schema_text
from dtmodel.cli.console import echo_json
from dtmodel.cli.options import SecondsRange, Word, both_or_neither, claim_options, pairs_of
from dtmodel.cli.progress import progress, say
from dtmodel.cli.samples import printed_and_done, sample_text

if TYPE_CHECKING:
    from dtmodel.derive import DerivedTheorem

_LOOKING = 3
"""The least number of seconds to search for certificates of the solver's answers."""
_PATIENCE = 5
"""The seconds after which answers are printed before the theorem is finished."""


def _schema(which: str) -> str:
    return schema_text({"file": "derive", "answer": "derive-answer"}[which])


class _Several(click.Command):
    """A command whose option ``--at`` takes several values: ``--at B="64 MB" C="100 Gbps"``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat the option before each further value."""
        parts, inside = list[str](), False
        for place, word in enumerate(args):
            inside = word == "--at" or (inside and "=" in word and not word.startswith("-"))
            parts += ["--at", word] if inside and word != "--at" and args[place - 1] != "--at" else [word]
        return super().parse_args(ctx, parts)


@click.command(cls=_Several)
@click.argument("file")
@click.option("--schema", type=Word(["file", "answer"]), is_flag=False, flag_value="file", is_eager=True,
              expose_value=False, callback=printed_and_done("--schema", _schema),
              help="Print the JSON Schema of FILE or of the answer.")  # fmt: skip
@click.option("--example", is_flag=False, flag_value="derive.toml", type=Word(["derive.toml"]), is_eager=True,
              expose_value=False, callback=printed_and_done("--example", lambda name: sample_text("examples", name)),
              help="Print a sample FILE.", metavar="")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON on one line.")
@click.option("--latex", is_flag=True, help="Print LaTeX instead of text.")
@click.option("--tex", metavar="OUT", help="Write the theorem as a LaTeX document.")
@click.option("--for", "symbol", metavar="SYMBOL", help="Write conditions as bounds of SYMBOL where possible.")
@click.option("--at", multiple=True, metavar="NAME=VALUE ...",
              help="Values of symbols, with units; alone: print the answers there.")  # fmt: skip
@click.option(
    "--maximize",
    metavar="SYMBOL",
    help="Largest value of the answer along SYMBOL, or A,B at an end of A, with --at for the others.",
)
@click.option("--minimize", metavar="SYMBOL", help="Smallest value of the answer along SYMBOL.")
@click.option("--solve", metavar="NAME=VALUE", help="Values of --over for which the answer NAME is VALUE.")
@click.option("--over", metavar="SYMBOL", help="Symbol to solve for.")
@click.option("--check", type=click.IntRange(min=1), metavar="N",
              help="Compare with the exact engine at N points a case.")  # fmt: skip
@click.option("--certificate", metavar="OUT", help="Write a certificate, which proofs/check_certificates.py verifies.")
@claim_options("the theorem")
@click.option("--paths", default=2000, show_default=True, type=click.IntRange(min=1), help="Most paths.")
@click.option("--expiries", default=3, show_default=True, type=click.IntRange(min=0),
              help="Most timer expiries of EDT.")  # fmt: skip
@click.option("--seconds", default=300.0, show_default=True, type=SecondsRange(min=0),
              help="Time limit of the derivation, of --check and of --certificate, each.")  # fmt: skip
def command(
    file: str, as_json: bool, latex: bool, tex: str | None, symbol: str | None, at: tuple[str, ...],
    maximize: str | None, minimize: str | None, solve: str | None, over: str | None, check: int | None,
    certificate: str | None, folder: str | None, claim: str | None, paths: int, expiries: int, seconds: float,
) -> None:  # fmt: skip
    """Derive a theorem about the first drop under a policy, with its cases and closed forms.

    FILE is TOML or JSON with symbols, policy, switch, queues and questions; "-" is standard input. After some seconds,
    answers are printed on standard error as they are found. After --seconds, and after Ctrl-C, the cases that were
    found are printed with the parts that are open; nothing else is kept, and the next call begins anew.
    """
    need("flint", "z3")
    both_or_neither(folder, claim)
    from dtmodel.derive import Limits, derive
    from dtmodel.derive.algebra.clock import watched
    from dtmodel.derive.theorem.certificate import has_certificate

    if (solve is None) != (over is None):
        raise InputError("--over" if over is None else "--solve", MISSING, "--solve NAME=VALUE with --over SYMBOL")
    values, wanted = pairs_of("--at", at), pairs_of("--solve", () if solve is None else (solve,))
    for document in read_documents(file):
        try:
            with progress("derive", "paths") as heard, watched(_reported(heard)):
                theorem = derive(document.content, Limits(paths=paths, seconds=seconds, expiries=expiries))
        except InputError as error:
            raise error.within(document.where) from error
        shown = theorem.complete and any(case.strength == "smt" for case in theorem.cases)
        shown = shown and theorem.found is not None and has_certificate(theorem.found)
        if certificate or (as_json and shown):
            found = theorem.certificate(seconds if certificate else max(_LOOKING, theorem.seconds))
            theorem = theorem.strengthened(found)
        if certificate:
            write_whole(Path(certificate), json.dumps(found))
        if folder and claim:
            written = theorem.to_claim(claim, folder)
            click.echo(f"written: {', '.join(map(str, written))}", err=True)
        checked = theorem.check_points(check, seconds=seconds) if check else 0
        answers = list(_answers(theorem, values, {"maximize": maximize, "minimize": minimize}, wanted, over))
        if tex:
            write_whole(Path(tex), theorem.tex(symbol))
        if as_json:
            bounds = {"for": {"symbol": symbol, "when": theorem.bounds_of(symbol)}} if symbol else {}
            echo_json(theorem.document() | bounds | {name: found for name, found, _ in answers})
        else:
            click.echo(theorem.latex(symbol) if latex else theorem.text(symbol))
            for _, _, text in answers:
                click.echo(text)
            click.echo(_remark(theorem.seconds, theorem.statistics, checked))
        if "interrupted" in theorem.open:
            raise KeyboardInterrupt


def _reported(heard: Callable[[int, int, str], None]) -> Callable[[int, int, str], None]:
    """Return a function that shows progress and, after some seconds, each answer once that some cell has."""
    begin, found, said = time.monotonic(), dict[str, None](), set[str]()

    def report(done: int, known: int, answers: str) -> None:
        heard(done, known, answers)
        found[answers] = None
        if time.monotonic() - begin > _PATIENCE:
            for each in [each for each in found if each and each not in said]:
                said.add(each)
                say(f"found: {each}")

    return report


@contextmanager
def _as_option(field: str, option: str) -> Iterator[None]:
    """Name a parameter in errors as the option that sets it."""
    try:
        yield
    except InputError as error:
        raise InputError(option, error.value, error.accepted) if error.field == field else error from error


def _answers(
    theorem: DerivedTheorem,
    values: Mapping[str, str],
    extremes: Mapping[str, str | None],
    wanted: Mapping[str, str],
    over: str | None,
) -> Iterator[tuple[str, Any, str]]:
    """Yield the answer to each question about a theorem: its name in JSON, its document and its text."""
    from dtmodel.derive.theorem.inverse import interval_document, shown_solutions
    from dtmodel.derive.theorem.optimum import shown_extreme
    from dtmodel.derive.theorem.stationary import Turns

    for method, along in extremes.items():
        if along is not None and theorem.keys:
            with _as_option("over", f"--{method}"):
                several = [name.strip() for name in along.split(",")]
                found = getattr(theorem, method)(theorem.keys[0], over=several if several[1:] else along, **values)
            kind = "turns" if isinstance(found, Turns) else found.kind
            yield kind, found.document(), str(found)
    if over is not None and theorem.keys:
        with _as_option("unknown", "--over"), _as_option("values", "--solve"):
            (key, value), solutions = next(iter(wanted.items())), theorem.solve_for(over, **values, **wanted)
        if isinstance(solutions, Turns):
            yield "solution", solutions.document(), str(solutions)
            return
        document = {"of": key, "wanted": value, "over": over, "at": [interval_document(each) for each in solutions]}
        text = f"{over} with {key} = {value}: {shown_solutions(solutions)}"
        yield "solution", document | ({} if solutions else {"none": solutions.why}), text
    if values and over is None and not any(extremes.values()):
        answers = theorem.evaluate(**values)
        yield "evaluated", {key: shown_extreme(value) for key, value in answers.items()}, str(answers)


def _remark(seconds: float, statistics: Mapping[str, int], checked: int) -> str:
    counted = ", ".join(f"{number} {name}" for name, number in statistics.items())
    compared = f"; the exact engine agrees at {checked} points" if checked else ""
    return f"({counted}; {seconds:.2f} s{compared})"
