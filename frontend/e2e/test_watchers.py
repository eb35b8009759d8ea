"""The watchers see what they are there for; without these, silence would prove nothing."""

from accessibility import check_everywhere
from faults import Faults
from playwright.sync_api import Page
from steps import settled

MISDEEDS = """
() => {
  const script = document.createElement('script');
  script.textContent = 'window.inlineRan = true';
  document.body.append(script);
  const picture = new Image();
  picture.src = 'https://elsewhere.example/picture.png';
  console.error('said aloud');
  setTimeout(() => { throw new Error('nobody caught it'); });
  return fetch('/api/no/such/call').then((answer) => answer.status);
}
"""


def test_watch_sees_violations_errors_and_refused_calls(page: Page, faults: Faults) -> None:
    # `check` also fails for an announced fault that does not come.
    faults.expect(
        "console Content-Security-Policy: script-src-elem refused inline *",
        "console Content-Security-Policy: img-src refused https://elsewhere.example/*",
        "console said aloud",
        "uncaught *nobody caught it*",
        "404 /api/no/such/call",
        "console *violates the following Content Security Policy directive*",
        "csp https://elsewhere.example/picture.png",
    )
    page.goto("/about")
    settled(page)
    assert page.evaluate(MISDEEDS) == 404
    assert page.evaluate("window.inlineRan") is None


def test_look_sees_faint_text_and_a_page_too_wide(page: Page) -> None:
    page.goto("/about")
    settled(page)
    assert check_everywhere(page) == []
    page.evaluate("document.querySelector('main p').style.cssText = 'color: #c8c8c8; width: 500px'")
    found = check_everywhere(page)
    assert any("color-contrast" in each for each in found)
    assert any(each.startswith("scrolls to") for each in found)
