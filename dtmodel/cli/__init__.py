"""The command line: one module for each command, imported when the command is run."""

import contextlib
import errno
import gc
import os
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias, final

import click

from dtmodel.base import budgets
from dtmodel.base.errors import DtmodelError, ExtraError, InputError, ModelError, did_you_mean, one_of, printable
from dtmodel.base.extras import EXTRAS
from dtmodel.base.version import __version__
from dtmodel.base.workers import end_on_sigterm
from dtmodel.cli import streams
from dtmodel.cli.options import named_as_typed
from dtmodel.cli.statuses import Status, status_table

__all__ = ["LazyGroup", "main"]

Groups: TypeAlias = Mapping[str, Mapping[str, str]]
Tables: TypeAlias = dict[str, Callable[[], list[tuple[str, str]]]]

GROUPS = {
    "Ask": {
        "show": "Show one claim with everything behind its verdict.",
        "search": "Find claims, theorems, figures, notebooks and commands by topic.",
        "params": "Compute the parameters for a switch, with formulas and sources.",
        "compare": "Compare every policy on one switch and scenario.",
        "derive": "Derive a theorem from a policy and a family of scenarios.",
        "ratio": "Compute the exact competitive ratio of a policy, and the worst arrivals.",
        "explain": "Tell from sampled counters if the thresholds caused the drops.",
    },
    "Run": {
        "simulate": "Run fluid scenarios exactly.",
        "trace": "Run a packet-level algorithm on a list of events.",
        "sweep": "Run a scenario or a statement at every point of a grid.",
        "experiment": "Run policies under senders that react, in readings of TCP.",
        "make-trace": "Write a seeded trace of packets.",
        "replay-trace": "Replay a measured trace and report the drops of each policy.",
        "figure": "Redraw a published figure beside the published numbers.",
        "lab": "Open the notebooks in JupyterLab.",
    },
    "Check": {
        "verify": "Run the evidence and compare every verdict with the one on record.",
        "hunt": "Search for counterexamples to the executable statements of the ledger.",
        "replay": "Replay the witness of a claim and draw it.",
        "ledger": "List the claims, or compare two reports (ledger diff OLD NEW).",
        "new-claim": "Write two sample claims with their evidence, to start a collection.",
    },
}
"""The one-line help of each command, under the headings of ``dtmodel --help``."""

COMMANDS = {name: line for commands in GROUPS.values() for name, line in commands.items()}


@final
class LazyGroup(click.Group):
    """A group whose commands are modules of ``dtmodel.cli`` (named after `prefix`), imported only when they are run.

    `groups` maps each heading of the help to commands with their helps, `tables` each heading below to rows.
    """

    def __init__(
        self, *args: object, groups: Groups, prefix: str = "", tables: Tables | None = None, **attributes: object
    ) -> None:
        super().__init__(*args, **attributes)  # type: ignore[arg-type]  # click's own arguments, passed through
        self.groups, self.prefix, self.tables = groups, prefix, tables or {}
        self.lazy = [name for commands in groups.values() for name in commands]

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Parse the arguments; ``--help`` prints here."""
        with streams.until_reader_leaves():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command while its output is read; an `InputError` then names a field by the option that was typed."""
        with streams.until_reader_leaves():
            try:
                return super().invoke(ctx)
            except InputError as error:
                command = self.get_command(ctx, ctx.invoked_subcommand or "")
                raise (named_as_typed(error, command.params) if command else error) from error

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Return the command that is named first with its arguments; for a misspelt name the error suggests another."""
        if args[0] not in self.lazy and not args[0].startswith("-"):
            ctx.fail(f"No such command {args[0]!r}{did_you_mean(args[0], self.lazy) or ': ' + one_of(self.lazy)}.")
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the help."""
        del ctx
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command and return the command."""
        del ctx
        if cmd_name not in self.lazy:
            return None
        command: click.Command = import_module(f"dtmodel.cli.{self.prefix}{cmd_name.replace('-', '_')}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands under their headings with their one-line helps, without importing them."""
        del ctx
        widest = max(map(len, self.lazy))
        for heading, commands in self.groups.items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(widest), line) for name, line in commands.items()])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the tables under the commands."""
        del ctx
        for heading, rows in self.tables.items():
            with formatter.section(heading):
                formatter.write_dl(rows())


def _budgets() -> list[tuple[str, str]]:
    return [(f"{name}={most}", budgets.MEANINGS[name]) for name, most in budgets.DEFAULTS.items()]


_OF_THE_NAME = {errno.EEXIST, errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.ENOENT, errno.ENOTDIR}
"""The system errors that are faults of the path that the user named."""

_TABLES: Tables = {"Budgets (with their defaults)": _budgets, "Exit status": status_table}


@click.group(cls=LazyGroup, groups=GROUPS, tables=_TABLES, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--budget", "raised", multiple=True, metavar="NAME=NUMBER", help="Raise a budget (repeatable).")
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context, raised: tuple[str, ...]) -> None:
    """Check the theory of shared-memory switch buffers: DT, EDT, LossPass, DynaQ, L2BM."""
    context.with_resource(budgets.raised(**budgets.read_budgets(list(raised), "--budget")))


def main() -> None:
    """Run the command line; an error is printed as one line on standard error and sets the exit status."""
    streams.prepare()
    gc.set_threshold(50_000, 20, 20)  # at Python's default of 700, collection takes a tenth of the time
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the threads of an idle numpy would cost 0.07 s
    with end_on_sigterm():  # so that SIGTERM leaves no partial file
        sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run the command line and return the exit status; every exception ends here."""
    try:
        result = cli.main(arguments, prog_name="dtmodel", standalone_mode=False)
        sys.stdout.flush()
    except (KeyboardInterrupt, click.Abort):
        return _failed(Status.INTERRUPTED, "interrupted")
    except (BrokenPipeError, streams.UnreadError):
        streams.close(sys.stdout)
        return Status.UNREAD
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(Status.DIFFERS)
    except BaseException as error:  # noqa: BLE001  # the one place where an exception leaves
        status, message = status_of(error, arguments)
        return status if message is None else _failed(status, message)
    return result if isinstance(result, int) else Status.AS_RECORDED


def _option_of(path: Path, arguments: Sequence[str]) -> str:
    """Return the option whose value is a path or a folder around it; "path" if it was given without an option."""
    for before, word in pairwise(["", *arguments]):
        option, _, value = word.partition("=") if word.startswith("--") else (before, "", word)
        if value and path.is_relative_to(value):
            return option if option.startswith("--") else "path"
    return "path"


def status_of(error: BaseException, arguments: Sequence[str] = ()) -> tuple[int, str | None]:
    """Return the exit status for an exception with its message; None if click has printed the message.

    The field of an error about a path is the option among the `arguments` that gave the path.
    """
    match error:
        case click.exceptions.Exit():
            return error.exit_code, None
        case click.exceptions.NoArgsIsHelpError():
            error.show()
            return Status.BAD_INPUT, None
        case click.ClickException():
            context = error.ctx if isinstance(error, click.UsageError) else None
            hint = f" (see {context.command_path} --help)" if context else ""
            return Status.BAD_INPUT, f"error: {_brief(error.format_message())}{hint}"
        case InputError():
            return Status.BAD_INPUT, f"error: {error}"
        case ExtraError():
            return Status.MISSING_EXTRA, f"error: {error}"
        case ModuleNotFoundError() if (package := (error.name or "").partition(".")[0]) in EXTRAS:
            return Status.MISSING_EXTRA, f"error: {ExtraError(package, EXTRAS[package])}"
        case ModelError():
            return Status.INTERNAL, _internal(error)
        case DtmodelError():
            return Status.DIFFERS, f"error: {error}"
        case OSError() if error.errno in _OF_THE_NAME and error.filename is not None:
            field = _option_of(Path(str(error.filename)), arguments)
            named = InputError(field, str(error.filename), f"a place that can be read or written ({error.strerror})")
            return Status.BAD_INPUT, f"error: {named}"
        case OSError():
            return Status.SYSTEM, f"error: {error.strerror or error}: {error.filename or 'while writing the answer'}"
        case MemoryError():
            return Status.SYSTEM, "error: not enough memory"
    return Status.INTERNAL, _internal(error)


def _brief(message: str) -> str:
    """Cut the middle out of a message of more than 500 characters."""
    return message if len(message) <= 500 else f"{message[:200]}...{message[-200:]}"


def _internal(error: BaseException) -> str:
    """Describe a fault of the package: its type, its place, and how to report it."""
    if os.environ.get("DTMODEL_TRACEBACK"):
        return "".join(traceback.format_exception(error))
    *_, last = traceback.extract_tb(error.__traceback__)
    where = f"{'/'.join(Path(last.filename).parts[-2:])}, line {last.lineno}"
    return (
        f"internal error: {type(error).__name__}: {str(error)[:500]} ({where})\n"
        "This is a fault of dtmodel. Please report it with the command, its input, and the output "
        "of the command when DTMODEL_TRACEBACK=1 is set."
    )


def _failed(status: int, message: str) -> int:
    """Flush the output, then print the message on standard error."""
    streams.flush()
    with contextlib.suppress(OSError):
        click.echo("\n".join(map(printable, message.split("\n"))), err=True)
    streams.flush()
    return status
