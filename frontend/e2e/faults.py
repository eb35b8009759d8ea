"""Collect the errors that a browser reports during a test."""

from fnmatch import fnmatchcase
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, Response, WebError

# Says what the policy refused; without it a violation leaves only a line in the console.
REPORT_VIOLATIONS = """
document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) =>
  console.error(`Content-Security-Policy: ${effectiveDirective} refused ${blockedURI} at ${sourceFile}:${lineNumber}`));
"""


class Faults:
    """Errors in the console, uncaught errors, refused or failed calls, violations of the policy."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.found: list[str] = []
        self.expected: list[str] = []
        self.allowed: list[str] = []

    def expect(self, *patterns: str) -> None:
        """Announce faults that the test provokes: `401 /api/auth/login`, with `*` for whatever."""
        self.expected += patterns

    def allow(self, *patterns: str) -> None:
        """Announce faults that the test may provoke, depending on what is under way when it does."""
        self.allowed += patterns

    def watch(self, context: BrowserContext) -> None:
        """Listen to every page of a window, from its first line on."""
        context.add_init_script(REPORT_VIOLATIONS)
        context.on("console", self._console)
        context.on("weberror", self._uncaught)
        context.on("response", self._response)
        context.on("requestfailed", self._failed)

    def check(self) -> None:
        """Raise for every fault that was not announced, and for every announced one that did not come."""
        announced = self.expected + self.allowed
        unexpected = [fault for fault in self.found if not any(fnmatchcase(fault, each) for each in announced)]
        assert unexpected == [], unexpected
        missing = [each for each in self.expected if not any(fnmatchcase(fault, each) for fault in self.found)]
        assert missing == [], missing

    def _console(self, message: ConsoleMessage) -> None:
        # Chromium repeats every refused call here without its method; `_response` knows more.
        if message.type in ("error", "warning") and not message.text.startswith("Failed to load resource"):
            self.found.append(f"console {message.text}")

    def _uncaught(self, error: WebError) -> None:
        self.found.append(f"uncaught {error.error}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self.found.append(f"{response.status} {self._place(response.url)}")

    def _failed(self, request: Request) -> None:
        # The page itself gives up what it no longer needs, and the browser what a closed page asked for.
        if request.failure != "net::ERR_ABORTED":
            self.found.append(f"{request.failure} {self._place(request.url)}")

    def _place(self, url: str) -> str:
        return urlsplit(url).path if url.startswith(self.origin) else url
