"""``dtmodel derive``: a theorem from a policy and a family of scenarios."""

import json
from collections.abc import Mapping
from pathlib import Path

import click

from dtmodel.base.documents import read_documents
from dtmodel.base.errors import InputError
from dtmodel.base.extras import need
from dtmodel.base.files import write_whole
from dtmodel.cli.console import echo_json
from dtmodel.cli.options import SecondsRange, Word, both_or_neither, claim_options
from dtmodel.cli.samples import printed_and_done, sample_text

_LOOKING = 3
"""The least number of seconds to search for certificates of the solver's answers."""


def _schema(which: str) -> str:
    return sample_text("schemas", {"file": "derive.json", "answer": "derive-answer.json"}[which])


@click.command()
@click.argument("file")
@click.option(
    "--schema", type=Word(["file", "answer"]), is_flag=False, flag_value="file", is_eager=True,
    expose_value=False, callback=printed_and_done("--schema", _schema),
    help="Print the JSON Schema of FILE or of the answer.",
)  # fmt: skip
@click.option(
    "--example", is_flag=False, flag_value="derive.toml", type=Word(["derive.toml"]), is_eager=True,
    expose_value=False, callback=printed_and_done("--example", lambda name: sample_text("examples", name)),
    help="Print a sample FILE.", metavar="",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON on one line.")
@click.option("--latex", is_flag=True, help="Print LaTeX instead of text.")
@click.option(
    "--check", type=click.IntRange(min=1), metavar="N", help="Compare with the exact engine at N points a case."
)
@click.option("--certificate", metavar="OUT", help="Write a certificate, which proofs/check_certificates.py verifies.")
@claim_options("the theorem")
@click.option("--paths", default=2000, show_default=True, type=click.IntRange(min=1), help="Most paths.")
@click.option(
    "--expiries",
    default=3,
    show_default=True,
    type=click.IntRange(min=0),
    help="Most timer expiries of EDT.",
)
@click.option(
    "--seconds", default=300.0, show_default=True, type=SecondsRange(min=0),
    help="Time limit of the derivation, of --check and of --certificate, each.",
)  # fmt: skip
def command(
    file: str,
    as_json: bool,
    latex: bool,
    check: int | None,
    certificate: str | None,
    folder: str | None,
    claim: str | None,
    paths: int,
    expiries: int,
    seconds: float,
) -> None:
    """Derive a theorem about the first drop under a policy, with its cases and closed forms.

    FILE is TOML or JSON with symbols, policy, switch, queues and questions; "-" is standard input.
    """
    need("flint", "z3")
    both_or_neither(folder, claim)
    from dtmodel.derive import Limits, derive

    for document in read_documents(file):
        try:
            theorem = derive(document.content, Limits(paths=paths, seconds=seconds, expiries=expiries))
        except InputError as error:
            raise error.within(document.where) from error
        shown = theorem.complete and any(case.strength == "smt" for case in theorem.cases)
        if certificate or (as_json and shown):
            found = theorem.certificate(seconds if certificate else max(_LOOKING, theorem.seconds))
            theorem = theorem.strengthened(found)
        if certificate:
            write_whole(Path(certificate), json.dumps(found))
        if folder and claim:
            written = theorem.to_claim(claim, folder)
            click.echo(f"written: {', '.join(map(str, written))}", err=True)
        checked = theorem.check(check, seconds=seconds) if check else 0
        if as_json:
            echo_json(theorem.document())
        else:
            click.echo(theorem.latex() if latex else theorem.text())
            click.echo(_remark(theorem.seconds, theorem.statistics, checked))


def _remark(seconds: float, statistics: Mapping[str, int], checked: int) -> str:
    counted = ", ".join(f"{number} {name}" for name, number in statistics.items())
    compared = f"; the exact engine agrees at {checked} points" if checked else ""
    return f"({counted}; {seconds:.2f} s{compared})"
