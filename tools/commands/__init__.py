"""The commands of `dev.py`, one module each, as Django has its management commands.

A module has `HELP`, `run(...) -> int` (the exit code) and, if the command takes any arguments, `add_arguments(parser)`;
`run` receives them by name.
"""
