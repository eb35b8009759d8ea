"""A user who operates the site by keyboard only."""

from playwright.sync_api import Locator, Page, expect


class Keyboard:
    """A person without a mouse."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def tab_to(self, target: Locator, most: int = 120) -> None:
        """Press Tab until the focus is there, and see that it can be seen."""
        expect(target).to_be_visible()
        for _ in range(most):
            self.page.keyboard.press("Tab")
            if target.evaluate("element => element === document.activeElement"):
                ring = "element => [getComputedStyle(element).outlineStyle, getComputedStyle(element).outlineWidth]"
                assert target.evaluate(ring) == ["solid", "3px"]
                return
        raise AssertionError(f"Tab never came to {target}")

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)

    def here(self) -> str:
        """Read out the accessible name of where the focus is."""
        return str(self.page.evaluate("document.activeElement.getAttribute('aria-label') ?? ''"))
