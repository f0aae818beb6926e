"""``dtmodel lab``: open the notebooks in JupyterLab, or the panels in a browser."""

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
@click.option("--serve", is_flag=True, help="Serve the panels, live in the browser, at an address of this machine.")
@click.option("--port", default=0, type=click.IntRange(0, 65535), help="Port of --serve.  [default: a free one]")
@click.option("--single-file", metavar="FILE", help="Write one page with all panels, live and offline (28 MB).")
@click.option("--without-sympy", is_flag=True, help="Leave panels that need SymPy out of --single-file (16 MB).")
@click.argument("options", nargs=-1)
def command(
    folder: str,
    copy_only: bool,
    serve: bool,
    port: int,
    single_file: str | None,
    without_sympy: bool,
    options: tuple[str, ...],
) -> None:
    """Copy the notebooks into a folder and open the first one in JupyterLab.

    Notebooks that the folder has already are not overwritten. Options after -- go to JupyterLab, as in
    dtmodel lab -- --no-browser --port 9000. For root, whom JupyterLab refuses by default, --allow-root is added. With
    --serve or --single-file the package itself runs in the browser; both need Node.js, and once the network.
    """
    if without_sympy and not single_file:
        raise click.UsageError("--without-sympy needs --single-file")
    if serve or single_file:
        from dtmodel.lab import serving

        if single_file:
            missing = serving.write_single(Path(single_file), sympy=not without_sympy)
            click.echo(single_file)
            for title in missing:
                click.echo(f"left out, because it needs SymPy: {title}", err=True)
        if serve:
            serving.serve(port, click.echo)
        return
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
