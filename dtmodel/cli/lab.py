"""``dtmodel lab``: open the notebooks in JupyterLab."""

import os
import subprocess
import sys
from pathlib import Path

import click

from dtmodel.base.extras import need
from dtmodel.base.files import write_whole
from dtmodel.companion.roots import papers_root


@click.command()
@click.option("--to", "folder", default="dtmodel-notebooks", show_default=True, help="Folder for your copies.")
@click.option("--copy-only", is_flag=True, help="Copy the notebooks and do not open JupyterLab.")
@click.argument("options", nargs=-1)
def command(folder: str, copy_only: bool, options: tuple[str, ...]) -> None:
    """Copy the notebooks into a folder and open the first one in JupyterLab.

    Notebooks that the folder has already are not overwritten. Options after -- go to JupyterLab, as in
    dtmodel lab -- --no-browser --port 9000. For root, whom JupyterLab refuses by default, --allow-root is added.
    """
    if not copy_only:
        need("jupyterlab", "anywidget", "ipywidgets", "ipykernel", "matplotlib")
    target = Path(folder)
    for notebook in sorted((papers_root() / "notebooks").glob("*.ipynb")):
        if not (target / notebook.name).exists():
            write_whole(target / notebook.name, notebook.read_bytes())
        click.echo(f"{target / notebook.name}")
    if copy_only:
        return
    root = ["--allow-root"] if getattr(os, "geteuid", lambda: 1)() == 0 else []  # Windows has no geteuid
    sys.exit(
        subprocess.call([sys.executable, "-m", "jupyterlab", str(target / "00_start_here.ipynb"), *root, *options])
    )
