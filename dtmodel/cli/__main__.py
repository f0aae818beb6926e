"""``python -m dtmodel.cli``: the command line."""

from dtmodel.cli import main

if __name__ == "__main__":
    main()
