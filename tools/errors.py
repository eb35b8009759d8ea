"""How a command ends other than with its exit code."""


class CommandError(Exception):
    """Ends the command, or one part of a test run, with a message for the person who started it.

    Code 1 means that something ran and failed, code 2 that something is missing and it could not run.
    """

    def __init__(self, message: str, code: int = 2) -> None:
        super().__init__(message)
        self.code = code


class Interrupted(BaseException):
    """Raised by SIGINT (Ctrl-C), SIGTERM and SIGHUP."""

    def __init__(self, signal_number: int) -> None:
        super().__init__(signal_number)
        self.signal_number = signal_number
