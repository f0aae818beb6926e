"""Provers as child processes with limits: z3 and cvc5 (`smt`), certificates (`slack`), Coq (`coq`).

- ``detail`` says in the ledger what was proved; by default the goal.
"""
