"""Figures of the DynaQ paper, one script each."""

UNDRAWN = {
    "fig2": "a figure only; the distributions that simulators share stand in dtmodel.packet.flow_sizes",
    "fig7": "needs congestion-controlled senders: TCP beside CUBIC",
    "fig8": "needs congestion-controlled senders: flow completion times",
    "fig9": "needs congestion-controlled senders: flow completion times",
    "fig10": "needs congestion-controlled senders: flow completion times",
    "fig14": "needs congestion-controlled senders: flow completion times",
    "fig15": "needs congestion-controlled senders: flow completion times",
}
