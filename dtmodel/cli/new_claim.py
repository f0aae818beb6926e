"""``dtmodel new-claim``: a folder with claims of one's own and their evidence, ready to be changed."""

import re
from pathlib import Path

import click

from dtmodel.cli.samples import sample_text
from dtmodel.errors import InputError

_PREFIX = re.compile(r"[a-z][a-z0-9]*")
_FILES = {"claims.toml": "claim.toml", "evidence.py": "claim.py.txt"}
"""The files that are written, and the examples that they are."""


@click.command()
@click.argument("folder", metavar="FOLDER")
@click.option("--prefix", default="mine", show_default=True, help="What the ids of the claims begin with.")
def command(folder: str, prefix: str) -> None:
    """Write two claims into FOLDER, one that holds and one that is false, with the evidence for their verdicts.

    Then: dtmodel verify --collection FOLDER --only-collection
    """
    if not _PREFIX.fullmatch(prefix):
        raise InputError("--prefix", prefix, "small letters and digits, a letter first")
    targets = {Path(folder) / name: example for name, example in _FILES.items()}
    for target in targets:
        if target.exists():
            raise InputError("FOLDER", str(target), "a folder without this file: nothing is written over")
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for target, example in targets.items():
            target.write_text(sample_text("examples", example).replace("mine.", f"{prefix}."), encoding="utf-8")
    except OSError as error:
        raise InputError("FOLDER", folder, f"a folder that can be written ({error.strerror})") from error
    click.echo(f"written: {', '.join(map(str, targets))}")
    click.echo(f"now run: dtmodel verify --collection {folder} --only-collection")
