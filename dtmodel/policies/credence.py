"""Credence (NSDI 2024): FollowLQD with predictions and a safeguard; predictions are a trace's, or all alike."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from dtmodel.base.units import Quantity
from dtmodel.policies.admission import Account, Admission
from dtmodel.policies.followlqd import Follower
from dtmodel.policies.parameters import PolicyParameter
from dtmodel.policies.policy import Configured, WithoutThresholds
from dtmodel.policies.setting import PolicySetting


@final
@dataclass(frozen=True, init=False)
class Credence(WithoutThresholds):
    """Credence, with packets only: it follows a virtual switch under LQD, as `FollowLQD` does.

    A packet that fits enters while no queue holds B / N, the safeguard; else if its queue is then not longer than its
    virtual queue and the prediction is that LQD sends it. Predictions of a trained model are a column of the trace;
    the other two readings always predict alike.

    Parameters
    ----------
    prediction : {"sent", "lost", "trace"}
        The prediction for each packet: LQD sends it, or loses it; or the mark of the packet in the trace, 1 if LQD
        sends it and 0 if not.
    rate : quantity
        The rate C of each port in bytes per second; 1 by default, for unit packets in slots.

    Raises
    ------
    InputError
        If a value is not accepted.

    Examples
    --------
    >>> from dtmodel import ratio
    >>> [str(ratio(Credence(prediction), ports=2, buffer=4).ratio) for prediction in ("sent", "lost")]
    ['2', '2']
    """

    prediction: str
    rate: Fraction
    parameters = (
        PolicyParameter("prediction", "word", default="sent", words=("sent", "lost", "trace")),
        PolicyParameter("rate", "number", default=1),
    )
    by_name = True

    def __init__(self, prediction: str = "sent", rate: Quantity = 1) -> None:
        self._take(prediction=prediction, rate=rate)

    def admission(self, ports: int, buffer: Any, account: Account) -> Admission:
        """Return an admission with the virtual switch, the safeguard and the prediction."""
        rate = float(self.rate) if type(buffer) is float else self.rate
        trusted = None if self.prediction == "trace" else self.prediction == "sent"
        return Follower(buffer, rate, [0] * ports, guarded=True, trusted=trusted)

    @classmethod
    def for_switch(cls, setting: PolicySetting) -> tuple[Configured]:
        """Return a variant without a fluid policy, whose note gives the reason."""
        note = "packets only: its thresholds are lengths under LQD, which pushes out (dtmodel replay-trace runs it)"
        said = "every packet is predicted to be sent"
        return (Configured("Credence", said, None, note=note, packets=cls("sent", setting.rate)),)
