"""Tables of text, written as CSV, Markdown, HTML or LaTeX.

- ``headings`` are those of the columns, ``rows`` the cells, as many in each row as columns.
"""

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from html import escape
from io import StringIO

from dtmodel.base.mathtext import latex_words
from dtmodel.base.units import plain

_AT_NUMBER, _TOGETHER = re.compile(r"(?<=\d) (?=[numKMGT]?(?:s|B|bps)\b)"), "\N{NO-BREAK SPACE}"


@dataclass(frozen=True)
class Cells:
    r"""A table: its `title`, its headings, and its rows.

    >>> print(Cells("Two", ("a", "b"), (("1", "x|y"),)).markdown())
    **Two**
    <BLANKLINE>
    | a | b |
    |---|---|
    | 1 | x\|y |
    """

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def without_empty(self) -> "Cells":
        """Return the table without its empty columns.

        >>> Cells("", ("a", "b"), (("", "1"),)).without_empty().headings
        ('b',)
        """
        return self._only([index for index in range(len(self.headings)) if any(row[index] for row in self.rows)])

    def without(self, *headings: str) -> "Cells":
        """Return the table without the columns under these headings.

        >>> Cells("", ("a", "b"), (("1", "2"),)).without("a").rows
        (('2',),)
        """
        return self._only([index for index, heading in enumerate(self.headings) if heading not in headings])

    def _only(self, kept: Sequence[int]) -> "Cells":
        rows = tuple(tuple(row[index] for index in kept) for row in self.rows)
        return Cells(self.title, tuple(self.headings[index] for index in kept), rows)

    def markdown(self) -> str:
        """Write the table as Markdown, the title in bold above it."""
        lines = [self.headings, ("---",) * len(self.headings), *self.rows]
        texts = ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
        texts[1] = "|" + "---|" * len(self.headings)
        return "\n".join([f"**{self.title}**", "", *texts])

    def latex(self) -> str:
        r"""Write the table as LaTeX, the title above it, without dollar signs.

        >>> print(Cells("T", ("a", "b"), (("1 %", "2"),)).latex())
        \begin{array}{ll}
        \textbf{T} \\
        \text{a} & \text{b} \\
        \text{1 \%} & \text{2}
        \end{array}
        """
        rows = [" & ".join(rf"\text{{{latex_words(cell)}}}" for cell in row) for row in (self.headings, *self.rows)]
        lines = " \\\\\n".join([rf"\textbf{{{latex_words(self.title)}}}", *rows])
        return f"\\begin{{array}}{{{'l' * len(self.headings)}}}\n{lines}\n\\end{{array}}"

    def html(self) -> str:
        r"""Write the table as HTML, the title as its caption; a number stays on one line with its unit.

        >>> Cells("T", ("a",), (("<3 KB",),)).html().partition("<tbody>")[2]
        '<tr><td>&lt;3\xa0KB</td></tr></tbody></table>'
        """
        head = "".join(f"<th>{escape(heading)}</th>" for heading in self.headings)
        cells = ([escape(_AT_NUMBER.sub(_TOGETHER, cell)) for cell in row] for row in self.rows)
        rows = ("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in cells)
        caption = f"<caption>{escape(self.title)}</caption>"
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def csv_of(headings: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    r"""Write rows under headings as CSV; None is an empty cell.

    >>> csv_of(["a", "b"], [[1, "x, y"], [None, ""]])
    'a,b\n1,"x, y"\n,\n'
    """
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows(rows)
    return out.getvalue()


def decimal_text(value: Fraction | int) -> str:
    """Write an exact number `value` as a decimal: exactly if 15 significant digits suffice, else rounded to them.

    >>> decimal_text(Fraction(1, 500)), decimal_text(Fraction(2, 3)), decimal_text(Fraction(125_000_000))
    ('0.002', '0.666666666666667', '125000000')
    """
    if value.denominator == 1:
        return plain(value)
    with localcontext(prec=15):
        return format(Decimal(value.numerator) / Decimal(value.denominator), "f")
