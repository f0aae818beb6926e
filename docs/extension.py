"""What Sphinx learns for the site: formulas as MathML, by the one writer of mathematics, and claims, to find by id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast, final

from docutils import nodes
from sphinx.domains.std import StandardDomain
from sphinx.util.docutils import SphinxDirective

from dtmodel.base.mathtext import html_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx


@final
class _NamedDirective(SphinxDirective):  # type: ignore[misc]  # Any, where Sphinx is not installed
    """A claim, or a theorem, as HTML; its id is found by the search and by the role of the same name."""

    has_content = True
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Register the name and put the HTML on the page."""
        (name,) = self.arguments
        known = cast("StandardDomain", self.env.domains.standard_domain)
        known.note_object(self.name.removeprefix("std:"), name, name, self.get_location())
        return [nodes.raw("", "\n".join(self.content), format="html")]


def _inline(writer: Any, node: nodes.math) -> None:
    writer.body.append(html_of(f"${node.astext()}$"))
    raise nodes.SkipNode


def _block(writer: Any, node: nodes.math_block) -> None:
    maths = html_of(f"${node.astext()}$", display=True)
    writer.body.append(f'<div class="formula">{maths}</div>\n')
    raise nodes.SkipNode


def _rubrics(_app: object, what: str, _name: str, _member: object, _options: object, lines: list[str]) -> None:
    """Make a heading in a module's docstring one that many on a page may have."""
    if what == "module":
        for number in [number for number, line in enumerate(lines) if number and line and not line.strip("-")]:
            lines[number - 1 : number + 1] = [f".. rubric:: {lines[number - 1]}", ""]


def _branch(_app: object, _page: str, _template: str, context: dict[str, Any], _tree: object) -> None:
    """Let the navigation unfold only the branch of its page: a whole tree on each page takes most of a build's time."""
    if whole := context.get("toctree"):
        context["toctree"] = lambda **options: whole(**options | {"collapse": True})


def _levels(_app: object, _page: str, _template: str, context: dict[str, Any], _tree: object) -> None:
    """Give the captions of the theme's navigation, which it calls headings, the level that a heading has."""
    tree = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')


def _execute(app: Sphinx) -> None:
    """Execute notebooks and guides on all processors, and keep the outputs where the reader of pages looks for them."""
    from jupyter_cache import get_cache
    from jupyter_cache.executors import load_executor

    kept = get_cache(app.config.nb_execution_cache_path)
    for path in app.srcdir.rglob("*.ipynb"):
        kept.add_nb_to_project(str(path))
    for path in app.srcdir.rglob("*.md"):
        if "\nfile_format: mystnb\n" in path.read_text(encoding="utf-8"):
            kept.add_nb_to_project(str(path), read_data={"type": "plugin", "name": "myst_nb_md"})
    load_executor("local-parallel", kept).run_and_cache(timeout=app.config.nb_execution_timeout)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register what is in this module."""
    app.add_html_math_renderer("mathml", inline_renderers=(_inline, None), block_renderers=(_block, None))
    for kind in ("claim", "theorem"):
        app.add_object_type(kind, kind, objname=kind)
        app.add_directive_to_domain("std", kind, _NamedDirective, override=True)
    app.connect("builder-inited", _execute)
    app.connect("autodoc-process-docstring", _rubrics, priority=100)
    app.connect("html-page-context", _branch, priority=100)  # before the theme
    app.connect("html-page-context", _levels, priority=900)  # after the theme
    return {"parallel_read_safe": True, "parallel_write_safe": True}
