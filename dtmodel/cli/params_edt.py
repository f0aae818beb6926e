"""``dtmodel params edt``: cn2, TM1, TM2, cn1 and d for a switch, and the bursts that they protect."""

from dtmodel.cli.params import sheet_command

command = sheet_command(
    "edt",
    "Compute the settings of EDT for a switch: counters, timers, the longest lossless burst, and warnings.",
    ports="Number P of ports.",
    buffer="Shared buffer B, such as 1MB.",
    rate="Rate C of every port, such as 1Gbps.",
    alpha="Control parameter alpha of DT.",
    packet="Size of the packets that C2 counts, in bytes.",
    duration="Duration of most bursts, such as 10ms.  [default: B / (R_min - C)]",
    smallest_rate="Rate R_min of the smoothest burst.  [default: 2 C]",
    burst_rate="Rate R for the inverse questions.  [default: R_min]",
    port_alpha="Factor of the limit of each port, above the alpha of its queues.  [default: no limit]",
    chip="Reading of the switch, such as th: whether queues follow their port, and slices.  [default: generic]",
)
