"""The network of dtmodel beside ns-3, which runs as a child process of a program that is compiled against its wheel."""
