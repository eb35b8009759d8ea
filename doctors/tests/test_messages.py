"""Test the emails to doctors about approval and license."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Notice
from accounts.notifications import delivery
from accounts.notifications.date_format import format_full_date
from accounts.tests.mail_server import serving, use
from doctors.verification.decisions import Decision, decide_application, expire_licenses, open_case, warn_of_expiry

pytestmark = [pytest.mark.django_db, pytest.mark.either_engine]


@pytest.fixture
def mail(settings):
    with serving() as server:
        use(settings, server)
        yield server


def deliver():
    return delivery.deliver_notices(timezone.now())


def last(mail):
    _, sent = mail.messages[-1]
    return sent["Subject"], sent.get_body(("plain",)).get_content()


def test_doctor_is_notified_of_each_decision_with_its_reason(mail, users):
    doctor, now = users.unapproved_doctor, timezone.now()
    decide_application(doctor.pk, Decision(approve=False, reason="The scan can't be read."), actor=users.admin, now=now)
    deliver()
    subject, text = last(mail)
    assert subject == "We couldn't approve you yet"
    assert "Reason: The scan can't be read." in text
    decide_application(doctor.pk, Decision(approve=True, exception="Seen in person."), actor=users.admin, now=now)
    deliver()
    assert last(mail)[0] == "You are approved"
    decide_application(doctor.pk, Decision(approve=False, reason="Asked by the board."), actor=users.admin, now=now)
    deliver()
    subject, text = last(mail)
    assert subject == "Your listing is paused"
    assert "Reason: Asked by the board." in text
    assert {address for address, _ in mail.messages} == {doctor.user.email}
    assert len(mail.messages) == 3


def test_superseded_decision_is_not_sent(mail, users):
    doctor, now = users.unapproved_doctor, timezone.now()
    decide_application(doctor.pk, Decision(approve=False, reason="Too fast."), actor=users.admin, now=now)
    decide_application(doctor.pk, Decision(approve=True, exception="Seen in person."), actor=users.admin, now=now)
    assert deliver() == {"dropped": 1, "sent": 1}
    assert last(mail)[0] == "You are approved"


def test_renewal_decision_is_sent_and_the_approval_stays(mail, users):
    doctor, now = users.doctor, timezone.now()
    doctor.license_expires_on = now.date() + timedelta(days=200)
    doctor.save()
    open_case(doctor, now)
    decide_application(
        doctor.pk, Decision(approve=False, keep_approval=True, reason="No stamp."), actor=users.admin, now=now
    )
    deliver()
    subject, text = last(mail)
    assert subject == "We couldn't accept your renewed license"
    assert "Reason: No stamp." in text
    open_case(doctor, now)
    decide_application(doctor.pk, Decision(approve=True, exception="Seen in person."), actor=users.admin, now=now)
    deliver()
    assert last(mail)[0] == "Your license is verified"


def test_license_expiry_is_notified_before_and_after(mail, users):
    doctor, now = users.doctor, timezone.now()
    doctor.license_expires_on = now.date() + timedelta(days=20)
    doctor.save()
    assert warn_of_expiry(now) == 1
    deliver()
    subject, text = last(mail)
    assert subject == f"Your license expires on {format_full_date(doctor.license_expires_on)}"
    assert f"Valid until: {format_full_date(doctor.license_expires_on)}" in text
    assert expire_licenses(now + timedelta(days=21)) == 1
    deliver()
    assert last(mail)[0] == "Your license has expired"
    assert set(Notice.objects.values_list("state", flat=True)) == {"sent"}
