"""The command line: one module a command, loaded when the command is run."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click

from dtmodel.errors import DtmodelError, InputError

__all__ = ["LazyGroup", "main"]

COMMANDS = {
    "verify": "Run the evidence and compare every verdict with the one on record.",
    "ledger": "List the claims, or compare two reports (ledger diff OLD NEW).",
    "show": "Show one claim with everything behind its verdict.",
    "hunt": "Attack the executable statements of the ledger.",
    "replay": "Replay the witness of a claim and draw it.",
    "simulate": "Run fluid scenarios exactly.",
    "trace": "Run a packet-level algorithm on a list of events.",
    "params": "Work out the parameters for a given switch.",
    "figure": "Redraw a published figure beside the published numbers.",
    "lab": "Open the notebooks in JupyterLab.",
}


_EXTRAS = {
    "sympy": "theory",
    "matplotlib": "plot",
    "numpy": "plot",
    "joblib": "ledger",
    "jinja2": "ledger",
    "jupyterlab": "lab",
}
"""The packages that a command may miss, and the extra that brings each."""


class LazyGroup(click.Group):
    """A group whose commands are modules of ``dtmodel.cli``, imported only when they are run.

    Parameters
    ----------
    lazy : dict
        For each command its one-line help.
    prefix : str
        What precedes the command's name in its module's name.
    """

    def __init__(self, *args: object, lazy: dict[str, str], prefix: str = "", **attributes: object) -> None:
        super().__init__(*args, **attributes)  # type: ignore[arg-type]  # click's own arguments, passed through
        self.lazy, self.prefix = lazy, prefix

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the help."""
        del ctx
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command and return the command."""
        del ctx
        if cmd_name not in self.lazy:
            return None
        command: click.Command = import_module(f"dtmodel.cli.{self.prefix}{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands with their one-line helps, without importing them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(self.lazy.items()))


@click.group(cls=LazyGroup, lazy=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="dtmodel", message="%(prog)s %(version)s")
def cli() -> None:
    """Check the theory of shared-memory switch buffers: DT, EDT, LossPass, DynaQ, L2BM."""


def main() -> None:
    """Run the command line; errors become one line on standard error and an exit status."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run the command line and return the exit status: 0 as recorded, 1 a check failed, 2 bad input."""
    try:
        result = cli.main(arguments, prog_name="dtmodel", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return 2
    except click.ClickException as error:
        hint = f" (see {error.ctx.command_path} --help)" if isinstance(error, click.UsageError) and error.ctx else ""
        click.echo(f"error: {error.format_message()}{hint}", err=True)
        return 2
    except InputError as error:
        click.echo(f"error: {error}", err=True)
        return 2
    except DtmodelError as error:
        click.echo(f"error: {error}", err=True)
        return 1
    except ModuleNotFoundError as error:
        extra = _EXTRAS.get((error.name or "").partition(".")[0])
        if extra is None:
            raise
        click.echo(f"error: this needs {error.name}: pip install 'dtmodel[{extra}]'", err=True)
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        return 130
    return result if isinstance(result, int) else 0
