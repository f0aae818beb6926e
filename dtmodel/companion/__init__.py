"""Functions for the claims, evidence and figures of the papers; the commands of these names call them.

- ``selectors`` are ids of claims, or prefixes that end at a dot; without selectors all claims are selected.
- ``folders`` are folders with claims of your own; the code in them runs.
- ``jobs`` is the number of worker processes.
- ``cached`` allows results of earlier runs of the evidence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from dtmodel.ledger import Agrees, Counterexample, Outcome
    from dtmodel.theorems import Theorem

__all__ = ["claims", "counterexample_claim", "derived_claim", "figure", "hunt", "new_claims", "replay", "search",
           "show", "sweep_claim", "theorem", "to_claim", "verify"]  # fmt: skip


def claims(*selectors: str, folders: Sequence[str | Path] = ()) -> list[dict[str, Any]]:
    """List claims: id, source, kind, caption, statement, verdict on record, strength of the evidence, correcting claim.

    Raises `InputError` if a selector names no claim.

    >>> [(claim["id"], claim["verdict"]) for claim in claims("edt.eq2")]
    [('edt.eq2', 'holds')]
    """
    from dtmodel.companion.reports import with_statements
    from dtmodel.companion.roots import load
    from dtmodel.companion.running import rows

    return rows(with_statements(load(folders)), selectors)


def search(
    words: str, kinds: Sequence[str] = (), most: int = 10, folders: Sequence[str | Path] = ()
) -> list[dict[str, Any]]:
    """Find claims, theorems, figures, notebooks, guides and commands about a topic, the best match first.

    Parameters
    ----------
    words : str
        The topic, such as ``"fairness"`` or ``"staggered bursts"``; forms of a word and common synonyms match too.
    kinds : sequence of {"claim", "theorem", "figure", "notebook", "guide", "command"}
        The kinds to search; all if empty. A claim whose statement is in `dtmodel.theory` is a theorem.
    most : int
        The largest number of results.

    Returns
    -------
    list of dict
        Rows with kind, id, text, the ways to ``"see"`` more, verdict on record (None if it is not a claim), source and
        score.

    Raises
    ------
    InputError
        If `words` has no word that can be searched, a kind does not exist, or `most` is not positive.

    Examples
    --------
    >>> best = search("staggered bursts", kinds=["claim"])[0]
    >>> best["id"], best["verdict"], best["see"]
    ('edt.eq73@staggered', 'refuted', ['dtmodel show edt.eq73@staggered'])
    """
    from dtmodel.companion.searching import found

    return found(words, kinds, most, folders)


def show(claim: str, folders: Sequence[str | Path] = (), *, cached: bool = True) -> list[dict[str, Any]]:
    """Return a claim, or the parts of an equation, with code, tests, evidence, witness, figures and Coq statements.

    `claim`: the id of a claim, or of an equation whose parts are claims; ``"eq47"`` or ``"47"`` if one paper alone has
    it. Raises `InputError` if `claim` names no claim, or more than eight.

    >>> (shown,) = show("edt.eq2")
    >>> shown["verdict"], shown["code"][0].partition(":")[0]
    ('holds', 'dtmodel/theory/dt/formulas.py')
    """
    from dtmodel.companion.answer_cache import AnswerCache
    from dtmodel.companion.claim_view import show_claim

    return show_claim(claim, folders, AnswerCache(folders), cached=cached)


def theorem(claim: str, folders: Sequence[str | Path] = ()) -> Theorem:
    """Return the theorem that a claim states: a statement of `dtmodel.theory`, or a derived one from its family.

    `claim`: the id; a comparison of policies has the theorem of the first. Raises `InputError` if the claim does not
    exist, or has neither a statement nor a family.

    >>> theorem("edt.thm1").evaluate(alpha=1, B=6, C=1, M=1, N=2, R=2).first_drop
    Fraction(3, 2)
    """
    from dtmodel.companion.deriving import theorem_of

    return theorem_of(claim, folders, lambda: claims(claim, folders=folders)[0])


def new_claims(folder: str | Path, prefix: str = "mine") -> list[Path]:
    """Write two claims, one that holds and one that is false, with the evidence for their verdicts; return the files.

    `folder`: the folder for the files; it is created if necessary, and no file is overwritten. `prefix`: the first part
    of the ids: lower-case letters and digits, beginning with a letter. Raises `InputError` if the prefix has another
    form, a file exists already, or the folder cannot be written.

    >>> from tempfile import mkdtemp
    >>> folder = mkdtemp()
    >>> [path.name for path in new_claims(folder, "own")]
    ['claims.toml', 'evidence.py']
    >>> [(claim["id"], claim["verdict"]) for claim in claims("own.first", folders=[folder])]
    [('own.first', 'holds')]
    """
    from dtmodel.companion.sample_claims import write_sample_claims

    return write_sample_claims(Path(folder), prefix)


def derived_claim(claim: str, file: str) -> Outcome:
    """Prove a claim that `dtmodel.derive.DerivedTheorem.to_claim` wrote: the body of its evidence.

    The theorem of the family beside the evidence is derived again, the formulas of the claim are compared with it, the
    kept certificate is verified by a checker of its own, and the statement is run at random instances. `claim` is the
    id of the claim, `file` the ``__file__`` of the evidence. Raises `AssertionError` with the fault.

    >>> from tempfile import mkdtemp
    >>> from dtmodel.derive import derive
    >>> theorem = derive({"symbols": {"B": "> 0", "C": "> 0", "R": "> C"}, "policy": {"name": "complete"},
    ...     "switch": {"buffer": "B", "rate": "C"}, "queues": [{"arrivals": [["0", "R"]]}], "ask": [{"first_drop": 0}]})
    >>> files = theorem.to_claim("mine.sharing", mkdtemp())
    >>> derived_claim("mine.sharing", str(files[1])).detail.partition(":")[0]
    'certificate verified'
    """
    from dtmodel.companion.deriving import derived_claim

    return derived_claim(claim, file)


def counterexample_claim(claim: str, file: str) -> Counterexample:
    """Evaluate a refuted claim that `to_claim` wrote at its instance, with the exact engine: the body of its evidence.

    `claim` is the id of the claim, `file` the ``__file__`` of the evidence. Raises `AssertionError` if the statement is
    not false there.

    >>> from tempfile import mkdtemp
    >>> (row,) = hunt("edt.fn9", cases=50)
    >>> files = to_claim(row, "mine.rate", mkdtemp())
    >>> counterexample_claim("mine.rate", str(files[1])).witness.says.partition(" at ")[0]
    'the conclusion fails'
    """
    from dtmodel.companion.found_claims import counterexample

    return counterexample(claim, file)


def sweep_claim(claim: str, file: str) -> Agrees:
    """Compute the point of a sweep in a claim that `to_claim` wrote again: the body of its evidence.

    `claim` is the id of the claim, `file` the ``__file__`` of its evidence. `AssertionError` is raised if a result
    differs.

    >>> from tempfile import mkdtemp
    >>> scenario = {"switch": {"ports": 1, "buffer": 6, "rate": 1}, "policy": {"name": "dt"}, "until": 9,
    ...             "queues": [{"arrivals": [[0, 3]]}]}
    >>> grid = {"scenario": scenario, "axes": {"alpha": {"set": "policy.alpha", "values": [1, 2]}}}
    >>> files = to_claim(grid, "mine.point", mkdtemp(), at={"alpha": 2})
    >>> sweep_claim("mine.point", str(files[1])).cases
    1
    """
    from dtmodel.companion.found_claims import point

    return point(claim, file)


def to_claim(
    found: Mapping[str, Any],
    claim: str,
    folder: str | Path,
    at: Mapping[str, Any] | None = None,
    folders: Sequence[str | Path] = (),
) -> list[Path]:
    """Write a claim into a folder, with evidence that `verify` runs: a counterexample, or a point of a sweep.

    Parameters
    ----------
    found : mapping
        A row of `hunt` with a counterexample, or the document of a sweep.
    claim : str
        The id of the new claim, such as ``"mine.counterexample"``.
    folder : path
        The folder; it is created if necessary, and no claim is overwritten.
    at : mapping, optional
        For a sweep: a value of each axis.

    Raises
    ------
    InputError
        If the row has no counterexample, `at` names no point of the sweep, or the id is taken.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> (row,) = hunt("edt.fn9", cases=50)
    >>> [path.name for path in to_claim(row, "mine.rate", mkdtemp())]
    ['claims.toml', 'evidence.py']
    """
    from dtmodel.companion.found_claims import write_found

    return write_found(found, claim, Path(folder), at, folders)


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
    limit : float
        The time limit for one piece of evidence, in seconds.
    require : sequence of {"coq", "smt", "all"}
        The engines that must be installed.
    certificates : path, optional
        A folder for certificates, which ``proofs/check_certificates.py`` can check.

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
    from dtmodel.companion.reports import ReportMaker
    from dtmodel.companion.roots import load
    from dtmodel.ledger.report import without_certificates

    collection = load(folders, faulty=True)
    options = {"jobs": jobs, "limit": limit, "require": require, "cached": cached}
    done = ReportMaker.of(collection).report(collection, selectors, **options)
    if certificates is not None:
        from dtmodel.companion.witnesses import EXPORTERS
        from dtmodel.ledger.certificates import export

        export(done, Path(certificates), EXPORTERS)
    return without_certificates(done)


def replay(claim: str, folders: Sequence[str | Path] = ()) -> list[dict[str, Any]]:
    """Replay the witnesses of a false claim: each with the claimed and the computed answer, and any fault.

    `claim`: the id of the claim. Raises `InputError` if `claim` is not the id of a claim with a counterexample.

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
    """Search for counterexamples to the executable statements of claims; return one row for each statement.

    Parameters
    ----------
    seconds : float
        The time for all statements together; without effect if `cases` is given.
    cases : int, optional
        The number of random instances for each statement; the rows then depend only on the seed.
    seed : int
        The seed of the random instances.
    hypotheses : bool
        Whether to repeat the search without each hypothesis in turn, to find hypotheses that are not needed.
    parts : bool
        Whether to search for parts of true conclusions that no instance tests, in place of counterexamples.
    witnesses : mapping, optional
        A report of `verify`: evaluate every true statement at its witnesses; the rows are contradictions.

    Returns
    -------
    list of dict
        Rows with the claim, the form of the statement, the number of instances ``"tried"``, the ``"nearest"`` miss,
        a ``"counterexample"`` or None, and a ``"fault"`` if the result differs from the record. With `parts` a row has
        the number of ``"parts"`` and the list of those that change ``"unnoticed"``.

    Raises
    ------
    InputError
        If a selector names no claim, no selected claim has an executable statement, or an option is out of range.
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
    """Redraw a published figure, with a table of the published numbers below it.

    `name`: the id of the figure, such as ``"edt.fig2"``. Raises `InputError` if the figure does not exist or is not
    drawn. Raises `ExtraError` if matplotlib is missing.

    >>> len(figure("edt.fig2").axes) > 0
    True
    """
    from dtmodel.companion.figures import redraw

    return redraw(name).figure


@cache
def _recorded() -> dict[str, str]:
    from dtmodel.base.errors import LedgerError
    from dtmodel.companion.roots import papers_root
    from dtmodel.ledger.manifest import verdicts

    try:
        return verdicts(papers_root() / "validation" / "manifest.txt")
    except LedgerError:  # statements can be shown without the ledger
        return {}


def recorded_verdict(claim: str) -> str:
    """Return the verdict on record of a claim; empty if the claim or the ledger does not exist."""
    return _recorded().get(claim, "")
