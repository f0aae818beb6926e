"""Figures of the L2BM paper, one script each."""

UNDRAWN = {
    "fig1": "a drawing without quantities",
    "fig3": "needs congestion-controlled senders: DCTCP and DCQCN",
    "fig5": "a drawing without quantities",
    "fig6": "a drawing of the topology",
    "fig8": "needs congestion-controlled senders: DCTCP and DCQCN",
    "fig9": "needs congestion-controlled senders: flow completion times",
    "fig10": "needs congestion-controlled senders: flow completion times",
    "fig11": "needs congestion-controlled senders: flow completion times",
}
