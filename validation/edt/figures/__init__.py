"""Figures of the DT/EDT paper, one script each."""

UNDRAWN = {
    "fig1b": "a drawing without quantities",
    "fig1c": "a drawing without quantities",
    "fig8": "a block diagram without quantities",
    "fig9": "a circuit diagram without quantities; what it does is in edt.fig7 and in the packet engine",
    "fig19": "needs congestion-controlled senders",
    "fig20": "needs congestion-controlled senders",
    "fig21": "a drawing of the software switch without quantities",
    "fig23": "needs congestion-controlled senders: flow completion times",
}
