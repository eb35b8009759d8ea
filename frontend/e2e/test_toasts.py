"""Test where toasts appear and for how long."""

from collections.abc import Callable

import pytest
from accessibility import DESKTOP, PHONE
from api_client import ApiClient
from playwright.sync_api import Page, ViewportSize, expect
from steps import go_to, wait_until_loaded

# Headings and controls of the page that a message covers, by their text.
COVERED = """
(message) => {
  const box = message.getBoundingClientRect();
  return [...document.querySelectorAll('h1, h2, h3, h4, a[href], button, input, select, textarea, summary')]
    .filter((each) => !message.contains(each))
    .filter((each) => {
      const { left, right, top, bottom, width } = each.getBoundingClientRect();
      return width > 0 && left < box.right && right > box.left && top < box.bottom && bottom > box.top;
    })
    .map((each) => each.textContent || each.name);
}
"""


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("scrolled", [0, 500], ids=["at the top", "scrolled"])
def test_toast_covers_no_heading_and_no_control(
    open_page_as: Callable[..., Page], api: ApiClient, size: ViewportSize, scrolled: int
) -> None:
    page = open_page_as(api.register())
    page.set_viewport_size(size)
    go_to(page, "/profile?edit=1")
    wait_until_loaded(page)
    page.get_by_label("Full name").fill("Wilma Changed")
    page.mouse.wheel(0, scrolled)
    page.get_by_label("Full name").press("Enter")
    message = page.get_by_role("status").filter(has_text="Profile updated successfully")
    expect(message).to_be_visible()
    page.wait_for_timeout(400)
    assert message.evaluate(COVERED) == []


# All that floats over the page.
FLOATING = """
() => [...document.querySelectorAll('[aria-live] > *')]
  .filter((each) => getComputedStyle(each).visibility !== 'hidden' && each.getBoundingClientRect().width > 1)
  .map((each) => each.textContent)
"""


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_sent_request_is_confirmed_in_its_panel_without_a_toast(
    open_page_as: Callable[..., Page], api: ApiClient, size: ViewportSize
) -> None:
    page = open_page_as(api.register())
    page.set_viewport_size(size)
    doctor = next(each for each in api.doctors() if not each["instantConfirmation"])
    time = doctor["nextTimes"][-1]
    go_to(page, f"/patient/book-appointment/{doctor['_id']}?date={time['date']}&time={time['time']}")
    page.get_by_label("Symptoms").fill("A cough.")
    page.get_by_role("button", name="Book", exact=True).click()
    panel = page.get_by_role("status").filter(has_text="Request sent")
    sentence = panel.get_by_text("Appointment booked successfully!")
    expect(sentence).to_be_visible()
    assert sentence.evaluate(COVERED) == []
    assert page.evaluate(FLOATING) == []
    expect(sentence).to_be_hidden(timeout=4_000)
    page.reload()
    expect(panel).to_be_visible()
    expect(sentence).to_have_count(0)


def test_success_toast_disappears_after_three_seconds_unless_hovered(
    open_page_as: Callable[..., Page], api: ApiClient
) -> None:
    page = open_page_as(api.register())
    go_to(page, "/profile?edit=1")
    page.get_by_label("Full name").fill("Wilma Changed")
    page.get_by_label("Full name").press("Enter")
    message = page.get_by_role("status").filter(has_text="Profile updated successfully")
    message.hover()
    page.wait_for_timeout(4_000)
    expect(message).to_be_visible()
    page.mouse.move(0, 0)
    expect(message).to_have_count(0, timeout=4_000)
