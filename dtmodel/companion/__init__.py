"""The papers' claims, evidence and figures, from Python: what the commands of the same names do.

A `selectors` argument is the id of a claim or a prefix that ends at a dot; without one all claims are meant. `folders`
are collections beside the papers'; the code in them runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["claims", "figure", "hunt", "new_claims", "replay", "show", "verify"]


def claims(*selectors: str, folders: Sequence[str | Path] = ()) -> list[dict[str, Any]]:
    """List claims: id, source, kind, statement, verdict on record, strength of its evidence, corrected.

    Parameters
    ----------
    *selectors : str
        Ids, or prefixes that end at a dot; without one: all claims.
    folders : sequence of path
        Claims of your own; the code in these folders is run.

    Raises
    ------
    InputError
        If a selector names no claim.

    Examples
    --------
    >>> [(claim["id"], claim["verdict"]) for claim in claims("edt.eq2")]
    [('edt.eq2', 'holds')]
    """
    from dtmodel.companion.roots import load
    from dtmodel.companion.running import rows

    return rows(load(folders), selectors)


def show(claim: str, folders: Sequence[str | Path] = (), *, cached: bool = True) -> list[dict[str, Any]]:
    """Return a claim, or the parts of one, with code, tests, evidence, witness, figures and Coq statements.

    Parameters
    ----------
    claim : str
        Its id, or that of an equation whose parts are claims.
    folders : sequence of path
        Claims of your own; the code in these folders is run.
    cached : bool
        Whether results of earlier runs of the same evidence are trusted.

    Raises
    ------
    InputError
        If there is no such claim, or `claim` names too many.

    Examples
    --------
    >>> (shown,) = show("edt.eq2")
    >>> shown["verdict"], shown["code"][0].partition(":")[0]
    ('holds', 'dtmodel/theory/dt/formulas.py')
    """
    from dtmodel.companion.kept import Kept
    from dtmodel.companion.showing import show_claim

    return show_claim(claim, folders, Kept(folders), cached=cached)


def new_claims(folder: str | Path, prefix: str = "mine") -> list[Path]:
    """Write two claims, one that holds and one that is false, with the evidence for their verdicts; return the files.

    Parameters
    ----------
    folder : path
        Where to; it is made if it is not there, and nothing is written over.
    prefix : str
        What the ids of the claims begin with: small letters and digits, a letter first.

    Raises
    ------
    InputError
        If the prefix has another form, a file is there already, or the folder cannot be written.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> folder = mkdtemp()
    >>> [path.name for path in new_claims(folder, "own")]
    ['claims.toml', 'evidence.py']
    >>> [(claim["id"], claim["verdict"]) for claim in claims("own.first", folders=[folder])]
    [('own.first', 'holds')]
    """
    from dtmodel.companion.beginning import begin

    return begin(Path(folder), prefix)


def verify(
    *selectors: str,
    folders: Sequence[str | Path] = (),
    jobs: int = 1,
    limit: float = 120.0,
    require: Sequence[str] = (),
    cached: bool = True,
    certificates: str | Path | None = None,
) -> dict[str, Any]:
    """Run the evidence for claims and return the report, in the form of ``dtmodel/schemas/ledger-report.json``.

    Parameters
    ----------
    selectors : str
        Which claims; all without one.
    folders : sequence of paths
        Further collections.
    jobs : int
        Worker processes.
    limit : float
        Seconds that one piece of evidence may take.
    require : sequence of {"coq", "smt", "all"}
        The engines without which it fails.
    cached : bool
        Whether results of earlier runs of the same evidence are trusted.
    certificates : path, optional
        A folder for the certificates that ``proofs/check_certificates.py`` verifies.

    Raises
    ------
    InputError
        If a selector names no claim.
    ExtraError
        If a required engine is missing.

    Examples
    --------
    >>> report = verify("edt.eq2")
    >>> report["as_recorded"], report["claims"][0]["verdict"]
    (True, 'holds')
    """
    from dtmodel.companion.made import Made
    from dtmodel.companion.roots import load
    from dtmodel.ledger.report import without_certificates

    collection = load(folders, faulty=True)
    options = {"jobs": jobs, "limit": limit, "require": require, "cached": cached}
    done = Made.of(collection).report(collection, selectors, **options)
    if certificates is not None:
        from dtmodel.companion.witnesses import EXPORTERS
        from dtmodel.ledger.certificates import export

        export(done, Path(certificates), EXPORTERS)
    return without_certificates(done)


def replay(claim: str, folders: Sequence[str | Path] = ()) -> list[dict[str, Any]]:
    """Compute the answer of a false claim's witnesses again: each with what is claimed, the answer, the fault.

    Parameters
    ----------
    claim : str
        Its id.
    folders : sequence of path
        Claims of your own; the code in these folders is run.

    Raises
    ------
    InputError
        If `claim` is not the id of a claim with a counterexample.

    Examples
    --------
    >>> [(item["kind"], item["fault"]) for item in replay("edt.fn9")]
    [('fluid', '')]
    """
    from dtmodel.companion.running import replays

    return replays(claim, folders)


def hunt(
    *selectors: str,
    folders: Sequence[str | Path] = (),
    seconds: float = 60.0,
    cases: int | None = None,
    seed: int = 0,
    hypotheses: bool = False,
    parts: bool = False,
    jobs: int = 1,
    witnesses: Mapping[str, Any] | None = None,
) -> list[dict[str, Any]]:
    """Look for instances in which what is recorded as true is false; one row for each executable form of the claims.

    Parameters
    ----------
    selectors : str
        Which claims; all without one.
    folders : sequence of paths
        Further collections.
    seconds : float
        For all together, if `cases` is not given.
    cases : int, optional
        Instances to draw for each form; the same seed then gives the same rows.
    seed : int
        The source of chance.
    hypotheses : bool
        Whether to drop each hypothesis, too, to learn whether it is needed.
    parts : bool
        Whether to alter what true forms conclude, part by part, instead of attacking them.
    jobs : int
        Worker processes.
    witnesses : mapping, optional
        A report of `verify`: ask every true form at its witnesses instead; the rows are contradictions.

    Returns
    -------
    list of dict
        Beside the claim and its form, ``"tried"`` counts the instances, ``"nearest"`` is the nearest miss,
        ``"counterexample"`` where it is false (None if nowhere); ``"fault"`` says what is not as recorded, if anything.
        With `parts` a row has the number of ``"parts"`` and those that can be altered ``"unnoticed"``.

    Raises
    ------
    InputError
        If a selector names no claim, none of them has an executable form, or a number is not of this form.
    ExtraError
        If joblib is missing.

    Examples
    --------
    >>> (row,) = hunt("edt.eq5", cases=20)
    >>> row["form"], row["recorded"], row["counterexample"], row["fault"]
    ('printed', True, None, '')
    >>> (row,) = hunt("edt.eq5", cases=20, parts=True)
    >>> row["parts"] > len(row["unnoticed"])
    True
    >>> hunt("edt.eq5", witnesses=verify("edt.eq2"))
    []
    """
    from dtmodel.companion.hunting import altered, crossed, hunted, quarry
    from dtmodel.companion.roots import load

    chosen = quarry(load(folders), selectors)
    if witnesses is not None:
        from dtmodel.ledger.contradictions import Crossing

        return [item.document() for item in crossed(chosen, witnesses, Crossing())]
    if parts:
        return [item.document() for item in altered(chosen, seconds, cases, seed, jobs)]
    return [item.document() for item in hunted(chosen, seconds, cases, seed, hypotheses, jobs)]


def figure(name: str) -> Figure:
    """Redraw a published figure, the published numbers below it.

    Parameters
    ----------
    name : str
        Its id, such as ``"edt.fig2"``.

    Raises
    ------
    InputError
        If there is no such figure.
    ExtraError
        If matplotlib is missing.

    Examples
    --------
    >>> len(figure("edt.fig2").axes) > 0
    True
    """
    from dtmodel.companion.figures import redraw

    return redraw(name).figure


@cache
def _recorded() -> dict[str, str]:
    from dtmodel.base.errors import LedgerError
    from dtmodel.companion.roots import load

    try:
        return {claim.id: str(claim.verdict) for claim in load().claims.values()}
    except LedgerError:  # a statement is shown also where the claims are not installed
        return {}


def recorded_verdict(claim: str) -> str:
    """Return the verdict on record of a claim; empty if there is no such claim, or no ledger."""
    return _recorded().get(claim, "")
