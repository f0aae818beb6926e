"""``dtmodel hunt``: search for counterexamples to the executable statements of the ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dtmodel.base.errors import InputError
from dtmodel.cli.console import echo_json
from dtmodel.cli.options import SecondsRange, both_or_neither, claim_options, collection_option

if TYPE_CHECKING:
    from dtmodel.ledger.hunting import Alterations, Found, Target


@click.command()
@click.argument("selectors", nargs=-1, metavar="[SELECTOR]...")
@click.option("--seconds", type=SecondsRange(min=0.01), default=60.0, show_default=True, help="Time for all together.")
@click.option("--cases", type=click.IntRange(min=1), help="Random instances for each statement, instead of a time.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random instances.")
@click.option("--hypotheses", is_flag=True, help="Also search without each hypothesis, to find unnecessary ones.")
@click.option("--parts", is_flag=True, help="Instead, list the parts of true conclusions that no instance tests.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Worker processes.")
@click.option("--table", metavar="FOLDER", help="Add the results to the tables FOLDER/hunt.json and hunt.md.")
@click.option("--changed", is_flag=True, help="With --table: only statements that are new or changed since the table.")
@click.option("--witnesses", metavar="REPORT",
              help="Instead, evaluate every true statement at the witnesses of a report.json.")  # fmt: skip
@claim_options("the first counterexample that is found")
@collection_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one line for each statement.")
def command(
    selectors: tuple[str, ...], seconds: float, cases: int | None, seed: int, hypotheses: bool, parts: bool, jobs: int,
    table: str | None, changed: bool, witnesses: str | None, folder: str | None, claim: str | None,
    directories: tuple[str, ...], as_json: bool,
) -> int:  # fmt: skip
    """Search for an instance in which a statement is false, for true and false statements of the ledger.

    The exit status is 1 if a result differs from the record.
    """
    both_or_neither(folder, claim)
    from dtmodel.companion.hunting import altered, hunted, quarry
    from dtmodel.companion.roots import load
    from dtmodel.ledger.hunting import hunt_summary, parts_summary, targets
    from dtmodel.ledger.hunting_table import Table, about

    collection = load(directories)
    chosen = quarry(collection, selectors)
    if witnesses:
        return _crossed(chosen, Path(witnesses), as_json)
    kept = Table.read(Path(table), "parts" if parts else "hunt") if table else None
    if changed:
        if kept is None:
            raise InputError("--changed", "given", "--table FOLDER together with --changed")
        chosen = kept.stale(chosen)
    found: list[Any] = []
    hunt: Iterator[Any] = hunted(chosen, seconds, cases, seed, hypotheses, jobs)
    say: Callable[[Any], str] = _line
    summary: Callable[[list[Any]], Mapping[str, int]] = hunt_summary
    if parts:
        hunt, say, summary = altered(chosen, seconds, cases, seed, jobs), _unnoticed, parts_summary
    try:
        for item in hunt:
            found.append(item)
            if as_json:
                echo_json(item.document())
            else:
                click.echo(say(item))
    finally:  # an interruption keeps the results so far
        if kept is not None:
            how = {"seconds": None if cases else seconds, "cases": cases, "seed": seed, "hypotheses": hypotheses}
            how |= {"forms": len(found), "asked_for": len(chosen)}
            forms = list(targets(collection.claims.values(), collection.preludes))
            kept = kept.add(found, {**how, **about()}).kept(forms)
            (kept.shared(forms) if parts else kept).write()
    counted = summary(found)
    if not as_json:
        click.echo("; ".join(f"{name}: {number:,}" for name, number in counted.items()))
    if folder:
        _write_first(found, claim, folder, directories)
    return 1 if counted.get("faults") else 0


def _write_first(found: Sequence[Any], claim: str | None, folder: str, directories: Sequence[str]) -> None:
    """Write the first counterexample of a hunt as a claim."""
    from dtmodel.companion import to_claim
    from dtmodel.ledger.hunting import Found

    row = next((item.document() for item in found if isinstance(item, Found) and item.attack.counterexample), None)
    if row is None:
        raise InputError("--claim", folder, "a hunt that finds a counterexample")
    written = to_claim(row, claim or "", folder, folders=directories)
    click.echo(f"written: {', '.join(map(str, written))}", err=True)


def _unnoticed(item: Alterations) -> str:
    said = f"{item.target.claim:44} {item.target.form:8} {item.parts:5,} parts, {len(item.unnoticed):3,} not noticed"
    return "\n".join([said, *(f"    {part}" for part in item.unnoticed)])


def _crossed(chosen: list[Target], path: Path, as_json: bool) -> int:
    from dtmodel.companion.hunting import crossed
    from dtmodel.ledger.contradictions import Crossing
    from dtmodel.ledger.report import read_report

    crossing = Crossing()
    found = list(crossed(chosen, read_report(path, "--witnesses"), crossing))
    for item in found:
        if as_json:
            echo_json(item.document())
        else:
            click.echo(f"{item} ({_values(item.at)})")
    if not as_json:
        told = f"{crossing.witnesses:,} witnesses; {crossing.pairs:,} pairs with a statement about the same symbols"
        click.echo(f"{told}; {crossing.asked:,} instances; contradictions: {len(found)}")
    return 1 if found else 0


def _line(found: Found) -> str:
    attack, target = found.attack, found.target
    mark = "true " if target.recorded else "false"
    near = "" if attack.nearest is None else f", nearest miss {float(attack.nearest):.2g}"
    near += f", not reached in {attack.drawn:,} draws" if attack.vacuous else ""
    said = f"{target.claim:44} {target.form:8} {mark} {attack.tried:7,} tried{near}"
    lines = [said]
    if attack.counterexample is not None:
        lines.append(f"    fails at {_values(attack.counterexample)}: {attack.why}")
    lines += [
        f"    {need.kind}: {need.hypothesis}{f' ({_values(need.witness)})' if need.witness else ''}"
        for need in found.needs
    ]
    lines += [f"    NOT AS RECORDED: {found.fault}"] if found.fault else []
    return "\n".join(lines)


def _values(assignment: object) -> str:
    from dtmodel.ledger.evidence import jsonable

    return ", ".join(f"{name} = {value}" for name, value in jsonable(assignment).items())
