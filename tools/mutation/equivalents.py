"""Mutants that no test can kill, each with the reason why nobody could tell the difference."""

EQUIVALENT: dict[str, str] = {
    "accounts/authentication.py SessionTokenAuthentication.get_active_session: filter:"
    " last_seen_at=session.last_seen_at -> (pk=session.pk)": (
        "of several requests at once each would write the same moment; it only saves a write"
    ),
    "accounts/auth/email_verification.py confirm_email: User.objects.filter(email=user.pending_email).exists()"
    " -> False": ("the constraint of one account an address answers the same `email_taken`"),
    "accounts/registration.py check_email_available: User.objects.filter(email=email).exists() -> False": (
        "the constraint of one account an address answers the same `email_taken`"
    ),
    "accounts/models/session.py SessionQuerySet.open: filter: ended_at=None -> (expires_at__gt=now)": (
        "both who ask for open sessions ask each again whether it lives or has ended"
    ),
    "accounts/auth/sessions.py list_active_sessions: .open(now) -> .all()": "each row is asked again whether it lives",
    "accounts/auth/login.py sign_in: .present() -> .all()": (
        "an ended account has a password that nothing fits, and is asked for its end again under the lock"
    ),
    "accounts/auth/password_reset.py send_reset_link: filter: state=Notice.State.WAITING -> (recipient=user,"
    " event=RESET_REQUESTED, attempts=0)": "when what was sent or dropped had been due is read by nobody",
    "doctors/views.py DirectoryViewSet.get_hold_owner: user.role == Role.PATIENT -> True": (
        "nobody but a patient keeps a time under their own name"
    ),
    "appointments/scheduling/booking.py book_appointment: isinstance(outcome, Refusal) -> False": (
        "without a slot there is no reservation either"
    ),
    "appointments/scheduling/account_closure.py lock_person: filter: role=Role.ADMIN -> (pk=user_id)": (
        "the active admins are locked for other people too then, which only takes longer"
    ),
    "appointments/scheduling/account_closure.py refuse_own_and_last: actor.role == Role.ADMIN -> True": (
        "nobody but an admin gets there without saying that it is their own account"
    ),
    "appointments/scheduling/account_closure.py set_account_status: user.role == Role.DOCTOR -> True": (
        "nobody but a doctor has a row whose next free time could be sought"
    ),
    "appointments/filters.py filter_by_patients: filter: doctor=doctor.pk -> ()": (
        "the appointments are the doctor's own and every row of a patient holds the same name and address;"
        " PostgreSQL refuses the second row of one patient"
    ),
    "appointments/filters.py match_word_for_reader: filter: doctor=reader.pk -> ()": (
        "the appointments are the doctor's own, and every row of a patient holds the same name and address"
    ),
    "appointments/models/appointment.py Appointment.compare_and_update: filter: status=self.status"
    " -> (pk=self.pk, version=self.version, **conditions)": "whatever changes the status counts the version up",
    "appointments/scheduling/rescheduling.py apply_new_time: not deleted -> False": (
        "where nothing was swept the same constraint refuses the second try too"
    ),
    "appointments/records/services.py list_past_appointments: filter: doctor=appointment.doctor_id ->"
    " (patient=appointment.patient_id, starts_at__lt=appointment.starts_at)": (
        "nobody but a doctor asks, who sees no appointments but their own"
    ),
    "appointments/patients.py load_figures: filter: doctor=doctor_id -> (patient__in=patient_ids)": (
        "every row of a patient leads to the same figures, for they are counted from the doctor's own appointments"
    ),
    'appointments/access_log.py list_readings: filter: entity_type="appointment"'
    " -> (event=RECORD_READ, entity_id=str(appointment.pk))": "nothing but appointments is ever read by this event",
    'adminpanel/account/export.py iterate_record_readers: filter: entity_type="appointment"'
    " -> (event=RECORD_READ, entity_id__in=map(str, batch))": "nothing but appointments is ever read by this event",
    "adminpanel/account/erasure.py erase_person: user.role == Role.DOCTOR -> True #2": "only doctors have a practice",
    "adminpanel/admin/users.py PatientDetailsInline.has_add_permission: False -> True": (
        "a patient's page takes no change at all, and shows the one address that there can be"
    ),
    "adminpanel/admin/users.py PatientDetailsInline.has_change_permission: False -> True": (
        "a patient's page takes no change at all, and all these fields are only shown"
    ),
    "adminpanel/admin/appointments.py ClinicalAdmin.change_view: self.clinical -> True": (
        "every such table has clinical text"
    ),
    "accounts/auth/recovery_codes.py use_code: filter: user=user -> (code_hash=hash_code(user, code), used_at=None)": (
        "the fingerprint is one of the person's id and the code"
    ),
    "accounts/auth/login.py sign_in: user is None -> False": "an unknown user has a reason, which refuses too",
    "accounts/auth/login.py sign_in_with_passkey: user is None -> False": (
        "an unknown user has a reason, which refuses too"
    ),
    "adminpanel/admin/base.py get_staff_user: not isinstance(request.user, User) -> False": (
        "the site lets nobody else as far, and an anonymous user has no permission either"
    ),
    "adminpanel/admin/doctors.py DoctorAdmin.reject_or_revoke.act: locked is None -> False": (
        "no doctor's row is ever deleted between the choice and the act, nor at any other time"
    ),
}
