"""The options ``--example`` and ``--schema``, which print a sample file and the schema of the files."""

from collections.abc import Callable
from importlib.resources import files
from typing import Any

import click

from dtmodel.base.documents import choice
from dtmodel.base.schemas import schema_text


def sample_text(*place: str) -> str:
    """Return the text of a file of the package."""
    return files("dtmodel").joinpath(*place).read_text(encoding="utf-8")


def printed_and_done(option: str, texts: Callable[[str], str]) -> Callable[[click.Context, click.Parameter, Any], None]:
    """Return the callback of an option that prints the text of its value and ends the command."""

    def callback(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
        del parameter
        if value is not None:
            click.echo(texts(value), nl=False)
            context.exit()

    callback.__doc__ = f"Print the text of {option} and end."
    return callback


def sample_options(kind: str, names: tuple[str, ...], schema: str, noun: str) -> Callable[[Any], Any]:
    """Add ``--example [NAME]`` and ``--schema [NAME]`` to a command; the default is the first of the `names`.

    ``{}`` in the schema's name becomes the name of the example; `noun` stands for the names in the help, such as
    POLICY.
    """

    def example(name: str) -> str:
        return sample_text("examples", f"{kind}-{choice(name, '--example', names)}.toml")

    def described(name: str) -> str:
        return schema_text(schema.format(choice(name, "--schema", names)))

    def options(command: Any) -> Any:
        for option, texts, said in (
            ("--schema", described, "Print the JSON Schema of FILE."),
            ("--example", example, f"Print a sample FILE in TOML: {', '.join(names)}."),
        ):
            command = click.option(
                option, is_flag=False, flag_value=names[0], is_eager=True, expose_value=False, metavar=f"[{noun}]",
                callback=printed_and_done(option, texts), help=said,
            )(command)  # fmt: skip
        return command

    return options
