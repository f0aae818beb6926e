"""What Sphinx is told; `docs.build` lays these sources and the generated pages together and runs it."""

import os
import sys
from pathlib import Path

import dtmodel

os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
os.environ["COLUMNS"] = "90"

project, author, release = "dtmodel", "The dtmodel authors", dtmodel.__version__
copyright = author  # noqa: A001  # Sphinx's name for it
extensions = [
    "sphinx.ext.autodoc",
    "numpydoc",
    "myst_nb",
    "sphinx_click",
    "sphinxcontrib.programoutput",
    "docs.extension",
]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb"}
default_role = "py:obj"
python_display_short_literal_types = True
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # numpydoc has the types
numpydoc_show_class_members = False
myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "cache"
nb_execution_cache_path = os.environ["DTMODEL_SITE_NOTEBOOKS"]
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_merge_streams = True
nb_ipywidgets_js: dict[str, dict[str, str]] = {}  # pictures stand for widgets: nothing is fetched
nb_mime_priority_overrides = [
    ("html", "application/vnd.jupyter.widget-view+json", None),
    ("html", "image/svg+xml", 0),
    ("html", "image/png", 1),
]
programoutput_prompt_template = "$ {command}\n{output}"

html_theme = "furo"
html_title = f"dtmodel {release}"
html_math_renderer = "mathml"
html_static_path = ["_static"]
html_css_files = ["claims.css", "site.css"]
html_js_files = ["open.js", "site.js", "cells.js"]
html_copy_source = False
html_show_search_summary = False  # it would read pages, which a browser forbids to what is opened from disk
html_extra_path = ["extra"]
html_theme_options = {"navigation_with_keys": False}
templates_path = ["_templates"]
suppress_warnings = ["mystnb.unknown_mime_type"]
