"""Provers as child processes with limits: z3 and cvc5 (`smt`), certificates (`slack`), Coq (`coq`).

- ``detail`` is the text of the proved fact in the ledger; by default the goal.
"""
