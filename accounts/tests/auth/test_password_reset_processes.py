"""Test that concurrent workers process each password reset request once, even if a worker is killed."""

import os
import random
import subprocess
import sys
import time
from collections import Counter

from accounts.tests.notifications.delivery_worker import expected_addresses, start_worker, wait_until
from config.testing import ROOT

# A soak runs more.
KILLS = int(os.environ.get("MAIL_KILLS", "3"))
REQUESTS_PER_KILL = 25
UNKNOWN = 5

FILL = """
from accounts.models import ResetRequest, User
from django.db import transaction
with transaction.atomic():
    for number in range({count}):
        User.objects.create_user(f"person{{number}}@example.com", name=f"Person {{number}}", role="patient")
        ResetRequest.objects.create(email=f"person{{number}}@example.com")
    for number in range({unknown}):
        ResetRequest.objects.create(email=f"nobody{{number}}@example.com")
"""
REQUESTS = "SELECT count(*) FROM accounts_resetrequest"
TOLD = "SELECT count(*), count(DISTINCT recipient_id) FROM accounts_notice WHERE event = 'password.reset_requested'"
WAITING = "SELECT count(*) FROM accounts_notice WHERE state = 'waiting'"


def fill(outbox, count):
    outbox.manage("shell", "-c", FILL.format(count=count, unknown=UNKNOWN))


def look_up(outbox, script):
    """Run a worker that looks requests up and sends nothing."""
    return subprocess.Popen([sys.executable, "manage.py", "shell", "-c", script], cwd=ROOT, env=outbox.environment)


def test_concurrent_workers_process_each_request_once(outbox, mail_server):
    count = 60
    fill(outbox, count)
    running = [start_worker(outbox, "--once") for _ in range(2)]
    assert [one.wait(120) for one in running] == [0, 0]
    assert outbox.sql(REQUESTS) == [(0,)]
    assert outbox.sql(TOLD) == [(count, count)]
    assert Counter(address for address, _ in mail_server.messages) == dict.fromkeys(expected_addresses(count), 1)
    assert len(set(mail_server.ids())) == count


CARELESS = """
import time
from django.db import transaction
from django.utils import timezone
from accounts.auth import password_reset
from accounts.models import ResetRequest
for request in list(ResetRequest.objects.all()):
    time.sleep(0.05)
    with transaction.atomic():
        password_reset.send_reset_link(request, timezone.now())
        ResetRequest.objects.filter(pk=request.pk).delete()
"""


def test_without_claiming_workers_process_duplicates(outbox, mail_server):
    """The test above can fail: workers that do not see what others have served repeat each other."""
    count = 40
    fill(outbox, count)
    running = [look_up(outbox, CARELESS) for _ in range(2)]
    assert [one.wait(120) for one in running] == [0, 0]
    ((told, people),) = outbox.sql(TOLD)
    assert people == count
    assert told > count


# One transaction for each request, as ever; a little slower, so that a kill meets one.
SLOWLY = """
import time
from django.utils import timezone
from accounts.auth import password_reset
real = password_reset.send_reset_link
def send_link(request, now):
    real(request, now)
    time.sleep(0.02)
password_reset.send_reset_link = send_link
password_reset.process_requests(timezone.now(), limit=100_000)
"""


def test_killed_workers_lose_and_repeat_no_request(outbox, mail_server):
    count = KILLS * REQUESTS_PER_KILL
    fill(outbox, count)
    chance = random.Random(9)  # the same run every time, as far as the machine allows
    for number in range(KILLS):
        # It dies amid looking up, or between that and its transaction's end, with another one beside it.
        before = outbox.sql(REQUESTS)
        pair = [look_up(outbox, SLOWLY) for _ in range(2)]
        wait_until(lambda before=before: outbox.sql(REQUESTS) != before)
        time.sleep(chance.uniform(0, 0.15))
        for one in pair:
            one.kill()
        for one in pair:
            one.wait()
        # In one look: what was being committed may be there only after it.
        ((left, told, people),) = outbox.sql(f"SELECT * FROM ({REQUESTS}) left_over, ({TOLD}) told")
        # Whatever was being done is done, or is still to do: a link for each request that is gone.
        assert told == people
        assert count - left <= told <= count + UNKNOWN - left
        if number == 0:
            assert left > 0
    # The rest, and the mails: one worker is killed while it sends, two finish.
    mail_server.seconds = 0.01
    first = start_worker(outbox)
    wait_until(lambda: len(mail_server.messages) > 0)
    first.kill()
    first.wait()
    outbox.sql("UPDATE accounts_notice SET lease_until = NULL WHERE state = 'waiting'")
    last = [start_worker(outbox) for _ in range(2)]
    wait_until(lambda: outbox.sql(REQUESTS) == [(0,)] and outbox.sql(WAITING) == [(0,)], 60 + count / 5)
    for one in last:
        one.terminate()
    assert [one.wait(60) for one in last] == [0, 0]
    assert outbox.sql(TOLD) == [(count, count)]
    # One mail each; the one that was in hand when its worker died may have come twice, under one id.
    came = Counter(address for address, _ in mail_server.messages)
    assert set(came) == expected_addresses(count)
    assert len(mail_server.messages) - count <= 1
    assert len(set(mail_server.ids())) == count
