"""Test delivery with real worker processes that are killed."""

import os
import random
import subprocess
import sys
import time
from collections import Counter

import pytest

from accounts.tests.notifications.delivery_worker import expected_addresses, start_worker, wait_until
from config.testing import ROOT

# A soak runs more.
KILLS = int(os.environ.get("MAIL_KILLS", "3"))
NOTICES_PER_KILL = 25

FILL = """
from accounts.models import User
from accounts.notifications.outbox import notify_user
from django.db import transaction
with transaction.atomic():
    for number in range({count}):
        user = User.objects.create_user(f"person{{number}}@example.com", name=f"Person {{number}}", role="patient")
        notify_user("account.registered", user)
"""


def test_concurrent_workers_send_each_notice_once(outbox, mail_server):
    count, workers = 60, 3
    outbox.manage("shell", "-c", FILL.format(count=count))
    mail_server.seconds = 0.01
    running = [start_worker(outbox, "--once") for _ in range(workers)]
    assert [one.wait(120) for one in running] == [0] * workers
    assert Counter(address for address, _ in mail_server.messages) == dict.fromkeys(expected_addresses(count), 1)
    assert len(set(mail_server.ids())) == count
    assert outbox.sql("SELECT state, count(*) FROM accounts_notice GROUP BY state") == [("sent", count)]


def test_without_the_lease_workers_send_duplicates(outbox, mail_server):
    """The test above can fail: workers that do not see what others have in hand repeat each other."""
    count = 30
    outbox.manage("shell", "-c", FILL.format(count=count))
    mail_server.seconds = 0.02
    careless = """
from django.utils import timezone
from accounts.notifications import delivery
from accounts.models import Notice
def claim_notice(now, channel):
    notice = Notice.objects.filter(state="waiting").select_related("recipient").order_by("id").first()
    if notice:
        notice.message_id = delivery.build_message_id(notice)
    return notice
delivery.claim_notice = claim_notice
delivery.deliver_notices(timezone.now())
"""
    running = [
        subprocess.Popen([sys.executable, "manage.py", "shell", "-c", careless], cwd=ROOT, env=outbox.environment)
        for _ in range(3)
    ]
    assert [one.wait(120) for one in running] == [0] * 3
    assert len(mail_server.messages) > count


def test_killed_workers_lose_nothing_and_repeat_at_most_one_mail_each(outbox, mail_server):
    count = KILLS * NOTICES_PER_KILL
    outbox.manage("shell", "-c", FILL.format(count=count))
    chance = random.Random(6)  # the same run every time, as far as the machine allows
    mail_server.seconds = 0.01
    killed = 0
    while killed < KILLS:
        before = len(mail_server.messages)
        running = start_worker(outbox)
        # It is killed somewhere amid its work: while it claims, sends, or marks.
        wait_until(lambda before=before: len(mail_server.messages) > before)
        time.sleep(chance.uniform(0, 0.15))
        running.kill()
        running.wait()
        killed += 1
        # As if five minutes had gone by: what it had in hand is free again.
        outbox.sql("UPDATE accounts_notice SET lease_until = NULL WHERE state = 'waiting'")
    assert outbox.sql("SELECT count(*) FROM accounts_notice WHERE state = 'waiting'") != [(0,)]
    last = start_worker(outbox)
    wait_until(
        lambda: outbox.sql("SELECT count(*) FROM accounts_notice WHERE state = 'waiting'") == [(0,)], 60 + count / 5
    )
    last.terminate()
    assert last.wait(60) == 0
    assert outbox.sql("SELECT state, count(*) FROM accounts_notice GROUP BY state") == [("sent", count)]
    came = Counter(address for address, _ in mail_server.messages)
    # Nothing lost.
    assert set(came) == expected_addresses(count)
    # At most one repeat for each kill, and a repeat has the id of what it repeats.
    assert len(mail_server.messages) - count <= KILLS
    assert max(came.values()) <= 1 + KILLS
    assert len(set(mail_server.ids())) == count
    ids = {(address, str(one["Message-ID"])) for address, one in mail_server.messages}
    assert len(ids) == count


@pytest.mark.either_engine
def test_worker_finishes_its_batch_on_sigterm(outbox, mail_server):
    outbox.manage("shell", "-c", FILL.format(count=5))
    mail_server.seconds = 0.1
    running = start_worker(outbox)
    wait_until(lambda: len(mail_server.messages) > 0)
    running.terminate()
    assert running.wait(30) == 0
    assert outbox.sql("SELECT count(*) FROM accounts_notice WHERE lease_until IS NOT NULL") == [(0,)]
    assert len(set(mail_server.ids())) == len(mail_server.messages)


@pytest.mark.either_engine
def test_server_process_delivers_in_the_background(real_server, mail_server):
    server = real_server(DELIVERY="inline", EMAIL_URL=mail_server.url)
    server.manage("shell", "-c", FILL.format(count=3))
    wait_until(lambda: len(mail_server.messages) == 3)
    wait_until(lambda: server.sql("SELECT count(*) FROM accounts_notice WHERE state = 'sent'") == [(3,)])
    assert {address for address, _ in mail_server.messages} == expected_addresses(3)


@pytest.mark.either_engine
def test_server_process_finishes_its_batch_on_sigterm(real_server, mail_server):
    mail_server.seconds = 1
    server = real_server(DELIVERY="inline", EMAIL_URL=mail_server.url)
    server.manage("shell", "-c", FILL.format(count=8))
    wait_until(lambda: len(mail_server.messages) == 1)
    time.sleep(0.5)
    server.stop()
    sent = len(mail_server.messages)
    assert 1 < sent < 8
    assert server.sql("SELECT count(*) FROM accounts_notice WHERE state = 'sent'") == [(sent,)]
    assert server.sql("SELECT count(*) FROM accounts_notice WHERE lease_until IS NOT NULL") == [(0,)]
