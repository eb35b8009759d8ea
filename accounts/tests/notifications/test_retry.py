"""Test that two staff users who retry the same failed messages concurrently have one effect."""

import subprocess
import sys

from config.testing import ROOT

FILL = """
from accounts.models import Notice, User
from accounts.notifications.outbox import notify_user
User.objects.create_superuser("staff@example.com", name="Staff")
for number in range({count}):
    notify_user("account.registered", User.objects.create_user(f"p{{number}}@example.com", name="P", role="patient"))
Notice.objects.update(state="failed", attempts=9, error="smtp_550")
"""
AGAIN = """
from django.utils import timezone
from accounts.models import Notice, User
from accounts.notifications.retry import retry_notice
from config.api.errors import DomainError
staff, done, refused = User.objects.get(email="staff@example.com"), 0, 0
for notice in Notice.objects.order_by("id"):
    try:
        retry_notice(notice, actor=staff, now=timezone.now())
        done += 1
    except DomainError as broken:
        assert broken.code == "not_failed"
        refused += 1
print("did", done, refused)
"""


def test_concurrent_retries_by_staff_have_one_effect(outbox):
    count = 40
    outbox.manage("shell", "-c", FILL.format(count=count))
    pair = [
        subprocess.Popen(
            [sys.executable, "manage.py", "shell", "-c", AGAIN],
            cwd=ROOT, env=outbox.environment, stdout=subprocess.PIPE, text=True,
        )
        for _ in range(2)
    ]  # fmt: skip
    words = [one.communicate(timeout=120)[0].split()[-3:] for one in pair]
    assert [one.returncode for one in pair] == [0, 0]
    assert [int(did) + int(refused) for _, did, refused in words] == [count, count]
    assert sum(int(did) for _, did, _ in words) == count
    states = "SELECT state, attempts, error, count(*) FROM accounts_notice GROUP BY state, attempts, error"
    assert outbox.sql(states) == [("waiting", 0, "", count)]
    trail = "SELECT count(*), count(DISTINCT entity_id) FROM accounts_auditevent WHERE event = 'notice.sent_again'"
    assert outbox.sql(trail) == [(count, count)]
