"""Options that several commands share, and the types of their values."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import reduce, wraps
from inspect import Parameter
from pathlib import Path
from typing import Any, Literal, cast, final

import click

from dtmodel.base.errors import MISSING, InputError, one_of

AnswerForm = Literal["json", "csv", "markdown"] | None
"""The form of an answer; None if it is text for people."""


@final
class SecondsRange(click.FloatRange):
    """A range of seconds, at most 1e9."""

    name = "number of seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Convert a text into seconds; fail if they are not in the range."""
        seconds: float = super().convert(value, param, ctx)
        if not seconds <= 1e9:
            self.fail(f"{value!r} is not a number of seconds up to 1e9.", param, ctx)
        return seconds


@final
class Word(click.Choice[str]):
    """A choice whose error message suggests the nearest word."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Return the error message for a value that is not one of the choices."""
        del ctx
        return f"got {value!r}; expected {one_of(self.choices, value)}"


_PART_OF = {"priorities": "queues", "drains": "queues", "queue": "active"}
"""Parameters of functions whose values a command reads from another option, each with that option's name."""


def named_as_typed(error: InputError, parameters: Sequence[click.Parameter]) -> InputError:
    """Return an error in which a parameter of a function is replaced by the option that sets it.

    >>> option = click.Option(["--policy", "among"], multiple=True)
    >>> print(named_as_typed(InputError("among[1]", "DR", "one of DT, EDT"), [option]))
    --policy: got 'DR'; expected one of DT, EDT
    """
    options = {
        name: option
        for option in parameters
        if isinstance(option, click.Option) and not option.is_flag
        for name in (option.name, option.opts[-1].removeprefix("--"))
    }

    def typed(match: re.Match[str]) -> str:
        option = options.get(match[1]) or options.get(_PART_OF.get(match[1], ""))
        return match[0] if option is None else max(option.opts, key=len) + ("" if option.multiple else match[2] or "")

    parts = [re.sub(r"^(?:switch\.)?([\w-]+)(\[\d+\])?", typed, part) for part in error.field.split(" + ")]
    return type(error)(" + ".join(parts), error.value, error.accepted)


collection_option = click.option(
    "--collection",
    "directories",
    multiple=True,
    metavar="FOLDER",
    help="Add the claims in FOLDER (this runs the code in it).",
)


def claim_options(says: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the options ``--claim FOLDER`` and ``--id ID`` to a command; `says` is the object that becomes a claim."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        named = click.option(
            "--id", "claim", metavar="ID", help="With --claim: the id of the claim, as mine.staggered."
        )
        helps = f"Write {says} as a claim into FOLDER, with its evidence."
        return click.option("--claim", "folder", metavar="FOLDER", help=helps)(named(command))

    return add


def both_or_neither(folder: str | None, claim: str | None) -> None:
    """Raise `InputError` if one of the options ``--claim`` and ``--id`` is given without the other."""
    if (folder is None) != (claim is None):
        raise InputError("--id" if folder else "--claim", MISSING, "--claim FOLDER together with --id ID")


def one_form(**asked: bool) -> AnswerForm:
    """Return the form of an answer that is `asked` for; raise `InputError` if it is asked for in two forms."""
    forms = [form for form, wanted in asked.items() if wanted]
    if len(forms) > 1:
        raise InputError(f"--{forms[1]}", f"--{forms[0]}", f"one of --{' and --'.join(forms)}")
    return cast("AnswerForm", forms[0] if forms else None)


def picture_option(name: str, says: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return an option for the file of a picture, which `says` what is drawn; it refuses other files."""

    def read(_: click.Context, option: click.Parameter, value: str | None) -> Path | None:
        if value is None:
            return None
        if Path(value).suffix.lower() not in (".png", ".pdf", ".svg"):
            raise InputError(option.opts[0], value, "a file whose name ends in .png, .pdf or .svg")
        return Path(value)

    return click.option(name, callback=read, metavar="FILE", help=says)


def sheet_options(system: str, **helps: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add options for settings of a system's sheet, each with its help; the sheet itself gives their defaults."""
    from dtmodel.studies.parameter_sheets import settings

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        known = settings(system)
        for name, says in reversed(helps.items()):
            default = known[name].default
            stands: dict[str, Any] = {"default": str(default), "show_default": True}
            if default is None or default is Parameter.empty:
                stands = {"required": default is Parameter.empty}
            kind = int if known[name].annotation in _WHOLE else str
            command = click.option(f"--{name.replace('_', '-')}", type=kind, help=says, **stands)(command)
        return command

    return add


_WHOLE = (int, int | None, "int", "int | None")
"""The annotations of settings that are whole numbers."""


def pairs_of(option: str, texts: Iterable[str], form: str = "NAME=VALUE") -> dict[str, str]:
    """Return the names and values of an option whose values have a `form` such as NAME=VALUE; no name comes twice."""
    from dtmodel.base.documents import unique_keys

    pairs = [text.partition("=") for text in texts]
    for text, equals, _ in pairs:
        if not equals:
            raise InputError(option, text, form)
    return unique_keys([(name.strip(), value.strip()) for name, _, value in pairs], option)


def answer_forms(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options ``--json``, ``--csv`` and ``--markdown`` to a command; they set its argument `form`."""
    helps = {
        "markdown": "Print tables in Markdown.",
        "csv": "Print CSV, quantities as decimals in base units.",
        "json": "Print JSON, quantities as exact fractions.",
    }

    @wraps(command)
    def in_form(**given: Any) -> Any:
        form = one_form(**{name: given.pop(f"as_{name}") for name in reversed(helps)})
        return command(form=form, **given)

    options = (click.option(f"--{name}", f"as_{name}", is_flag=True, help=says) for name, says in helps.items())
    return reduce(lambda made, option: option(made), options, in_form)
