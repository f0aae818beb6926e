"""``dtmodel params dt``: thresholds, occupancy, reserve and the first drop under Dynamic Threshold."""

from dtmodel.cli.params import sheet_command

command = sheet_command(
    "dt",
    "Compute thresholds, occupancy, free buffer and the first drop of bursts under DT.",
    ports="Number P of ports.",
    buffer="Shared buffer B, such as 1MB.",
    rate="Rate C of every port, such as 10Gbps, or of each port, with commas between; bursts reach the first ones.",
    alpha="Control parameter alpha.",
    steady="Number N of steady ports (on their thresholds).",
    bursts="Number M of empty ports that bursts reach together.",
    burst_rate="Rate R of each burst; the first drop needs it.",
)
