"""The derived theorem: its cases, the questions that it answers, the comparison with the engine, its certificate."""
