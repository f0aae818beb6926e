"""The layer below the models: units, documents, errors, budgets, tables, expressions, files, worker processes."""
