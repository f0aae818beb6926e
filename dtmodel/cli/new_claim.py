"""``dtmodel new-claim``: write a folder with sample claims and their evidence."""

import click


@click.command()
@click.argument("folder", metavar="FOLDER")
@click.option("--prefix", default="mine", show_default=True, help="First part of the ids of the claims.")
def command(folder: str, prefix: str) -> None:
    """Write two claims into FOLDER, one that holds and one that is false, with the evidence for their verdicts.

    Then: dtmodel verify --collection FOLDER --only-collection
    """
    from dtmodel.companion import new_claims

    click.echo(f"written: {', '.join(map(str, new_claims(folder, prefix)))}")
    click.echo(f"now run: dtmodel verify --collection {folder} --only-collection")
