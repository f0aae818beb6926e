"""What lies below the models: units, documents, errors, budgets, tables, expressions, files and worker processes."""
