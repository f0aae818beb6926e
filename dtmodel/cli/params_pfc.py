"""``dtmodel params pfc``: the headroom that a paused link needs, from its cable alone."""

from dtmodel.cli.params import sheet_command

command = sheet_command(
    "pfc",
    "Compute the PFC headroom of a cable: the plain formula, the interfaces, and a vendor's rule beside them.",
    cable="Length of the cable, such as 300m.",
    rate="Rate of the link, such as 100Gbps.",
    mtu="Largest packet; its frame has 22 bytes more.",
    reaction="Reaction time of the sender.  [default: the pause quanta of the rate]",
    interface="Delay of one interface.  [default: the longest that IEEE 802.3 allows]",
    cell="Cell size of the chip, in bytes, for the vendor's rule.",
    small="Part of the packets that have 64 bytes.",
    lossless_mtu="Size of the other lossless packets.",
    mac_phy="Bytes that arrive during the delay of MAC and PHY.",
    gearbox="Bytes that arrive during the delay of one gearbox.",
    pipeline="Bytes that arrive during the delay of the pipeline.",
)
