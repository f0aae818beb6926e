"""The theorems of Coq that claims rest on, in the papers' symbols: one page a file, and the sources beside them.

Made of what is pinned and of the sources, so that Coq need not be installed; only what proofs use is left out then.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from docs.hypotheses import MODEL, premises
from docs.ledger import TITLES, place
from dtmodel.companion.roots import load
from dtmodel.ledger.claim import Kernel
from dtmodel.ledger.provers import coq_pins
from dtmodel.ledger.provers.coq_project import Project
from dtmodel.ledger.provers.coq_source import Sources

_FOLDERS = {
    "Fluid": "The fluid model",
    "Engine": "The engine, and its events",
    "Near": "Packets near the fluid",
    "Levels": "Limits on several levels",
    "Ratio": "Competitive ratios",
    "Witnesses": "Runs that refute",
    "EDT": TITLES["edt"],
    "LossPass": TITLES["losspass"],
    "DynaQ": TITLES["dynaq"],
    "L2BM": TITLES["l2bm"],
}
_SIGNS = {
    "forall": "∀", "exists": "∃", "fun": "λ", "=>": "↦", "->": "→", "<->": "↔", "/\\": "∧", "\\/": "∨", "~": "¬",
    "<=": "≤", ">=": "≥", "<>": "≠", "*": "·", "nat": "ℕ", "real": "ℝ", "%nat": "", "%R": "",
}  # fmt: skip
_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "eps": "ε", "theta": "θ", "lambda": "λ", "mu": "μ",
    "rho": "ρ", "sigma": "σ", "tau": "τ", "omega": "ω",
}  # fmt: skip
_SIGN = re.compile(
    r"(?P<number>\bINR (?=[A-Za-z]))|(?P<name>[^\W\d][\w']*(?:\.[\w']+)*)|%nat|%R|<->|->|=>|<=|>=|<>|/\\|\\/|[~*]"
)
_SYMBOLS = (
    ("M, N, Z", "numbers of bursts, of ports in steady state, of quiet ports"),
    ("α, B, C, R", "DT's factor, the buffer, the rate of a link, that of a burst (of burst i, if rates differ)"),
    ("Q, D, Ar", "what queue i holds, what it loses, what arrives for it: each a function of i and of the time"),
    ("T, F", "the threshold, and the free buffer"),
    ("τ", "an instant up to which all bursts last"),
    ("INR n", "the natural number n among the real numbers; between natural numbers x - y is 0 where y is larger"),
    ("sum n f", "f 0 + ... + f (n - 1): ports count from 0, so that the paper's port k is port k - 1"),
    ("λ i : ℕ ↦ f i", "the function that gives f i for i"),
)


def readable(text: str, statement: str = "") -> str:
    r"""Write a text of Coq with the papers' symbols.

    Parameters
    ----------
    text : str
        A part of a statement.
    statement : str
        The whole, where other names may stand; by default it is the text.

    Examples
    --------
    >>> readable("forall (alpha : real) (i : nat), (i <= n)%nat -> alpha * INR n <> R0 /\\ 0 < alpha")
    '∀ (α : ℝ) (i : ℕ), (i ≤ n) → α · n ≠ R ∧ 0 < α'
    """
    words = set(re.findall(r"[\w']+", statement or text))

    def sign(found: re.Match[str]) -> str:
        if found["number"]:
            return ""
        said = found[0]
        known = _SIGNS.get(said, _GREEK.get(said))
        if known is None and re.fullmatch(r"[A-Z]0", said) and said[0] not in words:
            known = said[0]  # Coq gives a variable another name where the library has it
        return said if known is None else known

    return _SIGN.sub(sign, text)


def proving() -> dict[str, list[Kernel]]:
    """Return for each claim that rests on Coq what proves it, as its file says."""
    found: defaultdict[str, list[Kernel]] = defaultdict(list)
    for item in load().written:
        if item.kernel:
            found[item.aims[0].claims[0]].append(item.kernel)
    return dict(found)


def places(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return where in the site each theorem of these pages stands."""
    return {
        name: f"{page.removesuffix('.md')}.html#{name}"
        for page, text in files.items()
        for name in re.findall(r"(?m)^:+\{theorem\} (\S+)$", text.decode())
    }


def pages(root: Path, claims: Sequence[Mapping[str, Any]], kernel: Mapping[str, Sequence[Kernel]]) -> dict[str, bytes]:
    """Return the pages: an index, the theorems of each file, and each source.

    Parameters
    ----------
    root : Path
        The folder of the development.
    claims : sequence of mapping
        The claims of a report.
    kernel : mapping
        For each claim that rests on Coq what proves it.
    """
    pins, sources = coq_pins.read_pins(root), Sources(root)
    project = Project.read(root)
    tables = {
        path.parent.name: tomllib.loads(path.read_text(encoding="utf-8"))["hypotheses"]
        for path in sorted((root.parents[1] / "validation").glob("*/hypotheses.toml"))
    }
    users: defaultdict[str, list[tuple[Mapping[str, Any], str]]] = defaultdict(list)
    for claim in claims:
        proofs = kernel.get(claim["id"], ())
        for name in dict.fromkeys(name for item in proofs for name in item.theorems):
            users[name].append((claim, "\0".join(item.says for item in proofs if name in item.theorems)))
    modules = [name.removesuffix(".v") for name in project.files]
    files: defaultdict[str, list[str]] = defaultdict(list)
    for name, pin in pins.theorems.items():
        if users[name]:
            files[pin.module].append(name)
    found = {}
    for module, names in files.items():
        folder, last = _page(module).split("/")
        parts = [f"# {last}\n", f"{_FOLDERS[folder]}: theorems of {_link(f'../source/{module}', last)}.\n"]
        for name in names:
            uses = sources.behind(pins.theorems[name].statement, last)[1]
            html = _theorem(name, pins.theorems[name], users[name], uses, tables, modules)
            parts.append(f"::::::::{{theorem}} {name}\n{html}\n::::::::\n")
        found[f"theorems/{_page(module)}.md"] = "\n".join(parts)
    texts = {f"extra/theorems/source/{name}.txt": (root / name).read_bytes() for name in project.files}
    found["theorems/index.md"] = _index(pins, files, modules)
    return {name: text.encode() for name, text in found.items()} | texts


def _page(module: str) -> str:
    """Return where the theorems of a file stand: in the page of its name, in the first of its folders."""
    folder, *_, last = module.split("/")
    return f"{folder}/{last}"


def _theorem(
    name: str,
    pin: coq_pins.Pin,
    users: Sequence[tuple[Mapping[str, Any], str]],
    uses: Sequence[str],
    tables: Mapping[str, Mapping[str, Sequence[str]]],
    modules: Sequence[str],
) -> str:
    rows = []
    for kind, text in premises(pin.statement):
        said = escape(readable(text, pin.statement))
        if kind == "if":
            partners = {
                item
                for claim, says in users
                for item in tables.get(claim["paper"], {}).get(text, ())
                if item.startswith(MODEL) or "".join(item.split()) in "".join(says.split())
            }
            meant = "; ".join(escape(item.removeprefix(MODEL)) for item in sorted(partners))
            said += f' <span class="dim">{meant}</span>' if meant else ""
        rows.append(f'<dt>{kind}</dt><dd><span class="coq">{said}</span></dd>')
    claims = "".join(_user(claim) for claim, _ in users)
    homes = {Path(module).name: module for module in modules}
    links = ", ".join(_source(homes[use.partition(".")[0]], use.partition(".")[2]) for use in uses)
    return (
        f'<section class="theorem" id="{name}"><h2>{name}</h2>\n<dl>{"".join(rows)}</dl>\n'
        f"<p>For the claims</p>\n<ul>{claims}</ul>\n"
        f"<details><summary>As Coq reads {name}</summary><pre>{_unbroken(pin.statement)}</pre></details>\n"
        f"<p>Its proof: {_source(pin.module, name)}.{f' Its words: {links}.' if links else ''}</p></section>"
    )


def _user(claim: Mapping[str, Any]) -> str:
    own, verdict = escape(claim["id"]), claim["verdict"]
    where = f"../../ledger/{claim['paper']}/{place(claim)[0]}.html#{own}"
    said = f'<span class="verdict {verdict.replace(" ", "-")}">{escape(verdict)}</span>'
    return f'<li><a href="{where}">{own}</a> {said} <span class="dim">{escape(claim["source"])}</span></li>\n'


def _unbroken(text: str) -> str:
    """Escape a text without the empty lines at which Markdown would end the HTML."""
    return "\n".join(escape(line) for line in text.splitlines() if line.strip())


def _link(source: str, name: str) -> str:
    return f'<a href="{source}.v.txt">{name}.v</a>'


def _source(module: str, name: str) -> str:
    """Return a link to a name where it is declared, as far as a browser can go to words."""
    return f'<a href="../source/{module}.v.txt#:~:text={quote(name)}"><code>{escape(name)}</code></a>'


def _index(pins: coq_pins.Pins, files: Mapping[str, Sequence[str]], modules: Sequence[str]) -> str:
    parts, tree = list[str](), list[str]()
    for folder, title in _FOLDERS.items():
        own = [module for module in modules if module.startswith(f"{folder}/") and files.get(module)]
        rows = "\n".join(
            f"| [{module.partition('/')[2]}]({_page(module)}.md) | {len(files[module])} |" for module in own
        )
        parts.append(f"## {title}\n\n| file | theorems |\n|---|---|\n{rows}\n")
        tree += map(_page, own)
    symbols = "\n".join(f"| {sign} | {means} |" for sign, means in _SYMBOLS)
    axioms = ", ".join(f"`{axiom}`" for axiom in pins.axioms)
    sources = ", ".join(_link(f"source/{module}", module) for module in modules)
    return (
        "# Theorems in Coq\n\n"
        "What the kernel of Coq proved for the ledger: each theorem in the papers' symbols, with the claims that rest\n"
        "on it, and word for word. Beside a hypothesis stands what the claims have for it. The words of a statement\n"
        "are defined in the sources; the pins hold the statement and all that stands behind its words.\n\n"
        f"No theorem rests on an axiom other than {axioms}, which are behind the standard real numbers.\n\n"
        f"## Symbols\n\n| sign | means |\n|---|---|\n{symbols}\n\n{chr(10).join(parts)}\n"
        f"## All sources\n\n{sources}\n\n```{{toctree}}\n:hidden:\n\n{chr(10).join(tree)}\n```\n"
    )
