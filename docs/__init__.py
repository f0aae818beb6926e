"""The site: its sources, what generates its pages, what builds and what checks it (``python -m docs``)."""
