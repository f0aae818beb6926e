"""One arrival at a LossPass port for SMT solvers."""

import sympy

B, b, s, l, v, P = sympy.symbols("B b s l v P", real=True)
STATE = [s >= 0, b >= 0, b <= B, v > 0, v <= l, s + l <= B, P > 0, P <= B]
OVERFLOW = P + s + l > B  # line 1
LINE_3 = v >= P
LINE_4 = P + s <= B - b
LINE_4_PRINTED = P + s >= B - b
