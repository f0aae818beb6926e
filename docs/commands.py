"""The pages of the command line: what click knows of each command, and examples that run while the site is built."""

import sys
from importlib import import_module

import click

from dtmodel.cli import COMMANDS

EXAMPLES: dict[str, tuple[str, ...]] = {
    "verify": ("dtmodel verify edt.eq2 edt.fn9",),
    "ledger": ("dtmodel ledger edt.thm1 edt.fn9",),
    "search": ("dtmodel search staggered bursts",),
    "show": ("dtmodel show edt.eq5",),
    "hunt": ("dtmodel hunt edt.eq5 --cases 20",),
    "new-claim": ("dtmodel new-claim first-claims", "cat first-claims/claims.toml"),
    "replay": ("dtmodel replay edt.fn9",),
    "simulate": (
        "dtmodel simulate --example dt",
        "dtmodel simulate --example dt > scenario.toml && dtmodel simulate scenario.toml",
    ),
    "trace": (
        "dtmodel trace --example losspass",
        "dtmodel trace --example losspass > trace.toml && dtmodel trace trace.toml",
    ),
    "compare": ("dtmodel compare --ports 32 --buffer 64MB --rate 100Gbps --steady 6 --policy DT --policy EDT",),
    "ratio": (
        "dtmodel ratio --policy dt:alpha=2 --ports 2 --buffer 5",
        "dtmodel ratio --policy lqd --ports 2 --buffer 6 --trace worst.csv --rounds 3",
        "dtmodel replay-trace worst.csv --ports 2 --buffer 6 --rate 1 --policy lqd",
        "dtmodel ratio --synthesize --ports 3 --buffer 5",
    ),
    "params": (
        "dtmodel params dt --ports 16 --buffer 1MB --rate 1Gbps --steady 2 --burst-rate 2Gbps",
        "dtmodel params abm --help",
    ),
    "derive": ("dtmodel derive --example", "dtmodel derive --example > family.toml && dtmodel derive family.toml"),
    "sweep": (
        "dtmodel sweep --example scenario",
        "dtmodel sweep --example scenario > grid.toml && dtmodel sweep grid.toml -o grid -j 1",
    ),
    "experiment": (
        "dtmodel experiment --example",
        "dtmodel experiment --example > gain.toml && dtmodel experiment gain.toml -j 1",
    ),
    "replay-trace": (
        "dtmodel make-trace packets.csv --ports 4 --rate 1Gbps --duration 5ms --pattern incast",
        "dtmodel replay-trace packets.csv --ports 4 --buffer 64KB --rate 1Gbps --policy dt:alpha=1 --policy lqd",
    ),
    "make-trace": ("dtmodel make-trace incast.csv --ports 4 --rate 1Gbps --duration 1ms --pattern incast",),
    "explain": (
        "printf 'time,port,queue,in,out,dropped,watermark\\n0,0,0,0,0,0,0\\n1,0,0,9,1,4,4\\n' > counters.csv",
        "dtmodel explain counters.csv --buffer 8 --alpha 1 --rate 1",
        "dtmodel explain counters.csv --buffer 10 --alpha 1 --rate 1",
    ),
    "figure": ("dtmodel figure edt.fig14",),
    "lab": ("dtmodel lab --copy-only",),
}
"""For each command what its page runs, one after the other, in a folder of their own."""

PYTHON = {
    "verify": "companion.verify",
    "ledger": "companion.claims",
    "search": "companion.search",
    "show": "companion.show",
    "hunt": "companion.hunt",
    "new-claim": "companion.new_claims",
    "replay": "companion.replay lab.errata",
    "simulate": "fluid.answer fluid.simulate",
    "trace": "packet.trace packet.stream lab.packet_player",
    "compare": "studies.compare.compare",
    "ratio": "studies.competitive.ratio studies.competitive.synthesize",
    "params": "sheet",
    "derive": "derive",
    "sweep": "studies.sweeps.sweep studies.sweeps.load_sweep",
    "experiment": "studies.sweeps.sweep",
    "replay-trace": "studies.traces.read_batches studies.traces.replay_trace studies.traces.replay_rates",
    "make-trace": "studies.traces.generated_packets studies.traces.RecordFile",
    "explain": "studies.explain.explain",
    "figure": "companion.figure",
    "lab": "",
}
"""For each command what does the same from Python; who opens the lab from Python is in Jupyter."""


def pages() -> dict[str, str]:
    """Return the pages by name: an index with budgets and exit statuses, and one page a command."""
    rows = "\n".join(f"| [dtmodel {name}]({name}.md) | {about} |" for name, about in COMMANDS.items())
    tree = "\n".join(COMMANDS)
    index = (
        "# Commands\n\nThe examples on these pages ran when the site was built; what they print is below them.\n\n"
        f"| command | does |\n|---|---|\n{rows}\n\n## Budgets and exit statuses\n\n{_run('dtmodel --help')}\n"
        f"```{{toctree}}\n:hidden:\n\n{tree}\n```\n"
    )
    return {"commands/index.md": index} | {f"commands/{name}.md": _page(name) for name in COMMANDS}


def _page(name: str) -> str:
    examples = "\n".join(map(_run, EXAMPLES[name]))
    command = import_module(f"dtmodel.cli.{name.replace('-', '_')}").command
    python = ", ".join(f"{{py:obj}}`dtmodel.{each}`" for each in PYTHON[name].split())
    return (
        f"# {name}\n\n## Examples\n\n{examples}\n"
        + (f"From Python: {python}.\n\n" if python else "")
        + "## Reference\n\n"
        f"```{{eval-rst}}\n{_reference(command, f'dtmodel {name}')}```\n"
    )


def _reference(command: click.Command, said: str) -> str:
    """Return the directives for a command and for those in it, by the names that are typed."""
    modules = {name: vars(module) for name, module in sys.modules.items() if name.startswith("dtmodel.cli")}
    (where, *_) = (f"{module}:{name}" for module, its in modules.items() for name in its if its[name] is command)
    text = f".. click:: {where}\n   :prog: {said}\n   :nested: none\n\n"
    if isinstance(command, click.Group):
        within = click.Context(command)
        for name in command.list_commands(within):
            part = command.get_command(within, name)
            text += _reference(part, f"{said} {name}") if part else ""
    return text


def _run(command: str) -> str:
    return f"```{{command-output}} {command}\n:shell:\n:cwd: /../scratch\n```\n"
