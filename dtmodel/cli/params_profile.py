"""``dtmodel params profile``: check the buffer configuration of a switch, with thresholds in bytes and packets."""

from typing import Any

import click

from dtmodel.base.errors import InputError
from dtmodel.cli.options import AnswerForm, Word, answer_forms, sheet_options
from dtmodel.cli.statuses import Status


@click.command()
@click.argument("file")
@sheet_options(
    "profile",
    chip="Reading of the file: td2, td3, th, th2, th3, th5, th6, spectrum1 to spectrum5, generic.  [default: generic]",
    packet="Packet size; the sheet then counts packets until a pause or a drop.",
    cell="Cell size of the chip, in bytes.  [default: that of the chip, else 1]",
    group='Lossless group to count, such as 3 or "Ethernet0|3".  [default: the first]',
    queue='Lossy egress queue to count, such as "Ethernet0|0".  [default: the first]',
    groups="Number of groups to fill.  [default: the lossless groups of the file]",
    overhead="Bytes that the chip stores beside each packet.",
    descriptors="Number of packets that the chip can store at most.",
    lossless_groups="Lossless groups of the whole switch, if the file has fewer.",
    leak="Packets that leave before the output is blocked; prints what to send.",
    egress_memory="Cells beside the shared memory, with --leak.",
    margin="Uncertainty of the counts in packets, with --leak.",
    fan_in="Inputs whose lossy packets go to one output.",
    cable="Length of every cable, such as 40m.  [default: CABLE_LENGTH]",
    rate="Rate of every link, and of the source of each flow, such as 100Gbps.  [default: PORT.speed]",
    frame="Largest frame in bytes.  [default: PORT.mtu, else 9216]",
    reaction="Reaction time of a sender to a pause.  [default: the pause quanta of IEEE 802.3]",
    memory="Total memory of the switch, which must hold all pools, reserves and headroom; also the size of pools "
    "that have none.",
)
@click.option("--side", type=Word(["ingress", "egress"]), default="ingress", show_default=True,
              help="Side of the switch to compute.")  # fmt: skip
@click.option("--active", multiple=True, help='A steady queue, such as "Ethernet0|3" (repeatable).  [default: all]')
@click.option("--flow", multiple=True, help='Packets into an output that both sides count: "Ethernet0|3 to '
              'Ethernet8", "3 to Ethernet8" for all other ports, or "all to Ethernet8" (repeatable).')  # fmt: skip
@click.option("--drain", multiple=True, help='Rate at which the outputs of the flows send, or "Ethernet8=50Gbps" for '
              "one (repeatable); the sources send at --rate.  [default: all outputs are blocked]")  # fmt: skip
@click.option("--fill", type=Word(["sequence", "together"]), default="sequence", show_default=True,
              help="Fill groups and flows one after another, or all at once.")  # fmt: skip
@click.option("--yaml", "as_yaml", is_flag=True, help="Print the counts as testers keep them.")
@answer_forms
def command(file: str, side: str, active: tuple[str, ...], as_yaml: bool, form: AnswerForm, **given: Any) -> int:
    """Check the buffer tables of a SONiC configuration (JSON): thresholds, reserves, headroom, packets.

    FILE is a CONFIG_DB, a dump of CONFIG_DB or APPL_DB, rendered defaults, or a pg_profile_lookup.ini. The command
    compares the headroom of each lossless queue with its cable, and the reserves with the memory. The exit status is 1
    if a check fails.
    """
    from dtmodel.cli.params import print_sheet
    from dtmodel.studies.parameter_sheets import sheet
    from dtmodel.switches.count_rows import yaml_lines
    from dtmodel.switches.tables import read_file

    if as_yaml and given["packet"] is None:
        raise InputError("--yaml", "no --packet", "a packet size to count with: --packet")
    made = sheet("profile", read_file(file), side=side, active=active, check=True, **given)
    if as_yaml:
        click.echo(yaml_lines(made.more), nl=False)
    else:
        print_sheet(made, form)
    return Status.DIFFERS if any(found.verdict == "FAIL" for found in made.checks) else Status.AS_RECORDED
