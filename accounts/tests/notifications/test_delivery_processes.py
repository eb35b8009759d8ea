"""Real workers, real kills: what the outbox promises holds over processes, on both engines."""

import os
import random
import subprocess
import sys
import time
from collections import Counter

import pytest

from accounts.tests.mail_server import serving
from config.testing import ROOT, RealServer, migrated_database

# A soak runs more.
KILLS = int(os.environ.get("MAIL_KILLS", "3"))
NOTICES_PER_KILL = 25

FILL = """
from accounts.models import User
from accounts.notifications.outbox import tell
from django.db import transaction
with transaction.atomic():
    for number in range({count}):
        user = User.objects.create_user(f"person{{number}}@example.com", name=f"Person {{number}}", role="patient")
        tell("account.registered", user)
"""


@pytest.fixture
def mail():
    with serving() as server:
        yield server


@pytest.fixture
def outbox(tmp_path, mail):
    """A database of its own, whose workers send to the mail server."""
    with migrated_database(tmp_path) as database_url:
        environment = {
            **os.environ,
            "ENVIRONMENT": "test",
            "DATABASE_URL": database_url,
            "EMAIL_URL": mail.url,
            "LOG_LEVEL": "WARNING",
        }
        outbox = RealServer("", database_url, environment)
        yield outbox


def worker(outbox, *arguments):
    return subprocess.Popen(
        [sys.executable, "manage.py", "deliver", *arguments],
        cwd=ROOT,
        env=outbox.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def wait_for(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "It did not come."
        time.sleep(0.02)


def addresses(count):
    return {f"person{number}@example.com" for number in range(count)}


@pytest.mark.parametrize("workers", [2, 4])
def test_concurrent_workers_send_each_notice_once(outbox, mail, workers):
    count = 60
    outbox.manage("shell", "-c", FILL.format(count=count))
    mail.seconds = 0.01
    running = [worker(outbox, "--once") for _ in range(workers)]
    assert [one.wait(120) for one in running] == [0] * workers
    assert Counter(address for address, _ in mail.mails) == dict.fromkeys(addresses(count), 1)
    assert len(set(mail.ids())) == count
    assert outbox.sql("SELECT state, count(*) FROM accounts_notice GROUP BY state") == [("sent", count)]


def test_without_the_lease_workers_send_duplicates(outbox, mail):
    """The test above can fail: workers that do not see what others have in hand repeat each other."""
    count = 30
    outbox.manage("shell", "-c", FILL.format(count=count))
    mail.seconds = 0.02
    careless = """
from django.utils import timezone
from accounts.notifications import delivery
from accounts.models import Notice
def claim(now, channel):
    notice = Notice.objects.filter(state="waiting").select_related("recipient").order_by("id").first()
    if notice:
        notice.message_id = delivery.message_id_of(notice)
    return notice
delivery.claim = claim
delivery.deliver(timezone.now())
"""
    running = [
        subprocess.Popen([sys.executable, "manage.py", "shell", "-c", careless], cwd=ROOT, env=outbox.environment)
        for _ in range(3)
    ]
    assert [one.wait(120) for one in running] == [0] * 3
    assert len(mail.mails) > count


def test_killed_workers_lose_nothing_and_repeat_at_most_one_mail_each(outbox, mail):
    count = KILLS * NOTICES_PER_KILL
    outbox.manage("shell", "-c", FILL.format(count=count))
    chance = random.Random(6)  # the same run every time, as far as the machine allows
    mail.seconds = 0.01
    killed = 0
    while killed < KILLS:
        before = len(mail.mails)
        running = worker(outbox)
        # It is killed somewhere amid its work: while it claims, sends, or marks.
        wait_for(lambda before=before: len(mail.mails) > before)
        time.sleep(chance.uniform(0, 0.15))
        running.kill()
        running.wait()
        killed += 1
        # As if five minutes had gone by: what it had in hand is free again.
        outbox.sql("UPDATE accounts_notice SET lease_until = NULL WHERE state = 'waiting'")
    assert outbox.sql("SELECT count(*) FROM accounts_notice WHERE state = 'waiting'") != [(0,)]
    last = worker(outbox)
    wait_for(
        lambda: outbox.sql("SELECT count(*) FROM accounts_notice WHERE state = 'waiting'") == [(0,)], 60 + count / 5
    )
    last.terminate()
    assert last.wait(60) == 0
    assert outbox.sql("SELECT state, count(*) FROM accounts_notice GROUP BY state") == [("sent", count)]
    came = Counter(address for address, _ in mail.mails)
    # Nothing lost.
    assert set(came) == addresses(count)
    # At most one repeat for each kill, and a repeat has the id of what it repeats.
    assert len(mail.mails) - count <= KILLS
    assert max(came.values()) <= 1 + KILLS
    assert len(set(mail.ids())) == count
    ids = {(address, str(one["Message-ID"])) for address, one in mail.mails}
    assert len(ids) == count


def test_worker_finishes_its_batch_on_sigterm(outbox, mail):
    outbox.manage("shell", "-c", FILL.format(count=5))
    mail.seconds = 0.1
    running = worker(outbox)
    wait_for(lambda: len(mail.mails) > 0)
    running.terminate()
    assert running.wait(30) == 0
    assert outbox.sql("SELECT count(*) FROM accounts_notice WHERE lease_until IS NOT NULL") == [(0,)]
    assert len(set(mail.ids())) == len(mail.mails)


def test_server_process_delivers_in_the_background(real_server, mail):
    server = real_server(DELIVERY="inline", EMAIL_URL=mail.url)
    server.manage("shell", "-c", FILL.format(count=3))
    wait_for(lambda: len(mail.mails) == 3)
    wait_for(lambda: server.sql("SELECT count(*) FROM accounts_notice WHERE state = 'sent'") == [(3,)])
    assert {address for address, _ in mail.mails} == addresses(3)


def test_server_process_finishes_its_batch_on_sigterm(real_server, mail):
    mail.seconds = 1
    server = real_server(DELIVERY="inline", EMAIL_URL=mail.url)
    server.manage("shell", "-c", FILL.format(count=8))
    wait_for(lambda: len(mail.mails) == 1)
    time.sleep(0.5)
    server.stop()
    sent = len(mail.mails)
    assert 1 < sent < 8
    assert server.sql("SELECT count(*) FROM accounts_notice WHERE state = 'sent'") == [(sent,)]
    assert server.sql("SELECT count(*) FROM accounts_notice WHERE lease_until IS NOT NULL") == [(0,)]
