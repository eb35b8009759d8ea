"""Accessibility checks: axe violations, and pages too wide for a narrow screen."""

from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, ViewportSize

AXE = Axe()
# WCAG 2.2 AA and everything below it, and what axe calls good habit.
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
ALL = {"type": "tag", "values": TAGS}
# Still experimental in axe, so no tag above brings it: what is seen is part of the name (WCAG 2.5.3).
NAMED_AS_SEEN = {"label-content-name-mismatch": {"enabled": True}}
# What else axe looks at is the same in the dark.
COLORS = {"type": "rule", "values": ("color-contrast", "link-in-text-block")}
PHONE: ViewportSize = {"width": 390, "height": 844}
DESKTOP: ViewportSize = {"width": 1440, "height": 900}
NARROWEST: ViewportSize = {"width": 320, "height": 640}

# What makes the page itself scroll sideways, as far as it can be told.
TOO_WIDE = """
() => {
  const { clientWidth, scrollWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const isClipped = (element) => {
    for (let around = element.parentElement; around && around !== document.body; around = around.parentElement)
      if (getComputedStyle(around).overflowX !== 'visible') return true;
    return false;
  };
  const wide = [...document.querySelectorAll('body *')]
    .filter((element) => element.getBoundingClientRect().right > clientWidth + 1 && !isClipped(element))
    .map((element) => element.outerHTML.slice(0, 120));
  return [`scrolls to ${scrollWidth} of ${clientWidth}`, ...wide.slice(0, 5)];
}
"""


# The new colors are on the screen; axe would else measure half of them.
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def find_violations(page: Page, where: str, rules: dict[str, object] = ALL) -> list[str]:
    """Run axe on the page as it stands; return a line for each thing found."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.axe_script)
    # `preload` would load the style sheets again, for rules that are not among ours.
    options = {"runOnly": rules, "rules": NAMED_AS_SEEN, "resultTypes": ["violations"], "preload": False}
    found = page.evaluate("(options) => axe.run(options).then(({ violations }) => violations)", options)
    return [
        f"{where}: {violation['id']} at {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for violation in found
        for node in violation["nodes"]
    ]


def check_colors(page: Page, where: str = "") -> list[str]:
    """Run axe in light and in dark."""
    found = []
    looks: tuple[tuple[Literal["light", "dark"], Any], ...] = (("light", ALL), ("dark", COLORS))
    for scheme, rules in looks:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.evaluate(TWO_FRAMES)
        found += find_violations(page, f"{where} {scheme}".strip(), rules)
    return found


def check_everywhere(page: Page) -> list[str]:
    """Run axe on a desktop in light and dark and on a phone in dark; check that the narrowest screen need not scroll.

    What only a phone shows, its menu, has a test of its own in light.
    """
    page.set_viewport_size(DESKTOP)
    found = check_colors(page, "desktop")
    page.set_viewport_size(PHONE)
    page.evaluate(TWO_FRAMES)
    found += find_violations(page, "phone dark")
    page.set_viewport_size(NARROWEST)
    found += page.evaluate(TOO_WIDE)
    return found + check_large_text(page)


def check_large_text(page: Page) -> list[str]:
    """See that a phone whose text is twice as large need not scroll sideways."""
    page.set_viewport_size(PHONE)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    found = [f"at 200 %: {each}" for each in page.evaluate(TOO_WIDE)]
    page.evaluate("document.documentElement.style.fontSize = ''")
    return found
