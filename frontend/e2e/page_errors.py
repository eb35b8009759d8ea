"""Collect the errors that a browser reports during a test."""

from fnmatch import fnmatchcase
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, Response, WebError

# Describes policy violations; the console has only a short line for each.
REPORT_VIOLATIONS = """
document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) =>
  console.error(`Content-Security-Policy: ${effectiveDirective} refused ${blockedURI} at ${sourceFile}:${lineNumber}`));
"""


class PageErrors:
    """Console errors, uncaught errors, failed requests and policy violations."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.found: list[str] = []
        self.expected: list[str] = []
        self.allowed: list[str] = []

    def expect(self, *patterns: str) -> None:
        """Require errors that the test provokes: `401 /api/auth/login`, with `*` as a wildcard."""
        self.expected += patterns

    def allow(self, *patterns: str) -> None:
        """Allow errors that the test may provoke, depending on timing."""
        self.allowed += patterns

    def clear(self) -> None:
        """Forget all errors, for another test in the same browser context."""
        self.found.clear()
        self.expected.clear()
        self.allowed.clear()

    def watch(self, context: BrowserContext) -> None:
        """Collect errors of every page of a browser context."""
        context.add_init_script(REPORT_VIOLATIONS)
        context.on("console", self._console)
        context.on("weberror", self._uncaught)
        context.on("response", self._response)
        context.on("requestfailed", self._failed)

    def check(self) -> None:
        """Fail for unexpected errors, and for expected ones that did not occur."""
        known = self.expected + self.allowed
        unexpected = [error for error in self.found if not any(fnmatchcase(error, each) for each in known)]
        assert unexpected == [], unexpected
        missing = [each for each in self.expected if not any(fnmatchcase(error, each) for error in self.found)]
        assert missing == [], missing

    def _console(self, message: ConsoleMessage) -> None:
        # Chromium also logs failed requests, with less detail than `_response`.
        if message.type in ("error", "warning") and not message.text.startswith("Failed to load resource"):
            self.found.append(f"console {message.text}")

    def _uncaught(self, error: WebError) -> None:
        self.found.append(f"uncaught {error.error}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self.found.append(f"{response.status} {self._place(response.url)}")

    def _failed(self, request: Request) -> None:
        # Pages abort requests they no longer need, and browsers those of closed pages.
        if request.failure != "net::ERR_ABORTED":
            self.found.append(f"{request.failure} {self._place(request.url)}")

    def _place(self, url: str) -> str:
        return urlsplit(url).path if url.startswith(self.origin) else url
