"""Test that the watchers of the browser tests detect faults."""

from collections.abc import Callable

import pytest
from accessibility import check_everywhere
from page_errors import PageErrors
from playwright.sync_api import BrowserContext, Page
from steps import wait_until_loaded

from config.testing import ROOT, RealServer

MISDEEDS = """
() => {
  const script = document.createElement('script');
  script.append('window.inlineRan = true');
  document.body.append(script);
  document.body.append(Object.assign(document.createElement('style'), { textContent: 'b { color: red }' }));
  const picture = new Image();
  picture.src = 'https://elsewhere.example/picture.png';
  let refused = 0;
  try { document.createElement('div').innerHTML = '<b>bold</b>'; } catch { refused += 1; }
  try { window.trustedTypes.createPolicy('default', { createHTML: (text) => text }); } catch { refused += 1; }
  console.error(`said aloud, ${refused} refused`);
  setTimeout(() => { throw new Error('nobody caught it'); });
  return fetch('/api/no/such/call').then((answer) => answer.status);
}
"""


def test_watcher_reports_violations_errors_and_failed_requests(page: Page, page_errors: PageErrors) -> None:
    # `check` also fails for an announced fault that does not come.
    page_errors.expect(
        "console Content-Security-Policy: style-src-elem refused inline *",
        "console Content-Security-Policy: img-src refused https://elsewhere.example/*",
        "console Content-Security-Policy: require-trusted-types-for refused trusted-types-sink *",
        "console Content-Security-Policy: trusted-types refused trusted-types-policy *",
        "console said aloud, 2 refused",
        "uncaught *nobody caught it*",
        "404 /api/no/such/call",
        "console *violates the following Content Security *olicy directive*",
        "console This document requires 'TrustedScript' assignment.*",
        "console This document requires 'TrustedHTML' assignment.*",
        "csp https://elsewhere.example/picture.png",
    )
    page.goto("/about")
    wait_until_loaded(page)
    assert page.evaluate(MISDEEDS) == 404
    assert page.evaluate("window.inlineRan") is None


def test_unexpected_fault_fails_the_test(site: RealServer, new_context: Callable[..., BrowserContext]) -> None:
    for misdeed in (
        "document.body.append(Object.assign(document.createElement('b'), { onclick: null }))",
        "try { document.body.setAttribute('onclick', '1') } catch {}",
        "try { document.body.innerHTML = '<b>' } catch {}",
        "new Image().src = 'https://elsewhere.example/a.png'",
        "document.body.append(Object.assign(document.createElement('style'), { textContent: 'b {}' }))",
    ):
        page_errors = PageErrors(site.url)
        context = new_context()
        page_errors.watch(context)
        page = context.new_page()
        page.goto("/about")
        wait_until_loaded(page)
        page.evaluate(f"() => {{ {misdeed} }}")
        page.wait_for_function("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 200, true)))")
        if "onclick: null" in misdeed:
            page_errors.check()
        else:
            with pytest.raises(AssertionError, match="Content-Security-Policy"):
                page_errors.check()
        context.close()


def test_every_browser_context_is_watched() -> None:
    """A window opened past `open_context` would complain unheard."""
    for file in sorted((ROOT / "frontend" / "e2e").glob("test_*.py")):
        if file.name != "test_watchers.py":
            assert "new_context" not in file.read_text(), file.name


def test_check_finds_low_contrast_and_horizontal_overflow(page: Page) -> None:
    page.goto("/about")
    wait_until_loaded(page)
    assert check_everywhere(page) == []
    page.evaluate("document.querySelector('main p').style.cssText = 'color: #c8c8c8; width: 500px'")
    found = check_everywhere(page)
    assert any("color-contrast" in each for each in found)
    assert any(each.startswith("scrolls to") for each in found)
