"""``python -m dtmodel``: the command line, where its script is on no path."""

from dtmodel.cli import main

if __name__ == "__main__":
    main()
