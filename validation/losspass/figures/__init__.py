"""Figures of the LossPass paper and its slides, one script each."""

UNDRAWN = {
    "fig2": "a drawing without quantities",
    "fig3": "a drawing without quantities",
    "fig4": "a figure only; the distributions that simulators share stand in dtmodel.packet.flow_sizes",
    "fig6": "needs congestion-controlled senders: flow completion times",
    "fig7": "needs congestion-controlled senders: flow completion times",
    "fig9": "needs congestion-controlled senders: flow completion times",
    "fig10": "needs congestion-controlled senders: flow completion times",
    "fig12": "needs congestion-controlled senders: flow completion times",
    "fig13": "needs congestion-controlled senders: flow completion times",
    "fig14": "needs congestion-controlled senders: flow completion times",
}
