"""Test data export, account closure, and the commands for both."""

import io
import json
import stat
import zipfile
from datetime import timedelta

import pytest
from django.apps import apps
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage, storages
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.calendar_feed import create_feed
from accounts.models import (
    AuditEvent,
    AuthenticatorApp,
    CalendarFeed,
    Notice,
    NoticeSettings,
    PatientDetails,
    RecoveryCode,
    Session,
    User,
)
from accounts.notifications.delivery import deliver_notices
from accounts.notifications.outbox import notify_user
from accounts.tests.auth.authenticators import Device, enrol
from accounts.tests.factories import AdminFactory
from adminpanel.account import export as account_export
from adminpanel.account.erasure import ERASED_NAME, ErasureResult, erase_person
from adminpanel.tests.admin.staff import MAKERS
from appointments.models import (
    Appointment,
    AppointmentRecord,
    Attachment,
    PatientOfDoctor,
    Proposal,
    RecordDraft,
    TimeChange,
)
from appointments.tests.factories import make_appointment
from doctors.models import BlockedTime, Verification, WeeklyHours

pytestmark = pytest.mark.django_db

PASSWORD = "violet-teapot"
SECRET = "A secret of the patient's."


@pytest.fixture
def people(users):
    for person in (users.patient, users.doctor.user, users.admin):
        person.set_password(PASSWORD)
        person.save()
    return users


@pytest.fixture
def history(people):
    """One appointment with everything that can belong to one, and one that is still to come."""
    now = timezone.now()
    past = make_appointment(
        people.doctor, people.patient, now.date() - timedelta(days=30), status="completed", symptoms=SECRET,
        diagnosis="A cold.", record_version=1, recorded_at=now,
    )  # fmt: skip
    coming = make_appointment(people.doctor, people.patient, now.date() + timedelta(days=3), symptoms="Still coughing.")
    AppointmentRecord.objects.create(
        appointment=past, version=1, written_at=now, written_by=people.doctor.user, diagnosis="A cold."
    )
    TimeChange.objects.create(
        appointment=past, changed_at=now, changed_by="patient", from_date=past.date, from_time=past.time,
        from_time_zone="UTC", to_date=past.date, to_time=past.time, to_time_zone="UTC",
    )  # fmt: skip
    files = storages["records"]
    Attachment.objects.create(
        appointment=past, name="report.pdf", content_type="application/pdf", size=8, sha256="0" * 64, added_at=now,
        stored_as=files.save("one/report.pdf", ContentFile(b"%PDF-1.7")), added_by=people.doctor.user,
    )  # fmt: skip
    people.patient.picture = default_storage.save("pictures/ada.webp", ContentFile(b"RIFF"))
    people.patient.save()
    PatientDetails.objects.update_or_create(user=people.patient, defaults={"street": "1 Sample Road"})
    create_feed(people.patient, now)
    notify_user("account.welcome", people.patient)
    return past, coming


def export(client, password=PASSWORD):
    return client.post("/api/auth/account/export", {"currentPassword": password}, format="json")


def read_archive(answer):
    content = answer.getvalue()
    archive = zipfile.ZipFile(io.BytesIO(content))
    assert archive.testzip() is None
    lists = {name[:-5]: json.loads(archive.read(name)) for name in archive.namelist() if name.endswith(".json")}
    return archive, lists


# --- Export -------------------------------------------------------------------------------------


def test_patient_export_contains_all_their_data(people, history, client_of):
    client = client_of(people.patient)
    doctors = client_of(people.doctor.user)
    doctors.get(f"/api/appointments/{history[0].pk}/visit")
    answer = export(client)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
    assert answer["Content-Disposition"] == f'attachment; filename="wellhour-{timezone.now().date()}.zip"'
    archive, lists = read_archive(answer)
    assert lists["person"][0]["email"] == people.patient.email
    assert {row["symptoms"] for row in lists["appointments"]} == {SECRET, "Still coughing."}
    assert [row["diagnosis"] for row in lists["records"]] == ["A cold."]
    assert lists["address-and-blood-group"][0]["street"] == "1 Sample Road"
    assert len(lists["sessions"]) == Session.objects.filter(user=people.patient).count() == 1
    assert [set(row) for row in lists["calendar-address"]] == [{"user_id", "created_at"}]
    assert [row["event"] for row in lists["notices"]] == ["calendar_feed.made", "account.welcome"]
    assert [row["name"] for row in lists["who-read-your-records"]] == [people.doctor.user.name]
    assert [(row["name"], row["view"], row["times"]) for row in lists["who-was-shown-your-data"]] == [
        (people.doctor.user.name, "visit", 1)
    ]  # fmt: skip
    assert len(lists["moved-appointments"]) == len(lists["your-doctors"]) == 1
    attachment = Attachment.objects.get()
    assert archive.read(f"files/{attachment.pk}/report.pdf") == b"%PDF-1.7"
    assert archive.read("portrait.webp") == b"RIFF"
    everything = b"".join(archive.read(name) for name in archive.namelist())
    assert people.patient.password.encode() not in everything
    assert people.other_patient.email.encode() not in everything
    last = AuditEvent.objects.latest("id")
    assert (last.event, last.agent_id, last.entity_id) == (
        "person.exported", people.patient.pk, str(people.patient.pk),
    )  # fmt: skip


def test_doctor_export_contains_no_patient_data(people, history, client_of):
    Verification.objects.create(
        doctor=people.doctor, submitted_at=timezone.now(), note="For staff alone.", document_name="license.pdf",
        document_type="application/pdf", document_stored_as=storages["records"].save("d/l.pdf", ContentFile(b"%PDF")),
    )  # fmt: skip
    archive, lists = read_archive(export(client_of(people.doctor.user)))
    assert len(lists["appointments"]) == 2
    assert (len(lists["weekly-hours"]), lists["practice"][0]["bio"]) == (WeeklyHours.objects.filter(
        doctor=people.doctor).count(), "Listens first.")  # fmt: skip
    [case] = lists["applications"]
    assert archive.read(f"applications/{case['id']}/license.pdf") == b"%PDF"
    everything = b"".join(archive.read(name) for name in archive.namelist())
    for foreign in (SECRET, "A cold.", people.patient.name, people.patient.email, "For staff alone."):
        assert foreign.encode() not in everything
    # Nor a patient's id, but where the trail says what the doctor did.
    assert str(people.patient.pk) not in json.dumps({**lists, "what-you-did-and-what-was-done": []})


def test_export_requires_the_password_and_is_limited(people, client_of):
    client = client_of(people.patient)
    for body in ({}, {"currentPassword": ""}, {"currentPassword": "wrong"}, {"currentPassword": 5}):
        answer = client.post("/api/auth/account/export", body, format="json")
        assert (answer.status_code, list(answer.json()["errors"])) == (400, ["currentPassword"])
    for _ in range(5):
        # Read to its end, so that its file is closed.
        read_archive(export(client))
    assert export(client).status_code == 429
    assert AuditEvent.objects.filter(event="person.exported").count() == 5


def test_lost_file_does_not_break_the_export(people, history, client_of):
    storages["records"].delete(Attachment.objects.get().stored_as)
    archive, lists = read_archive(export(client_of(people.patient)))
    assert f"files/{Attachment.objects.get().pk}/report.pdf.missing.txt" in archive.namelist()
    assert len(lists["appointments"]) == 2


def test_every_user_table_is_exported_or_excluded_explicitly(people, history, monkeypatch):
    taken = set()
    read_rows = account_export.read_rows
    monkeypatch.setattr(
        account_export, "read_rows", lambda rows, *more: taken.add(rows.model) or read_rows(rows, *more)
    )
    for person in (people.patient, people.doctor.user):
        for _, rows in account_export.iterate_sections(person):
            list(rows)
    ours = {
        model
        for model in apps.get_models()
        if model.__module__.split(".")[0] in {"accounts", "doctors", "appointments"}
    }
    # What counts, seals and holds for minutes is of nobody, and a draft is not written yet.
    assert {model.__name__ for model in ours - taken} == {
        "AuditSeal", "Heartbeat", "Reservation", "RecordDraft", "HeldTime", "OfferedTime", "MissedSearch",
        "ResetRequest", "StrayFile", "SpentTicket",
    }  # fmt: skip


def test_export_contains_the_second_step_without_its_secrets(people, client_of):
    client = client_of(people.patient)
    secret, codes = enrol(client, PASSWORD)
    device = Device()
    device.join(client, password=PASSWORD, recoveryCode=codes[0])
    out = io.BytesIO()
    account_export.write_export(people.patient, out, timezone.now(), actor=None)
    with zipfile.ZipFile(out) as archive:
        everything = b"".join(archive.read(name) for name in archive.namelist()).decode()
        app, keys = json.loads(archive.read("authenticator-app.json")), json.loads(archive.read("passkeys.json"))
        person, left = json.loads(archive.read("person.json")), json.loads(archive.read("recovery-codes.json"))
    assert (list(app[0]), len(left)) == (["user_id", "started_at", "turned_on_at"], 10)
    assert list(keys[0]) == ["id", "user_id", "name", "created_at", "last_used_at"]
    assert person[0]["second_step_at"]
    kept = [AuthenticatorApp.objects.get().secret, *RecoveryCode.objects.values_list("code_hash", flat=True)]
    for never in (secret, secret.replace(" ", ""), *codes, *kept, *device.keys):
        assert never not in everything


# --- Closing ------------------------------------------------------------------------------------


def test_closing_an_account_has_a_preview(people, history, client_of, api):
    client = client_of(people.patient)
    seen = client.get("/api/auth/account/closing").json()["data"]["effects"]
    assert (seen["upcoming"], seen["messages"]) == (1, 1)
    assert [one["_id"] for one in seen["appointments"]] == [str(history[1].pk)]
    assert "symptoms" not in seen["appointments"][0]
    wrong = client.post("/api/auth/account/close", {"currentPassword": "wrong"}, format="json")
    assert (wrong.status_code, list(wrong.json()["errors"])) == (400, ["currentPassword"])
    answer = client.post("/api/auth/account/close", {"currentPassword": PASSWORD}, format="json")
    assert (answer.status_code, answer.json()["message"]) == (200, "Your account is closed")
    assert client.get("/api/auth/profile").status_code == 401
    shown = client_of(people.doctor.user).get(f"/api/appointments/{history[1].pk}").json()["data"]["appointment"]
    assert (shown["status"], shown["cancelledBy"]) == ("cancelled", "patient")
    assert Notice.objects.filter(event="appointment.cancelled", recipient=people.doctor.pk).count() == 1
    # The record stays on the other side.
    kept = client_of(people.doctor.user).get(f"/api/appointments/{history[0].pk}").json()["data"]["appointment"]
    assert (kept["patient"]["name"], kept["diagnosis"]) == (people.patient.name, "A cold.")
    ended = AuditEvent.objects.get(event="account.ended")
    assert (ended.agent_id, ended.entity_id) == (people.patient.pk, str(people.patient.pk))
    again = {"email": people.patient.email, "password": PASSWORD, "role": "patient"}
    assert api.post("/api/auth/login", again, format="json").json()["code"] == "login_failed"


def test_email_of_a_closed_account_is_kept_only_in_its_last_message(people, client_of, mailoutbox):
    address = people.patient.email
    closed = client_of(people.patient).post("/api/auth/account/close", {"currentPassword": PASSWORD}, format="json")
    assert closed.status_code == 200
    kept = Notice.objects.exclude(address="")
    assert list(kept.values_list("event", "address")) == [("account.ended", address)]
    deliver_notices(timezone.now())
    assert [mail.to for mail in mailoutbox if mail.subject == "Your account is closed"] == [[address]]
    assert not kept.exists()


def test_erasure_deletes_the_email_even_of_unsent_messages(people, history, capsys):
    call_command("erase_person", people.patient.email, "--yes")
    assert not Notice.objects.exclude(address="").exists()


def test_export_contains_messages_and_their_addresses(people, client_of, tmp_path):
    notify_user("account.registered", people.patient, address="elsewhere@example.com")
    target = tmp_path / "ada.zip"
    call_command("export_person", people.patient.email, "--to", str(target))
    with zipfile.ZipFile(target) as archive:
        (row,) = json.loads(archive.read("notices.json"))
    assert (row["event"], row["address"], row["state"]) == ("account.registered", "elsewhere@example.com", "waiting")


def test_preview_for_a_doctor_shows_no_patient_text(people, history, client_of):
    answer = client_of(people.doctor.user).get("/api/auth/account/closing")
    assert "Still coughing." not in answer.content.decode()
    assert not AuditEvent.objects.filter(event="record.read").exists()


def test_last_admin_cannot_close_their_account(people, client_of):
    client = client_of(people.admin)
    for answer in (
        client.get("/api/auth/account/closing"),
        client.post("/api/auth/account/close", {"currentPassword": PASSWORD}, format="json"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (409, "last_admin")
    AdminFactory.create()
    assert client.post("/api/auth/account/close", {"currentPassword": PASSWORD}, format="json").status_code == 200


# --- Commands -----------------------------------------------------------------------------------


def test_export_person_writes_a_file_readable_by_its_owner_only(people, history, tmp_path, capsys):
    target = tmp_path / "ada.zip"
    call_command("export_person", people.patient.email.upper(), "--to", str(target))
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    with zipfile.ZipFile(target) as archive:
        assert json.loads(archive.read("person.json"))[0]["id"] == str(people.patient.pk)
    event = AuditEvent.objects.latest("id")
    assert (event.event, event.agent_id, event.entity_id) == ("person.exported", None, str(people.patient.pk))
    assert str(target) in capsys.readouterr().out
    with pytest.raises(CommandError, match="already exists"):
        call_command("export_person", people.patient.email, "--to", str(target))
    with pytest.raises(CommandError, match="can't be written"):
        call_command("export_person", people.patient.email, "--to", str(tmp_path / "none" / "x.zip"))
    for nobody in ("nobody@example.com", "00000000-0000-0000-0000-000000000000"):
        with pytest.raises(CommandError, match="There is nobody with"):
            call_command("export_person", nobody, "--to", str(tmp_path / "y.zip"))
    assert not (tmp_path / "y.zip").exists()


def test_erase_person_keeps_only_the_medical_record(people, history, django_capture_on_commit_callbacks, capsys):
    past, coming = history
    patient = people.patient
    born = patient.date_of_birth
    with django_capture_on_commit_callbacks(execute=True):
        call_command("erase_person", patient.email, "--yes")
    assert "1 appointments made anonymous, 0 files deleted; 1 appointments stay for 10 years" in capsys.readouterr().out
    patient.refresh_from_db()
    assert (patient.email, patient.phone, patient.picture, patient.last_login) == (
        f"{patient.pk}@ended.invalid", "", "", None,
    )  # fmt: skip
    assert not default_storage.exists("pictures/ada.webp")
    # A record without its patient is none.
    assert (patient.date_of_birth, patient.name) == (born, past.patient_name)
    past.refresh_from_db()
    assert (past.symptoms, past.diagnosis, past.patient_name) == (SECRET, "A cold.", patient.name)
    assert (AppointmentRecord.objects.count(), Attachment.objects.count()) == (1, 1)
    coming.refresh_from_db()
    assert (coming.status, coming.patient_name, coming.symptoms) == ("cancelled", ERASED_NAME, "")
    assert not Session.objects.filter(user=patient).exists()
    assert not Notice.objects.filter(recipient=patient).exists()
    assert not CalendarFeed.objects.exists()
    assert PatientDetails.objects.get(user=patient).street == ""
    pair = PatientOfDoctor.objects.get()
    assert (pair.name, pair.email) == (patient.name, "")
    event = AuditEvent.objects.get(event="person.erased")
    assert (event.agent_id, event.detail) == (None, {"kept": 1, "anonymous": 1, "files": 0})


def test_doctors_reply_is_erased_only_with_its_patient(people, history, django_capture_on_commit_callbacks):
    coming = history[1]
    reply = "Rest at home."
    Appointment.objects.filter(pk=coming.pk).update(status="cancelled", reservation=None, cancel_reply=reply)
    rows = {role: taken(who(people, role))[0]["appointments"] for role in ROLES[:2]}
    assert sorted(row["cancel_reply"] for row in rows["patient"]) == ["", reply]
    assert all("cancel_reply" not in row for row in rows["doctor"])
    with django_capture_on_commit_callbacks(execute=True):
        erase_person(people.patient, actor=None, now=timezone.now())
    coming.refresh_from_db()
    assert (coming.patient_name, coming.cancel_reply) == (ERASED_NAME, "")


def test_erasure_affects_no_other_user(people, history, django_capture_on_commit_callbacks):
    neighbor, gone = people.other_patient, people.patient
    now, day = timezone.now(), timezone.now().date()
    # The neighbor has a record with the doctor, and the person who goes has none.
    kept = make_appointment(
        people.doctor, neighbor, day - timedelta(days=20), status="completed", symptoms="Own words."
    )
    cancelled = make_appointment(people.doctor, neighbor, day + timedelta(days=4), status="cancelled")
    Appointment.objects.filter(patient=gone).update(status="cancelled", attended=None)
    PatientDetails.objects.update_or_create(user=neighbor, defaults={"street": "2 Sample Road"})
    NoticeSettings.objects.update_or_create(user=neighbor)
    create_feed(neighbor, now)
    notify_user("account.welcome", neighbor)
    Session.objects.create(user=neighbor, created_at=now, last_seen_at=now, expires_at=now + timedelta(hours=1))
    models = (Session, NoticeSettings, CalendarFeed, PatientDetails)
    before = [list(model.objects.filter(user=neighbor).values()) for model in models]

    with django_capture_on_commit_callbacks(execute=True):
        erased = erase_person(gone, actor=None, now=now)

    assert (erased.kept, erased.anonymous) == (0, 2)
    assert [list(model.objects.filter(user=neighbor).values()) for model in models] == before
    assert Notice.objects.filter(recipient=neighbor, event="account.welcome").exists()
    for appointment in (kept, cancelled):
        appointment.refresh_from_db()
        assert appointment.patient_name == neighbor.name
    assert kept.symptoms == "Own words."
    pairs = dict(PatientOfDoctor.objects.filter(doctor=people.doctor).values_list("patient", "name"))
    assert pairs == {gone.pk: ERASED_NAME, neighbor.pk: neighbor.name}
    gone.refresh_from_db()
    assert gone.name == ERASED_NAME


def test_name_is_kept_only_for_the_doctor_with_a_record(people, history, django_capture_on_commit_callbacks):
    day, gone = timezone.now().date(), people.patient
    name = gone.name
    # The other doctor keeps a record of somebody else, and of this person nothing but an appointment that never was.
    make_appointment(people.other_doctor, people.other_patient, day - timedelta(days=20), status="completed")
    make_appointment(people.other_doctor, gone, day - timedelta(days=10), status="cancelled")
    with django_capture_on_commit_callbacks(execute=True):
        erase_person(gone, actor=None, now=timezone.now())
    pairs = dict(PatientOfDoctor.objects.filter(patient=gone).values_list("doctor", "name"))
    assert pairs == {people.doctor.pk: name, people.other_doctor.pk: ERASED_NAME}


def test_nothing_is_left_after_the_retention_period(
    people, history, settings, django_capture_on_commit_callbacks, capsys
):
    past, _ = history
    Proposal.objects.create(
        appointment=past, proposed_by="doctor", reason="Her mother asked.", date=past.date, time=past.time,
        time_zone="UTC", starts_at=past.starts_at, ends_at=past.ends_at, created_at=past.created_at,
        expires_at=past.starts_at, answer="declined",
    )  # fmt: skip
    RecordDraft.objects.create(appointment=past, content={"notes": SECRET}, saved_at=timezone.now())
    stored = Attachment.objects.get().stored_as
    Appointment.objects.filter(pk=past.pk).update(starts_at=timezone.now() - timedelta(days=3653, hours=1))
    with django_capture_on_commit_callbacks(execute=True):
        call_command("erase_person", people.patient.email, "--yes")
    assert "2 appointments made anonymous, 1 files deleted; 0 appointments stay" in capsys.readouterr().out
    assert not storages["records"].exists(stored)
    assert (AppointmentRecord.objects.count(), Attachment.objects.count(), RecordDraft.objects.count()) == (0, 0, 0)
    # Not one table still knows the name, the words or the address.
    for model in apps.get_models():
        if model is not AuditEvent:
            text = json.dumps(list(model.objects.values()), default=str)
            for word in (history[0].patient_name, SECRET, "A cold.", "Her mother asked.", "ada@", "1 Sample Road"):
                assert word not in text, (model, word)
    # A second time there is nothing to do, by the id alone.
    call_command("erase_person", str(people.patient.pk), "--yes")
    assert "0 appointments made anonymous, 0 files deleted; 0 appointments stay" in capsys.readouterr().out


def test_erasing_a_doctor_keeps_the_records_of_patients(people, history, django_capture_on_commit_callbacks, client_of):
    stored_as = storages["records"].save("d/l.pdf", ContentFile(b"%PDF"))
    case = Verification.objects.create(
        doctor=people.doctor, submitted_at=timezone.now(), message="Dear staff", license_number="EX-1",
        document_name="license.pdf", document_type="application/pdf", document_stored_as=stored_as,
    )  # fmt: skip
    BlockedTime.objects.create(
        doctor=people.doctor, date=timezone.now().date(), start_minute=0, end_minute=60, reason="My own dentist"
    )
    with django_capture_on_commit_callbacks(execute=True):
        call_command("erase_person", people.doctor.user.email, "--yes")
    case.refresh_from_db()
    assert (case.message, case.document, case.license_number) == ("", None, "EX-1")
    assert not storages["records"].exists(stored_as)
    assert not BlockedTime.objects.exists()
    shown = client_of(people.patient).get(f"/api/appointments/{history[0].pk}").json()["data"]["appointment"]
    assert (shown["doctor"]["name"], shown["diagnosis"]) == (history[0].doctor_name, "A cold.")
    people.doctor.refresh_from_db()
    assert people.doctor.bio == ""


def test_erase_person_asks_for_confirmation_and_rejects_the_last_admin(people, monkeypatch, capsys):
    with pytest.raises(CommandError, match="pass --yes"):
        call_command("erase_person", people.patient.email)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    for said in ("no", "", "yes please"):
        monkeypatch.setattr("builtins.input", lambda question, said=said: said)
        with pytest.raises(CommandError, match="Nothing was changed"):
            call_command("erase_person", people.patient.email)
    with pytest.raises(CommandError, match="last active admin"):
        call_command("erase_person", people.admin.email, "--yes")
    assert not AuditEvent.objects.exists()
    monkeypatch.setattr("builtins.input", lambda question: "yes")
    call_command("erase_person", people.patient.email)
    assert User.objects.get(pk=people.patient.pk).ended_at is not None


# --- Neighbours ---------------------------------------------------------------------------------

ROLES = ("patient", "doctor", "admin")


def who(people, role):
    return people.doctor.user if role == "doctor" else getattr(people, role)


def rows():
    """Return every row of every table of ours, by table and key."""
    return {(model.__name__, row.pk): model.objects.filter(pk=row.pk).values().get() for model in MAKERS
            for row in model.objects.order_by("pk")}  # fmt: skip


def move_in():
    """Bring one row of each table that belongs to somebody else; return all of theirs."""
    before = rows().keys()
    for make in MAKERS.values():
        make()
    Verification.objects.filter(document_stored_as="").update(document_stored_as="l/x.pdf", document_name="x.pdf")
    return {key: row for key, row in rows().items() if key not in before}


def taken(person):
    lists = {name: list(some) for name, some in account_export.iterate_sections(person)}
    return lists, [name for name, _ in account_export.iterate_files(person)]


@pytest.mark.parametrize("role", ROLES)
def test_export_contains_nothing_of_other_users(role, people, history):
    person = who(people, role)
    before = taken(person)
    assert len(move_in()) > 50
    assert taken(person) == before


@pytest.mark.parametrize("role", ROLES)
def test_erasure_deletes_nothing_of_other_users(role, people, history):
    AdminFactory.create()
    theirs = move_in()
    erase_person(who(people, role), actor=None, now=timezone.now())
    left = rows()
    assert {key: left.get(key) for key in theirs} == theirs


LISTS = {
    "person", "sessions", "notices", "notice-settings", "calendar-address", "authenticator-app", "recovery-codes",
    "passkeys", "appointments", "moved-appointments", "proposed-times", "what-you-did-and-what-was-done",
    "who-was-shown-your-data", "what-you-were-shown",
}  # fmt: skip
OF_ROLE = {
    "patient": {
        "address-and-blood-group",
        "records",
        "files",
        "booking-drafts",
        "your-doctors",
        "who-read-your-records",
    },
    "doctor": {"practice", "applications", "weekly-hours", "special-days", "blocked-time", "time-off"},
    "admin": set(),
}


@pytest.mark.parametrize("role", ROLES)
def test_each_role_exports_its_own_lists(role, people, history):
    assert set(taken(who(people, role))[0]) == LISTS | OF_ROLE[role]


def test_reason_of_a_proposal_is_exported_to_those_allowed_to_see_it(people, history):
    for by, answer in (("patient", "declined"), ("doctor", "withdrawn")):
        Proposal.objects.create(
            appointment=history[1], proposed_by=by, reason=f"Of the {by}.", date=history[1].date,
            time=history[1].time, time_zone="UTC", starts_at=history[1].starts_at, ends_at=history[1].ends_at,
            created_at=history[1].created_at, expires_at=history[1].starts_at, answer=answer,
        )  # fmt: skip
    told = {role: sorted(row["reason"] for row in taken(who(people, role))[0]["proposed-times"]) for role in ROLES[:2]}
    assert told == {"patient": ["Of the doctor.", "Of the patient."], "doctor": ["", "Of the doctor."]}


def test_removed_attachment_is_not_exported(people, history):
    Attachment.objects.update(removed_at=timezone.now())
    assert [name for name in taken(people.patient)[1] if name.startswith("files/")] == []


@pytest.mark.parametrize("role", ["patient", "doctor"])
def test_name_is_kept_only_where_a_record_needs_it(role, people):
    day = timezone.now().date() - timedelta(days=30)
    off = make_appointment(people.doctor, people.patient, day, status="cancelled", symptoms=SECRET)
    person = who(people, role)
    other = people.patient.name if role == "doctor" else people.doctor.user.name
    assert erase_person(person, actor=None, now=timezone.now()) == ErasureResult(0, 1, 0)
    person.refresh_from_db()
    off.refresh_from_db()
    assert person.name == ERASED_NAME
    # The other side's part of an appointment that never was is theirs.
    assert (off.doctor_name, off.patient_name) == ((ERASED_NAME, other) if role == "doctor" else (other, ERASED_NAME))
    assert off.symptoms == (SECRET if role == "doctor" else "")
