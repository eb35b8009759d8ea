"""A user who operates the site by keyboard only."""

from playwright.sync_api import Locator, Page, expect


class Keyboard:
    """Keyboard input, and the focused element."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def tab_to(self, target: Locator, limit: int = 120) -> None:
        """Press Tab until the target has focus; check the focus ring."""
        expect(target).to_be_visible()
        for _ in range(limit):
            self.page.keyboard.press("Tab")
            if target.evaluate("element => element === document.activeElement"):
                ring = "element => [getComputedStyle(element).outlineStyle, getComputedStyle(element).outlineWidth]"
                assert target.evaluate(ring) == ["solid", "3px"]
                return
        raise AssertionError(f"Tab does not reach {target}")

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)

    def get_focused_name(self) -> str:
        """Return the aria-label of the focused element."""
        return str(self.page.evaluate("document.activeElement.getAttribute('aria-label') ?? ''"))
