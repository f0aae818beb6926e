"""The pages of kept results: what long runs found, with their commands, versions and commits."""

from pathlib import Path


def pages(folder: Path) -> dict[str, str]:
    """Return a page for each table in the folder, as it was written there, and an index."""
    found = {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.md"))}
    rows = "\n".join(
        f"| [{text.partition(chr(10))[0].lstrip('# ')}]({name}.md) | `{name}` |" for name, text in found.items()
    )
    tree = "\n".join(found)
    index = (
        "# Results of long runs\n\n"
        "Kept in `validation/results/`, each with the command that made it, versions and the commit.\n\n"
        f"| table | file |\n|---|---|\n{rows}\n\n```{{toctree}}\n:hidden:\n\n{tree}\n```\n"
    )
    return {"results/index.md": index} | {f"results/{name}.md": text for name, text in found.items()}
