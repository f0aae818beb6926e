"""Polynomials and their quotients in mathematical notation: as text that `language` reads, and as LaTeX."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from dtmodel.base import units
from dtmodel.base.mathtext import symbol_of
from dtmodel.derive.algebra.domain import Domain, Slack
from dtmodel.derive.algebra.language import Term
from dtmodel.derive.algebra.number import Field, Key, Polynomial, Ratio, factors_of, fraction_at, key_of

_SUM, _PRODUCT, _ATOM = 0, 1, 2
LATEX = {"==": "=", "!=": r"\neq", ">": ">", ">=": r"\geq", "<": "<", "<=": r"\leq"}
"""Each relation in LaTeX."""
_FEW = 12  # with at most this many terms, every way to collect them is tried


@dataclass(frozen=True)
class _Text:
    """A text and the precedence of its outermost operator."""

    text: str
    binds: int


class Writer:
    r"""Writes polynomials in the slacks and units of a domain with the domain's symbols, as text or as `latex`."""

    def __init__(self, domain: Domain, *, latex: bool = False) -> None:
        self.given, self.domain, self.latex = domain, domain.without_multiples(), latex
        bounded = [slack for slack in self.domain.slacks if slack.bound is not None]
        self.slacks: dict[str, Slack] = {s.name: s for s in bounded if s.name in self.domain.outer.names}
        symbols = [slack.symbol for slack in self.domain.slacks]
        self._long = self._chains()
        self.field = Field(
            [*symbols, *(name for name in self.slacks if name not in symbols), *(f"{name}_" for name in self._long)]
        )
        self._order = {name: place for place, name in enumerate(self.field.names)}
        declared = [self._declared(name) for name in self.field.names]
        self._known: dict[Key, _Text] = {}
        self._lines: dict[tuple[Key, str], tuple[Ratio, Ratio] | None] = {}
        self._places = sorted(range(len(declared)), key=declared.__getitem__)

    def _declared(self, name: str) -> int:
        """Return the position of the symbol of a name of the field in the declarations."""
        slack = self.slacks.get(name) or self.slacks.get(name.removesuffix("_"))
        return self._order[name if slack is None else slack.symbol]

    def _chains(self) -> dict[str, tuple[list[str], str, Term]]:
        """For each slack above another slack: the slacks below it, its symbol, and the lowest bound."""
        chains: dict[str, tuple[list[str], str, Term]] = {}
        below = {slack.symbol: slack for slack in self.slacks.values()}
        for name, slack in self.slacks.items():
            steps: list[str] = []
            bound = slack.bound
            while bound is not None and bound.text in below:
                lower = below[bound.text]
                steps.append(lower.name)
                bound = lower.bound
            if steps and bound is not None:
                chains[name] = (steps, slack.symbol, bound)
        return chains

    def polynomial(self, poly: Polynomial, point: Sequence[Fraction] | None = None) -> str:
        """Write a polynomial up to a positive factor; its factors are positive at a point."""
        if self.domain is not self.given:
            poly = self.domain.without_positive(self._moved(Ratio(self.given.outer, poly, self.given.outer.one)).top)
        number, pieces = self._factored(poly, self._place_of(point))
        text = self._product(1 if number else 0, pieces)
        return text.text if number >= 0 else f"-{_within(text, _PRODUCT)}"

    def ratio(self, ratio: Ratio, point: Sequence[Fraction] | None = None) -> str:
        """Write a rational function of the outer field, where that is not longer as a sum: C (2 + 1/alpha).

        Its factors are positive at a point.
        """
        ratio, point = self._moved(ratio), self._place_of(point)
        return min([*self._split(ratio, point), self._quotient(ratio, point)], key=len)

    def _split(self, ratio: Ratio, point: Sequence[Fraction] | None) -> Iterator[str]:
        """Yield a quotient as a sum, for a whole number, or each symbol whose terms the denominator divides."""
        field, rows = ratio.field, [tuple(map(int, powers)) for powers in ratio.top.monoms()]
        if len(rows) < 2 or ratio.bottom.is_constant():
            return
        common = Ratio(field, field.context.from_dict({tuple(map(min, *rows)): 1}), field.one)
        inner, before = ratio / common, self._quotient(common, None) + (" " if self.latex else "*")
        parts = [field.context.from_dict({p: c for p, c in inner.top.terms() if p[k]}) for k in range(len(rows[0]))]
        times = min(max(int(inner.top[p]), 0) // int(c) if c > 0 else 0 for p, c in inner.bottom.terms())
        for part in [inner.bottom * times, *parts]:
            whole = field.ratio(part, inner.bottom)
            if part and whole.bottom.is_constant() and (rest := inner - whole):
                text = self._added(whole, rest, point)
                yield text if common == 1 else before + self._group(_Text(text, _SUM))

    def _added(self, first: Ratio, second: Ratio, point: Sequence[Fraction] | None) -> str:
        """Write a sum of two rational functions."""
        texts = sorted((self._quotient(each, point) for each in (first, second)), key=lambda text: text[0] == "-")
        return f"{texts[0]} - {texts[1][1:]}" if texts[1][0] == "-" else f"{texts[0]} + {texts[1]}"

    def _quotient(self, ratio: Ratio, point: Sequence[Fraction] | None) -> str:
        (number, over), (divisor, under) = (self._factored(poly, point) for poly in (ratio.top, ratio.bottom))
        number, minus = abs(number / divisor), "-" if number * divisor < 0 else ""
        above, below = self._product(number.numerator, over), self._product(number.denominator, under)
        if below.text == "1":
            return f"{minus}{_within(above, _PRODUCT) if minus else above.text}"
        return f"{minus}{self._fraction(above, below).text}"

    def _fraction(self, above: _Text, below: _Text) -> _Text:
        if self.latex:
            return _Text(rf"\frac{{{above.text}}}{{{below.text}}}", _ATOM)
        return _Text(f"{_within(above, _PRODUCT)}/{_within(below, _ATOM)}", _PRODUCT)

    def solved(
        self,
        poly: Polynomial,
        relation: str,
        symbol: str,
        known: Sequence[tuple[Polynomial, str]],
        point: Sequence[Fraction] | None = None,
    ) -> str | None:
        """Write a relation of a polynomial to 0 as a bound of a symbol, with factors that are positive at a point.

        None if it is not linear in the symbol, or its coefficient's sign does not follow from declarations and `known`.
        """
        place = (key_of(poly), symbol)
        if place not in self._lines:
            self._lines[place] = self._line(poly, symbol)
        if (line := self._lines[place]) is None:
            return None
        rest, slope = line
        sign = _known_sign(self.given, slope.top * slope.bottom, known)
        if not sign:
            return None
        turned = relation if sign > 0 else {">": "<", ">=": "<="}.get(relation, relation)
        shown = LATEX[turned] if self.latex else turned
        return f"{self._symbol(symbol)} {shown} {self.ratio(-rest / slope, point)}"

    def _line(self, poly: Polynomial, symbol: str) -> tuple[Ratio, Ratio] | None:
        """Return the rest and the slope of a polynomial that is linear in a symbol; None if it is not."""
        domain, names = self.given, [slack.symbol for slack in self.given.slacks]
        field = Field(names)
        whole = Ratio(domain.outer, poly, domain.outer.one)
        plain = whole.replaced(domain.slack_values({name: field.symbol(name) for name in names}), field)
        place = names.index(symbol)
        if not plain.bottom.is_constant() or int(plain.top.degrees()[place]) != 1:
            return None
        parts: list[dict[tuple[int, ...], int]] = [{}, {}]
        for powers, factor in plain.top.terms():
            row = tuple(int(p) for p in powers)
            parts[row[place]][(*row[:place], 0, *row[place + 1 :])] = int(factor)
        rest, slope = (Ratio(field, field.context.from_dict(part), field.one) for part in parts)
        return rest.replaced(domain.outside(), domain.outer), slope.replaced(domain.outside(), domain.outer)

    def _moved(self, ratio: Ratio) -> Ratio:
        """Replace slacks that are multiples by their symbols."""
        if self.domain is self.given:
            return ratio
        return ratio.replaced(self.given.slack_values(self.domain.outside()), self.domain.outer)

    def _place_of(self, point: Sequence[Fraction] | None) -> Sequence[Fraction] | None:
        if self.domain is self.given or point is None:
            return point
        values = self.given.symbol_values(dict(zip(self.given.outer.names, point, strict=True)))
        named = self.domain.slack_values(values)
        return [named[name] for name in self.domain.outer.names]

    def _factored(
        self, poly: Polynomial, point: Sequence[Fraction] | None
    ) -> tuple[Fraction, list[tuple[Polynomial, int]]]:
        """Return a number, and each factor with its power, in its shortest form and positive at the point."""
        if poly.is_zero():
            return Fraction(0), []
        content, factors = factors_of(poly)
        number, pieces = Fraction(content), []
        alone = len(factors) == 1 and factors[0][1] == 1
        for factor, power in factors:
            turned = _orientation(factor, point) or ((1 if content > 0 else -1) if alone else 1)
            short = self._shortest(factor * turned)
            above = abs(factors_of(short.top)[0])
            number *= Fraction(turned * above, int(short.bottom.leading_coefficient())) ** power
            pieces.append((short.top / above, power))
        return number, pieces

    def _product(self, number: int, factors: Iterable[tuple[Polynomial, int]]) -> _Text:
        pieces = sorted(((self._place(f), self._tree(f), n) for f, n in factors), key=lambda piece: piece[0])
        if len(pieces) == 1 and number == 1 and pieces[0][2] == 1:
            return pieces[0][1]
        parts = [self._raised(text, power) for _, text, power in pieces]
        if number != 1 or not parts:
            parts.insert(0, units.plain(number))
        return _Text((" " if self.latex else "*").join(parts), _PRODUCT if len(parts) > 1 else _ATOM)

    def _shortest(self, poly: Polynomial) -> Ratio:
        """Replace slacks by R - C where that makes the polynomial shorter; the result is divided by a number."""
        symbols = {name: self.field.symbol(name) for name in self.field.names}
        chosen = {name: symbols[name] for name in self.domain.outer.names}
        whole = Ratio(self.domain.outer, poly, self.domain.outer.one)
        best = whole.replaced(chosen, self.field)
        for name, slack in reversed(self.slacks.items()):
            assert slack.bound is not None
            bound = self.field(0) + slack.bound.value(symbols)
            for form in self._forms(name, symbols[slack.symbol] - bound):
                trial = chosen | {name: form}
                other = whole.replaced(trial, self.field)
                less = _size(other.top) < _size(best.top) + (not slack.bound.names)  # M - 2 rather than (M - 1) - 1
                if less and other.bottom.is_constant():
                    chosen, best = trial, other
        return best

    def _shorter(self, poly: Polynomial) -> Polynomial:
        """Replace slacks by R - C in a part of the polynomial: C + (R - C) becomes R."""
        symbols = {name: self.field.symbol(name) for name in self.field.names}
        best = Ratio(self.field, poly, self.field.one)
        for name, whole in self._whole.items():
            other = best.replaced(symbols | {name: whole}, self.field)
            best = min(best, other, key=lambda each: _size(each.top)) if other.bottom.is_one() else best
        return best.top

    @cached_property
    def _whole(self) -> dict[str, Ratio]:
        """Each slack as its symbol less the bound, starting with those above others."""
        symbols = {name: self.field.symbol(name) for name in self.field.names}
        return {
            name: symbols[slack.symbol] - (self.field(0) + slack.bound.value(symbols))
            for name, slack in reversed(self.slacks.items())
            if slack.bound is not None
        }

    def _opened(self, poly: Polynomial) -> Polynomial | None:
        """Return a linear polynomial with its slacks written out; None if it has none or is not linear."""
        symbols = {name: self.field.symbol(name) for name in self.field.names}
        forms = {
            f"{name}_": symbols[symbol] - (self.field(0) + bound.value(symbols))
            for name, (_, symbol, bound) in self._long.items()
        } | self._whole
        slacks = [place for place, name in enumerate(self.field.names) if name in forms]
        rows = [[int(p) for p in powers] for powers in poly.monoms()]
        if any(sum(row) > 1 for row in rows) or not any(row[place] for row in rows for place in slacks):
            return None
        whole = Ratio(self.field, poly, self.field.one)
        for name, form in forms.items():
            whole = whole.replaced(symbols | {name: form}, self.field)
        return whole.top if whole.bottom.is_one() else None

    def _forms(self, name: str, whole: Ratio) -> list[Ratio]:
        """Return the forms of a slack: R_1 - R_2 as it is, or as (R_1 - C) - (R_2 - C)."""
        if name in self._long:
            steps, *_ = self._long[name]
            return [whole, self.field.symbol(f"{name}_") - sum((self.field.symbol(s) for s in steps), self.field(0))]
        return [whole]

    def _tree(self, poly: Polynomial) -> _Text:
        if poly.is_zero():
            return _Text("0", _ATOM)
        content, factors = factors_of(poly)
        if len(factors) == 1 and factors[0][1] == 1 and abs(content) == 1:
            return self._sum(poly)
        ordered = sorted(((self._shorter(f), p) for f, p in factors), key=lambda item: self._place(item[0]))
        parts = []
        for factor, power in ordered:
            if all(c < 0 for c in factor.coeffs()) or (factor.leading_coefficient() < 0 and len(factor) == 1):
                content, written = content * (-1) ** power, -factor
            else:
                written = factor
            parts.append(self._raised(self._sum(written), power))
        if content not in {1, -1} or not parts:
            parts.insert(0, units.plain(abs(content)))
        text = (" " if self.latex else "*").join(parts)
        return _Text(f"-{text}", _SUM) if content < 0 else _Text(text, _PRODUCT if len(parts) > 1 else _ATOM)

    def _raised(self, text: _Text, power: int) -> str:
        base = self._group(text)
        if power == 1:
            return base
        return f"{base}^{{{power}}}" if self.latex else f"{base}**{power}"

    def _group(self, text: _Text) -> str:
        if text.binds == _ATOM:
            return text.text
        return rf"\left({text.text}\right)" if self.latex else f"({text.text})"

    def _sum(self, poly: Polynomial) -> _Text:
        """Write a polynomial without factors: positive terms less negative terms."""
        poly = self._shorter(poly)
        return self._open(poly) or self._signed(poly)

    def _open(self, poly: Polynomial) -> _Text | None:
        """Write R_1 - R_2, R_1 + R_2 - 2 C and M + N - 1 for sums of slacks, if that is not longer."""
        opened = self._opened(poly) if len(poly) > 1 else None
        if opened is None:
            return None
        return min(self._signed(opened, plain=True), self._signed(poly, plain=True), key=_length)

    def _signed(self, poly: Polynomial, *, plain: bool = False) -> _Text:
        """Write positive terms less negative terms; `plain`: without collecting terms."""
        write = self._plain if plain else self._positive
        terms = list(poly.terms())
        positive = self._part((powers, c) for powers, c in terms if c > 0)
        negative = self._part((powers, -c) for powers, c in terms if c < 0)
        if positive is None or negative is None:
            part = positive if positive is not None else negative
            assert part is not None
            text = write(part)
            return text if positive is not None else _Text(f"-{_within(text, _PRODUCT)}", _SUM)
        left, right = write(positive), write(negative)
        less = self._group(right) if right.binds == _SUM else right.text
        return _Text(f"{left.text} - {less}", _SUM)

    def _part(self, terms: Iterable[tuple[Sequence[int], int]]) -> Polynomial | None:
        chosen = {tuple(map(int, powers)): c for powers, c in terms}
        return self.field.context.from_dict(chosen) if chosen else None

    def _positive(self, poly: Polynomial) -> _Text:
        """Write a polynomial with positive coefficients: its lowest term and the factored rest, or factored parts."""
        if len(poly) == 1:
            return self._monomial(*next(iter(poly.terms())))
        if key_of(poly) not in self._known:
            content, factors = factors_of(poly)
            product = len(factors) > 1 or factors[0][1] > 1 or content != 1
            self._known[key_of(poly)] = self._tree(poly) if product else self._open(poly) or self._parted(poly)
        return self._known[key_of(poly)]

    def _plain(self, poly: Polynomial) -> _Text:
        """Write the terms without collecting them."""
        texts = [self._monomial(*term) for term in sorted(poly.terms(), key=lambda term: self._rank(term[0]))]
        return texts[0] if len(texts) == 1 else _Text(" + ".join(text.text for text in texts), _SUM)

    def _parted(self, poly: Polynomial) -> _Text:
        """Write a polynomial that has no factors in the shortest of several ways."""
        first, *others = sorted(poly.monoms(), key=self._rank)
        rest = self._part((powers, c) for powers, c in poly.terms() if powers in others)
        assert rest is not None
        content, factors = factors_of(rest)
        if len(rest) > 1 and (len(factors) > 1 or content != 1):
            texts = [_Text(f"{self._monomial(first, int(poly[first])).text} + {self._tree(rest).text}", _SUM)]
        else:
            texts = [self._plain(poly)]
        return min([*texts, *self._collected(poly)], key=_length)

    def _collected(self, poly: Polynomial) -> Iterator[_Text]:
        """Yield the polynomial with one symbol collected and factored, for each symbol, or for the best of many."""
        found: list[tuple[int, int, Polynomial, Polynomial]] = []
        for place in self._places:
            into, rest = (
                self._part((p, c) for p, c in poly.terms() if bool(p[place]) is inside) for inside in (True, False)
            )
            if into is not None and rest is not None and len(into) > 1:
                found.append((_atoms(into) + _atoms(rest), len(found), into, rest))
        for _, _, *both in sorted(found, key=lambda each: each[:2])[: None if len(poly) <= _FEW else 1]:
            parts = sorted(both, key=lambda part: min(self._rank(powers) for powers in part.monoms()))
            yield _Text(" + ".join(self._positive(part).text for part in parts), _SUM)

    def _rank(self, powers: Sequence[int]) -> tuple[int, list[int]]:
        """Return a sort key of terms: by degree, then in the order of declaration."""
        return sum(map(int, powers)), [-int(powers[place]) for place in self._places]

    def _monomial(self, powers: Sequence[int], factor: int) -> _Text:
        parts = [] if factor == 1 else [units.plain(int(factor))]
        names = sorted(
            ((name, int(p)) for name, p in zip(self.field.names, powers, strict=False) if p),
            key=lambda item: self._order[item[0]],
        )
        for name, power in names:
            base = self._name(name)
            if power == 1:
                parts.append(base)
            else:
                parts.append(f"{base}^{{{power}}}" if self.latex else f"{base}**{power}")
        text = (" " if self.latex else "*").join(parts) or "1"
        if len(parts) == 1 and text.startswith(("(", r"\left(")) and "**" not in text and "^" not in text:
            opening, closing = (r"\left(", r"\right)") if self.latex else ("(", ")")
            return _Text(text[len(opening) : -len(closing)], _SUM)
        return _Text(text, _ATOM if len(parts) <= 1 else _PRODUCT)

    def _name(self, name: str) -> str:
        if name.removesuffix("_") in self._long and name not in self.slacks:
            _, symbol, lowest = self._long[name.removesuffix("_")]
            return self._difference(symbol, lowest)
        if name in self.slacks and name != self.slacks[name].symbol:
            bound = self.slacks[name].bound
            assert bound is not None
            return self._difference(self.slacks[name].symbol, bound)
        return self._symbol(name)

    def _difference(self, symbol: str, bound: Term) -> str:
        symbols = {s.symbol: self.field.symbol(s.symbol) for s in self.domain.slacks}
        value = self.field(0) + bound.value(symbols)
        less = self._tree(value.top)
        less = less if value.bottom.is_one() else self._fraction(less, self._tree(value.bottom))
        inner = f"{self._symbol(symbol)} - {self._group(less) if less.binds == _SUM else less.text}"
        return self._group(_Text(inner, _SUM))

    def _symbol(self, name: str) -> str:
        return symbol_of(name) if self.latex else name

    def _place(self, factor: Polynomial) -> tuple[int, int, list[int]]:
        """Return a sort key of factors: symbols first, in the order of declaration."""
        degrees = [int(d) for d in factor.degrees()]
        return (int(len(factor) > 1), len(factor), [-d for d in degrees])


def _known_sign(domain: Domain, poly: Polynomial, known: Sequence[tuple[Polynomial, str]]) -> int:
    """Return the sign of an outer polynomial if its factors have one, or it is above one that is known not to be less.

    It is above another if their difference is positive, or 0 where the other is positive.
    """
    rest = domain.without_positive(poly)
    if rest.is_constant():
        return 1 if rest.leading_coefficient() > 0 else -1
    for each, relation in known:
        lower = domain.without_positive(each)
        for turn in (1, -1) if relation in {">", ">="} else ():
            more = rest * turn - lower
            if domain.positive(more) or (relation == ">" and more.is_zero()):
                return turn
    return 0


def _orientation(factor: Polynomial, point: Sequence[Fraction] | None) -> int:
    """Return the sign with which a factor is positive at the point; 0 if the point does not decide."""
    value = fraction_at(factor, point) if point is not None else 0
    if value:
        return 1 if value > 0 else -1
    return -1 if all(c < 0 for c in factor.coeffs()) else 0


def _size(poly: Polynomial) -> int:
    """Return the length of a polynomial: the number of terms of its factors."""
    return sum(len(factor) + 1 for factor, _ in factors_of(poly)[1])


def _atoms(poly: Polynomial) -> int:
    """Return the number of symbols in the factored form of a polynomial."""
    terms = (powers for factor, _ in factors_of(poly)[1] for powers in factor.monoms())
    return sum(max(1, sum(bool(power) for power in powers)) for powers in terms)


def _length(text: _Text) -> int:
    """Return the apparent length of a text; 1 + alpha N counts as one unit, which readers recognise."""
    plain = text.text.replace(r"\left", "").replace(r"\right", "")
    return len(plain) - 4 * plain.count("(1 + ")


def _within(text: _Text, binds: int) -> str:
    return text.text if text.binds >= binds else f"({text.text})"
