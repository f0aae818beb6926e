"""Numbers of benchmarks beside their bounds; `python -m benchmarks --check` fails if one is beyond its bound."""


def bounded(name: str, value: float, most: float) -> str:
    """Write a number beside its bound, in a line that the check finds if the number is beyond it.

    >>> bounded("exponent of complete sharing", 1.4, 2), bounded("share", 3, 2)
    ('exponent of complete sharing: 1.4 (at most 2)', 'beyond its bound: share: 3 (at most 2)')
    """
    return ("" if value <= most else "beyond its bound: ") + f"{name}: {value:.3g} (at most {most:g})"
