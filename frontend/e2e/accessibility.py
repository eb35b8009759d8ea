"""Everybody can use it: what axe finds, and whether a page fits a narrow screen."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

AXE = Axe()
# WCAG 2.2 AA and everything below it, and what axe calls good habit.
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
ALL = {"type": "tag", "values": TAGS}
# What else axe looks at is the same in the dark.
COLOURS = {"type": "rule", "values": ("color-contrast", "link-in-text-block")}
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1440, "height": 900}
NARROWEST = {"width": 320, "height": 640}

# What makes the page itself scroll sideways, as far as it can be told.
TOO_WIDE = """
() => {
  const { clientWidth, scrollWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const wide = [...document.querySelectorAll('body *')]
    .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
    .map((element) => element.outerHTML.slice(0, 120));
  return [`scrolls to ${scrollWidth} of ${clientWidth}`, ...wide.slice(0, 5)];
}
"""


# The new colours are on the screen; axe would else measure half of them.
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def violations(page: Page, where: str, rules: dict[str, object] = ALL) -> list[str]:
    """Run axe on the page as it stands; answers a line for each thing found."""
    found = AXE.run(page, options={"runOnly": rules, "resultTypes": ["violations"]}).response["violations"]
    return [
        f"{where}: {violation['id']} at {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for violation in found
        for node in violation["nodes"]
    ]


def check_colours(page: Page, where: str = "") -> list[str]:
    """Run axe in light and in dark."""
    found = []
    for scheme, rules in (("light", ALL), ("dark", COLOURS)):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        page.evaluate(TWO_FRAMES)
        found += violations(page, f"{where} {scheme}".strip(), rules)
    return found


def check_everywhere(page: Page) -> list[str]:
    """Run axe on a desk and on a phone, in light and in dark, and see that the narrowest screen need not scroll."""
    found = []
    for name, size in (("desktop", DESKTOP), ("phone", PHONE)):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        found += check_colours(page, name)
    page.set_viewport_size(NARROWEST)  # type: ignore[arg-type]
    return found + page.evaluate(TOO_WIDE)
