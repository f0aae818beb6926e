"""Words with LaTeX are written the same everywhere: in a terminal, and on a page that nothing hostile can enter."""

import html.parser
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtmodel.base.mathtext import html_of, pieces, text_of


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"R \leq C \left(1 + \frac{1 + \alpha N}{\alpha M}\right)", "R ≤ C (1 + (1 + α N)/(α M))"),
        (r"F_{k-1} = T^\prime", "F_(k-1) = T'"),
        (r"T^{\prime\prime} = x'", "T'' = x'"),
        (r"\tau = 0.95", "τ = 0.95"),
        (r"\min\tau_i", "min τ_i"),
        (r"\max(a,\log_2 n)", "max(a,log_2 n)"),
        (r"\max(xon, T - xon\_offset)", "max(xon, T - xon_offset)"),
        (r"\min\{a, b\} \in S", "min{a, b} ∈ S"),
        (r"\dfrac{\frac{a}{b}}{c}", "(a/b)/c"),
        (r"\frac{a + 1}{b}", "(a + 1)/b"),
        (r"\frac12", "1/2"),
        (r"x \frac{a}{b + c} y", "x (a/(b + c)) y"),
        (r"\frac{(a + 1) b}{(c + 1)}", "((a + 1) b)/(c + 1)"),
        (r"\frac{(a)(b)}{x_{ij}}", "((a)(b))/x_ij"),
        (r"\frac{ a}{ b}", "a/b"),
        (r"x_{ij} + y^{2k} + z_{1} + q^{max}", "x_ij + y^(2k) + z_1 + q^max"),
        (r"\int_0^{t_1} R", "∫_0^(t_1) R"),
        (r"d_{k}t \sum_{i=1}^M\sqrt{\mu_i + 1}", "d_k t ∑_(i=1)^M√(μ_i + 1)"),
        (r"\lceil \alpha B \rceil a\times b", "⌈α B⌉ a × b"),
        (r"5\,\mathrm{ms} \quad \text{if a_b < \{c\}}", "5 ms if a_b < {c}"),
        (r"a \bmod b \neq \infty \to \dots", "a mod b ≠ ∞ → …"),
        (r"\begin{cases} a & b \\ c \end{cases}", "a b c"),
        (r"\operatorname{ECN}(x) {\displaystyle y}", "ECN(x) y"),
    ],
)
def test_mathematics_reads_well_in_a_terminal(latex: str, text: str) -> None:
    assert text_of(f"so ${latex}$ ,  then") == f"so {text} , then"


@pytest.mark.parametrize("latex", [r"\frac{a", r"\frac{a}", "a}", r"\text{a", "x_", r"\alp{x}"])
def test_what_is_no_latex_is_left_as_it_is(latex: str) -> None:
    assert text_of(f"${latex}$").startswith(latex[:4])


def test_mathematics_stands_between_dollar_signs() -> None:
    assert list(pieces("if $n$ or $m$")) == [("if ", False), ("n", True), (" or ", False), ("m", True)]
    assert html_of("if $n$ or $m$ < 1").count("<math") == 2
    assert html_of("a < b, `x & y`") == "a &lt; b, <code>x &amp; y</code>"
    assert (text_of(""), html_of("")) == ("", "")


def test_a_page_has_the_symbols_themselves() -> None:
    maths = "<math><mi>α</mi><mo>≤</mo><mi>b</mi></math>"
    assert html_of(r"$\alpha \leq b$").endswith(maths)


HOSTILE = [
    r"$\text{<script>alert(1)</script>}$",
    r"$\text{&lt;script&gt;alert(1)&lt;/script&gt;}$",
    r"$\text{if a<b}$",
    r"$\mathrm{</math><img src=x onerror=alert(1)>}$",
    r"$\href{javascript:alert(1)}{x}$",
    r"$\href{https://elsewhere.example}{x}$",
    r"$\style{background:url(https://elsewhere.example)}{x} \class{verdict}{y}$",
    r"$\operatorname{<script>}$",
    r"$\frac{a}}<script>$",
    "<script>alert(1)</script> `<img src=x onerror=alert(1)>`",
    '<a href="javascript:alert(1)" onclick="alert(1)">x</a>',
    "$<script>$",
    r"$\<script>$",
]
MATHML = {"math", "mrow", "mi", "mo", "mn", "mtext", "mfrac", "msub", "msup", "msubsup", "mspace", "mstyle", "mtable",
          "mtr", "mtd", "msqrt", "mroot", "munder", "mover", "munderover", "mpadded", "menclose", "mphantom",
          "mmultiscripts", "mprescripts", "none", "merror"}  # fmt: skip


class Tags(html.parser.HTMLParser):
    """Collects the tags and the names of attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


def harmless(text: str) -> bool:
    """Whether a page has mathematics and code only, and no attribute that links, styles or runs."""
    found = Tags()
    found.feed(html_of(text))
    active = {name for name in found.attributes if name.startswith("on")}
    return found.tags <= MATHML | {"code"} and not active | found.attributes & {"href", "src", "style", "class", "id"}


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_hostile_reaches_the_page(text: str) -> None:
    assert harmless(text)
    ET.fromstring(f"<p>{html_of(text)}</p>")  # noqa: S314 - our own text


PARTS = [*r"\{}_^$&<>'\"abx1 ;:~`", r"\text{", r"\href{", r"\frac", r"\left(", r"\begin{", "<script>"]


@given(st.lists(st.sampled_from(PARTS), max_size=20).map("".join))
def test_no_text_breaks_the_page_or_the_writer(text: str) -> None:
    assert harmless(text)
    assert "\n" not in text_of(text)


def test_what_is_nested_too_deeply_is_left_as_it_is() -> None:
    deep = "$" + "{" * 5000 + "$"
    assert text_of(deep) == deep.strip("$")
    assert harmless(deep)


def test_a_prime_stands_beside_its_base_and_is_not_raised_twice() -> None:
    primed = html_of(r"$Q' + Q_k' + q^{\prime} + x^2$")
    assert "<mrow><mi>Q</mi><mi>′</mi></mrow>" in primed
    assert "<mrow><msub><mi>Q</mi><mi>k</mi></msub><mi>′</mi></mrow>" in primed
    assert "<mrow><mi>q</mi><mi>′</mi></mrow>" in primed
    assert "<msup><mi>x</mi><mn>2</mn></msup>" in primed


def test_a_formula_has_no_rows_that_group_nothing() -> None:
    made = html_of(r"$\frac{a}{1 + b_{i j}}$")
    assert made == (
        "<math><mfrac><mi>a</mi><mrow><mn>1</mn><mo>+</mo><msub><mi>b</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub></mrow>"
        "</mfrac></math>"
    )


def test_the_letters_of_a_word_are_one_identifier_in_mathml() -> None:
    word = r"$\mathrm{slow}_{\mathrm{drop}} + a b$"
    shown = "<math><msub><mi>slow</mi><mi>drop</mi></msub><mo>+</mo><mi>a</mi><mi>b</mi></math>"
    assert html_of(word) == shown
