"""The options ``--example`` and ``--schema``: a file to begin with, and what a file may hold."""

from collections.abc import Callable
from importlib.resources import files
from typing import Any

import click

from dtmodel.base.documents import choice


def sample_text(*place: str) -> str:
    """Return a file of the package.

    >>> sample_text("examples", "scenario-dt.toml").startswith("# A burst at port 0")
    True
    """
    return files("dtmodel").joinpath(*place).read_text(encoding="utf-8")


def printed_and_done(option: str, texts: Callable[[str], str]) -> Callable[[click.Context, click.Parameter, Any], None]:
    """Return the callback of an option that prints the text of its value and ends the command."""

    def callback(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
        del parameter
        if value is not None:
            click.echo(texts(value), nl=False)
            context.exit()

    callback.__doc__ = f"Answer {option} and end."
    return callback


def sample_options(kind: str, names: tuple[str, ...], schema: str, what: str) -> Callable[[Any], Any]:
    """Give a command ``--example [NAME]`` and ``--schema [NAME]``.

    `kind`: the examples are ``examples/<kind>-<name>.toml``. `names`: of what there are examples; the first is the
    default. `schema`: the schema's file, in which ``{}`` stands for the name. `what`: what the names are, for the help:
    POLICY.
    """

    def example(name: str) -> str:
        return sample_text("examples", f"{kind}-{choice(name, '--example', names)}.toml")

    def described(name: str) -> str:
        return sample_text("schemas", schema.format(choice(name, "--schema", names)))

    def options(command: Any) -> Any:
        for option, texts, said in (
            ("--schema", described, "Print the JSON Schema of a FILE."),
            ("--example", example, f"Print a FILE to begin with, in TOML: {', '.join(names)}."),
        ):
            command = click.option(
                option, is_flag=False, flag_value=names[0], is_eager=True, expose_value=False, metavar=f"[{what}]",
                callback=printed_and_done(option, texts), help=said,
            )(command)  # fmt: skip
        return command

    return options
