"""The mathematics that is shown of a statement is read back as the expression that is run, for every construct."""

import ast
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from ledger_cases import paper_forms
from mathematics_reader import Reader, UnreadableError, patterns

from dtmodel.base.errors import InputError
from dtmodel.base.expressions import binds, evaluate, free_names, parse
from dtmodel.base.mathtext import symbol_of, text_of
from dtmodel.companion.words import VOCABULARY
from dtmodel.ledger import formal_text
from dtmodel.ledger.formal import read_formal
from dtmodel.ledger.statement import statement

WORDS = patterns({name: word.phrase for name, word in VOCABULARY.items() if hasattr(word, "phrase")})
ATOMS = ("a", "lost", "t1", "F_", "2", "0.5", "never", "None", '"sum"', "i", "a[1]", "a[i]", "x.held")
KINDS = (
    "{} + {}", "{} - {}", "{} * {}", "{} / {}", "{} // {}", "{} % {}", "{} ** {}", "{} .. {}", "-{}", "+{}",
    "not {}", "{} and {}", "{} or {}", "{} if {} else {}", "{} < {}", "{} == {} <= {}", "{} in {}", "[{}, {}]",
    "{}[{}]", "{}.held", "f({}, {})", "f({}, until={})", "approx({}, {})", "min({}, {}, {})", "max(i, 1..a, {})",
    "sum(i, {} .. {}, {})", "prod(i, [{}], {})", "each(i, {}, {})", "some(i, 1..{}, {})", "count(i, {}, {})",
    "list(i, {}, {})", "drop({}, {})", "growth({}, {}, {})", "losing({}, {}, {})",
)  # fmt: skip
"""A construct for each way to stand in others."""
OBSERVABLES = ("F", "Q", "T", r"\mathrm{lost}", r"\mathrm{sent}")
OTHERS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
"""The sign with which a relation is denied."""
BINDERS = ("each", "some", "count", "sum", "prod", "min", "max", "list")
CONSTRUCTS = (
    *KINDS, "{} <= {}", "{} > {}", "{} >= {}", "{} == {}", "{} != {}", "{} not in {}", "{} and {} and {}", "[{}]",
    "({}, {})", "{}[{}][{}]", "f({})", "two_words({})", "f(until={})", "f({}, t_1={}, cn2={})", "sum({})", "len({})",
    "abs({})", "floor({})", "ceil({})", "min(a, {}, {})", "max(i, {}, {})", "drop({}, {}, {})",
    "drop({}, {}, until={})", "losing({}, {}, until={})",
    *(f"{name}({', '.join(['{}'] * places)})" for name in ("min", "max") for places in (1, 2, 3, 4)),
    *(f"{name}(i, {domain}, {{}})" for name in BINDERS for domain in ("{} .. {}", "[{}, {}]", "list(j, 1..a, {})")),
    *(f"{name}({', '.join(['{}'] * places)})" for name, places, _ in WORDS),
)  # fmt: skip
"""Every form of expression; its places take others in parentheses."""


def tree(text: str) -> object:
    """An expression without its spaces, its parentheses and the letters of its bound variables."""
    return _tree(parse(text).tree, {})


def _tree(node: object, bound: dict[str, int]) -> object:
    match node:
        case ast.Call(args=[_, domain, body]) if name := binds(node):
            inside = _tree(body, {**bound, name: 1 + max(bound.values(), default=0)})
            return ("binder", ast.unparse(node.func), _tree(domain, bound), inside)
        case ast.Name(id=name) if name in bound:
            return ("bound", bound[name])
        case ast.Constant(value=value):
            return ("constant", value if isinstance(value, bool | str) else str(value))
        case ast.BinOp(left=left, op=ast.FloorDiv(), right=right):  # a // b is written as the floor of a / b
            quotient = ast.BinOp(left, ast.Div(), right)
            return _tree(ast.Call(ast.Name("floor"), [quotient], []), bound)
        case ast.UnaryOp(op=ast.Not(), operand=ast.Compare(left=left, ops=[op], comparators=[right])):  # by its sign
            return ("Compare", _tree(left, bound), (_tree(OTHERS[type(op)](), bound),), (_tree(right, bound),))
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return ("list", *(_tree(item, bound) for item in items))
        case ast.AST():
            parts = [_tree(value, bound) for name, value in ast.iter_fields(node) if name != "ctx"]
            return (type(node).__name__, *parts)
        case list():
            return tuple(_tree(item, bound) for item in node)
    return node


def filled(construct: str, *parts: str) -> str:
    return construct.format(*(part if part.isidentifier() else f"({part})" for part in parts))


def plain(construct: str) -> str:
    """The construct with an atom in each of its places."""
    return filled(construct, *"abcd"[: construct.count("{}")])


def nested(constructs: Sequence[str]) -> Iterator[str]:
    """Yield each construct, and each atom, in each place of each construct."""
    for outer in constructs:
        for place, inner in product(range(outer.count("{}")), (*ATOMS, *map(plain, constructs))):
            parts = list("abcd"[: outer.count("{}")])
            parts[place] = inner
            yield filled(outer, *parts)


def drawn(random: Random, depth: int) -> str:
    """An expression of random constructs."""
    if depth == 0 or random.random() < 0.1:
        return random.choice(ATOMS)
    construct = random.choice(CONSTRUCTS)
    return filled(construct, *(drawn(random, depth - 1) for _ in range(construct.count("{}"))))


def names_in(text: str) -> dict[str, str]:
    """The name of each symbol, if they differ; a bound variable may have any letter."""
    names = {node.id for node in ast.walk(parse(text).tree) if isinstance(node, ast.Name)} - {"never"}
    primed = {f"{{{symbol_of(name)}^{{\\prime}}}}": name for name in names if symbol_of(name) in OBSERVABLES}
    return {letter: letter for letter in "ijklmnpqrsuvw"} | {symbol_of(name): name for name in names} | primed


def misread(text: str, writer: ModuleType = formal_text) -> str:
    """What is read in the mathematics of an expression, if that is another one."""
    latex = writer.latex(parse(text), VOCABULARY)
    try:
        said = Reader(latex, names_in(text), WORDS).whole()
        return "" if tree(said) == tree(text) else f"{text}: {latex}: {said}"
    except (UnreadableError, IndexError, ValueError, InputError) as error:
        return f"{text}: {latex}: {error!r}"


def test_every_construct_and_every_atom_is_read_back() -> None:
    assert [fault for text in (*ATOMS, *map(plain, CONSTRUCTS)) if (fault := misread(text))] == []


def test_every_construct_in_every_place_of_every_other_is_read_back() -> None:
    assert [fault for text in nested(KINDS) if (fault := misread(text))] == []


def test_expressions_of_many_constructs_are_read_back() -> None:
    random = Random(35)
    assert [fault for _ in range(300) if (fault := misread(drawn(random, 3)))] == []


@pytest.mark.exhaustive
def test_all_pairs_of_constructs_and_many_deep_expressions_are_read_back() -> None:
    random = Random(1)
    texts = [*nested(CONSTRUCTS), *(drawn(random, 4) for _ in range(10_000))]
    assert [fault for text in texts if (fault := misread(text))] == []


def test_different_expressions_are_written_differently_as_latex_and_as_text() -> None:
    written: dict[str, set[object]] = {}
    for text in nested(KINDS):
        latex = formal_text.latex(parse(text), VOCABULARY)
        for shown in (latex, text_of(f"${latex}$")):
            written.setdefault(shown, set()).add(tree(text))
    assert {shown: trees for shown, trees in written.items() if len(trees) > 1} == {}


def test_minima_of_three_values_are_functions_and_those_over_a_range_have_an_index() -> None:
    assert formal_text.latex(parse("min(C, x - C, y - C)")) == r"\min(C, x - C, y - C)"
    assert formal_text.latex(parse("min(i, 1..3, d[i])")) == r"\min_{1 \leq i \leq 3} d_{i}"


def test_names_and_elements_that_would_look_alike_are_told_apart() -> None:
    assert formal_text.latex(parse("t1 + t_1 + t[1] + t[2]")) == r"t_{1} + {t_{1}^{\prime}} + t[1] + t_{2}"
    assert formal_text.latex(parse("T_v + T[v][i]")) == "T_{v} + T[v]_{i}"
    assert formal_text.latex(parse("F_ + rho_")) == r"{F^{\prime}} + {\rho^{\prime}}"


def test_a_bound_variable_does_not_have_the_symbol_of_a_name() -> None:
    assert formal_text.latex(parse("i + sum(i, 1..3, x[i]*i)")) == r"i + (\sum_{j = 1}^{3} x_{j} j)"
    assert formal_text.latex(parse("sum(i, 1..3, sum(i, 1..i, x[i]))")) == r"\sum_{i = 1}^{3} (\sum_{j = 1}^{i} x_{j})"
    text = "for k : int 1..3; seq s[k] = 0 if k == 0 else s[k - 1] + k; run x = dt([], until = 1)\n"
    text += "on k of x: k > 1; then s[k] > k"
    said = statement(read_formal(text))
    assert r"Let $s_{i} = 0 \text{ if } i = 0\text{, else } s_{i - 1} + i$." in said
    assert said.endswith("Then at each event $i$ such that $i > 1$: $s_{i} > i$.")


@pytest.mark.parametrize(
    ("text", "shown"),
    [("F + free(x, t)", "F"), ("T[2]*threshold_growth(x, 1, t)", "T"), ("Q - growth(x, 1, t)", "Q"),
     ("lost[2] + lost(x, 1)", r"\mathrm{lost}"), ("sent + sent(x, 1)", r"\mathrm{sent}")],
)  # fmt: skip
def test_a_name_with_the_letter_of_an_observable_has_a_prime(text: str, shown: str) -> None:
    assert formal_text.latex(parse(text), VOCABULARY).startswith(rf"{{{shown}^{{\prime}}}}")
    assert not formal_text.latex(parse(text.split(maxsplit=1)[0].partition("*")[0]), VOCABULARY).startswith("{")


def test_domains_of_lists_have_an_index_of_their_own() -> None:
    text = 'for i : int 1..3; j : int >= 1; R : list(i) > 0; w : list(2) oneof "in", "in, out"'
    text += '; then R[i] > j or w[1] == "in"'
    shown = "Let $1 \\leq i \\leq 3$ and $j \\geq 1$ be whole, and let $R_{k} > 0$ for $1 \\leq k \\leq i$. "
    shown += 'Let $w_{k}$ be $\\text{"in"}$ or $\\text{"in, out"}$ for $1 \\leq k \\leq 2$. '
    shown += 'Then either $R_{i} > j$ or $w_{1} = \\text{"in"}$.'
    assert statement(read_formal(text)) == shown
    assert r"let $a, b > 0$ and $x > a \land x > b$" in statement(
        read_formal("for a > 0; b > 0; a < x > b; then x > 0")
    ).replace("Let", "let")


def test_settings_of_calls_are_shown() -> None:
    assert formal_text.latex(parse("drop(x, 1, until = 3)"), VOCABULARY) == r"\mathrm{drop}(x, 1; \mathrm{until} = 3)"
    said = statement(read_formal("for x > 0; run y = dt(x, [x]); run z = dt([x, x], until = x); then y > z"))
    assert said.startswith(
        r"Let $y$ be $\mathrm{dt}(x, [x])$. Let $z$ be $\mathrm{dt}([x, x]; \mathrm{until} = x)$. Let $x > 0$."
    )


def test_a_function_of_three_values_binds_no_name_that_nothing_declares() -> None:
    assert free_names(parse("max(a, Q(x, 1, t), c)")) == {"a", "x", "t", "c"}
    assert free_names(parse("each(i, 1..i, x[i] > 0)")) == {"i", "x"}
    with pytest.raises(InputError, match="slip"):
        read_formal("for x > 0; then max(slip, Q(x, 1, x), x) > 0")
    assert evaluate(parse("max(a, f(a), 2)"), {"a": Fraction(1)}, {"f": lambda a: 5 * a}) == 5


@pytest.mark.parametrize("text", ["'a\"b'", "'$'", "'a\\\\b'", "'{'"])
def test_words_with_signs_of_latex_are_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse(text)


def test_all_recorded_forms_are_read_back_and_different_ones_are_shown_differently() -> None:
    shown: dict[str, set[object]] = {}
    texts: set[str] = set()
    for target in paper_forms():
        formal = target.formal
        said = [*formal.values.values(), *(body for _, body in formal.sequences.values()), *formal.conclusions]
        texts |= {each.text for each in (*said, *(hypothesis.relation for hypothesis in formal.hypotheses))}
        text = text_of(statement(formal, VOCABULARY))
        parts = [tree(each.relation.text) for each in formal.hypotheses]
        shown.setdefault(text, set()).add((*parts, *(tree(each.text) for each in formal.conclusions)))
    assert [text for text, forms in shown.items() if len(forms) > 1] == []
    assert [fault for text in sorted(texts) if (fault := misread(text))] == []
    assert (len(shown), len(texts)) > (600, 3_000)


ALTERATIONS = (
    ('self.write(right, Level.PRODUCT)}", Level.SUM', 'self.write(right, Level.SUM)}", Level.SUM'),
    ("_product(self.write(left, Level.PRODUCT)", "_product(self.write(left, Level.SUM)"),
    ("self.write(right, Level.POWER)), Level.PRODUCT", "self.write(right, Level.PRODUCT)), Level.PRODUCT"),
    ('return r"{} \\bmod {}".format(*sides), Level.MODULO', 'return r"{} \\bmod {}".format(*sides), Level.PRODUCT'),
    ("{self.write(left, Level.ATOM)}^", "{self.write(left, Level.POWER)}^"),
    ("self.write(operand, Level.PRODUCT), Level.SUM", "self.write(operand, Level.SUM), Level.SUM"),
    ('self.write(operand, Level.RANGE)}", Level.NOT', 'self.write(operand, Level.OR)}", Level.NOT'),
    ("Level(own + 1)", "own"),
    ("parts = [self.write(node.left, Level.RANGE)]", "parts = [self.write(node.left, Level.RELATION)]"),
    ("self.write(body, Level.OR), self.write(test", "self.write(body), self.write(test"),
    ('{self.write(body, Level.NOT)}", Level.ANY', '{self.write(body, Level.NOT)}", Level.AND'),
    ('{self.write(body, Level.PRODUCT)}", Level.SUM', '{self.write(body)}", Level.SUM'),
    ("binds(node)", "binds(node) or (name in ('min', 'max') and len(args) == 3 and getattr(args[0], 'id', ''))"),
    ("SHOWN[SIGNS[type(op)]]", 'SHOWN[SIGNS[type(op)].replace("<=", "<")]'),
    ('sign = "+" if isinstance(op, ast.Add) else "-"', 'sign = "+"'),
    ("and not keywords:\n            return self._phrase", "and True:\n            return self._phrase"),
    ('written = "; ".join([self._listed(args), *filter(None, [", ".join(settings)])])', "written = self._listed(args)"),
    ('r" \\approx ".join(sides), Level.RELATION', 'r" \\approx ".join(sides), Level.ATOM'),
    ('return r"\\text{never}"', 'return r"\\infty"'),
    ('return f"{text}[{index}]" if indexed in self.symbols.values() else indexed', "return indexed"),
    ('return rf"({self.write(body)})_{{{members}}}", Level.POWER', "return self.write(body), Level.POWER"),
    ('Level.ATOM if text.endswith(")") else Level.POWER', "Level.ATOM"),
    ("return text, Level.WORDS", "return text, Level.ATOM"),
    ("return self.atom if spec", "return self.text if spec"),
    ('return rf"{first} \\cdot {second}" if _TOUCHING', 'return rf"{first} {second}" if _TOUCHING'),
    ('.rjust(places + 1, "0")', ""),
    ("return quoted(text)", 'return rf"\\text{{{text}}}"'),
)  # fmt: skip
"""What the writer does, and what it would do wrong."""


@pytest.mark.parametrize(("right", "wrong"), ALTERATIONS)
def test_a_writer_that_is_altered_is_misread(monkeypatch: pytest.MonkeyPatch, right: str, wrong: str) -> None:
    source = Path(formal_text.__file__).read_text(encoding="utf-8")
    assert source.count(right) == 1
    writer = ModuleType("altered_writer")
    monkeypatch.setitem(sys.modules, "altered_writer", writer)
    exec(compile(source.replace(right, wrong), "altered_writer", "exec"), vars(writer))  # noqa: S102 - our own source
    told = ["t1 + t[1]", "0.05", "drop(x, 1, until=2)", "lost(x, 1)**2", *nested(KINDS)]
    assert any(misread(text, writer) for text in told)
