"""Which keys each answer has, for whom: the reviewed list. `test_response_keys.py` holds every answer against it.

A shape is written once and shared. A line names the keys at one place; a line without a place names those of `data`
itself (see `response_recorder.py`). For a new route, run

    SHOW_ANSWERS=answers.txt python -m pytest -n0 -q adminpanel/tests/contracts/test_response_keys.py

which writes what came into that file, to be read with suspicion and pasted here. Ask of every key: may each of these
people see it, in each of these rows?
"""

from adminpanel.tests.contracts.response_recorder import nest

# --- Whose answers ----------------------------------------------------------------------------

DEAD = ("deactivated", "signed out")
PATIENTS = ("patient owner", "other patient")
DOCTORS = ("doctor owner", "other doctor", "unapproved doctor")
ADMIN = ("admin",)
SIGNED_IN = (*PATIENTS, *DOCTORS, *ADMIN)
VISITOR = ("anonymous",)
LIVING = (*VISITOR, *SIGNED_IN)
EVERYONE = (*LIVING, *DEAD)
OWNERS = ("patient owner", "doctor owner")

# --- What several answers share ---------------------------------------------------------------

PAGINATION = nest("pagination", "count countIsExact hasNext page pageSize")
HOSPITAL = """
    hospital: address name phone
    hospital.address: city country state street zipCode
"""
FREE_TIME = "date startsAt time"

# A doctor as anyone sees one. No email, phone, license number, birth date.
CARD = f"""
    _id bio consultationFee currency experience hospital instantConfirmation name nextFree nextTimes profilePicture
    rating specialization timeZone verifiedOn workingDays workingHours
    {HOSPITAL}
    nextFree: {FREE_TIME}
    nextTimes[]: {FREE_TIME}
    rating: average count
    workingHours: end start
"""
SPANS = "end start"
WEEKLY_HOURS = f"""
    weeklyHours: friday monday saturday sunday thursday tuesday wednesday
    weeklyHours.friday[]: {SPANS}
    weeklyHours.monday[]: {SPANS}
    weeklyHours.thursday[]: {SPANS}
    weeklyHours.tuesday[]: {SPANS}
    weeklyHours.wednesday[]: {SPANS}
"""
# An appointment without what is nobody's but the patient's and the doctor's.
APPOINTMENT_FOR_ADMIN = f"""
    _id appointmentDate appointmentTime attended bookedBy cancelReason cancelReply cancelRequest cancelUntil
    cancelledBy declined
    completableFrom completedAt consultationFee createdAt currency doctor endsAt hospital outsideHours patient proposal
    reopenUntil rescheduleUntil respondBy startsAt status timeZone undoUntil version
    cancelRequest: reason requestedAt
    doctor: _id name profilePicture specialization
    {HOSPITAL}
    patient: _id email name phone
    proposal: _id appointmentDate appointmentTime endsAt expiresAt minutes proposedBy reason startsAt timeZone
"""
PRESCRIPTION = """
    prescription: items notes
    prescription.items[]: days dose frequency medicine
"""
APPOINTMENT = f"""
    {APPOINTMENT_FOR_ADMIN}
    diagnosis followUpDays notes prescription record symptoms
    notes: doctor patient
    {PRESCRIPTION}
    record: version writtenAt
"""
RECORD = f"""
    diagnosis followUpDays notes prescription version writtenAt
    {PRESCRIPTION}
"""
DRAFT = f"""
    content revision savedAt
    content: diagnosis followUpDays notes prescription
    {nest("content", PRESCRIPTION)}
"""
FILE = "_id addedAt contentType name size"
# A patient's page at the doctor's desk.
PATIENT_IN_LIST = """
    _id age email gender lastVisit name nextVisit phone profilePicture visits
    lastVisit: appointmentId date startsAt time
    nextVisit: appointmentId date startsAt time
"""
PATIENT = f"{PATIENT_IN_LIST} \n bloodGroup dateOfBirth"
NOTICE = """
    _id at event facts label language lines path read title
    facts[]: name value
"""
# One's own account, by role.
PERSON = "_id createdAt dateOfBirth email emailConfirmed gender name pendingEmail phone profilePicture role status"
ADMINS_ACCOUNT = f"{PERSON} secondStepDue"
PATIENTS_ACCOUNT = f"""
    {PERSON} address bloodGroup
    address: city country state street zipCode
"""
DOCTORS_ACCOUNT = f"""
    {PERSON} approval bio consultationFee currency experience hasUniformHours hospital instantConfirmation isApproved
    licenseNumber rating specialization timeZone workingDays workingHours
    {WEEKLY_HOURS}
    approval: reason state
    {HOSPITAL}
    rating: average count
    workingHours: end start
"""
CASE = """
    _id decidedAt document licenseAuthority licenseExpiresOn licenseNumber licenseRegion message reason specialization
    state submittedAt
    document: contentType name size
"""
SCHEDULE = f"""
    absences blocked bufferMinutes cancelCutoffHours instantConfirmation maxDaysAhead minNoticeMinutes overrides
    timeZone visitMinutes weeklyHours
    absences[]: _id from reason to
    absences[].from: date time
    absences[].to: date time
    blocked[]: date end reason start
    overrides[]: date hours reason
    overrides[].hours[]: {SPANS}
    {WEEKLY_HOURS}
"""
BLOCKED = "_id date end reason start"
# An appointment that a change of hours would leave outside.
AFFECTED = f"""
    affected
    affected[]: _id alternatives appointmentDate appointmentId appointmentTime hasProposal kind mayCancel patientName
    affected[]: phone startsAt status suggested
    affected[].alternatives[]: {FREE_TIME}
    affected[].suggested: {FREE_TIME}
"""
ABSENCE = """
    absence
    absence: _id from reason to
    absence.from: date time
    absence.to: date time
"""
USER_FOR_ADMIN = "_id createdAt dateOfBirth email gender lastSignInAt name phone profilePicture role status"
DOCTOR_FOR_ADMIN = f"""
    _id approval approvedAt bio consultationFee createdAt currency email experience hospital isApproved
    licenseAuthority licenseExpiresOn licenseNumber licenseRegion missing name openCase
    openCaseKind phone profilePicture rating specialization status waitingSince
    approval: reason state
    {HOSPITAL}
    rating: average count
"""
EFFECTS = f"""
    appointments messages upcoming
    {nest("appointments[]", APPOINTMENT_FOR_ADMIN)}
"""
FIGURES = """
    bookings cancelledByAdmin cancelledByDoctor cancelledByPatient cancelledLate completed expired
    medianMinutesToConfirm noShows offeredMinutes searchesWithoutTime usedMinutes
"""
GROUP_FIGURES = "bookings cancelled completed name noShows"
UNREAD = f"""
    latest unread
    {nest("latest", NOTICE)}
"""
NOTICE_SETTINGS = """
    calendarInvitations channels language offeredChannels offeredLanguages offeredReminders quietHours reminders
    timeZone
    channels: changes reminders
    offeredChannels[]: label name
    offeredLanguages[]: code name
    quietHours: end start
"""
# What the browser hands to the device; where there are passkeys already, they are named by public ids.
PASSKEY = "_id createdAt lastUsedAt name"
TO_SIGN = """
    options ticket
    options: allowCredentials challenge rpId timeout userVerification
"""
# As above, with the passkeys of the person who is signed in.
TO_PROVE = f"{TO_SIGN}\noptions.allowCredentials[]: id type"
TO_MAKE = """
    options ticket
    options: attestation authenticatorSelection challenge excludeCredentials pubKeyCredParams rp timeout user
    options.authenticatorSelection: requireResidentKey residentKey userVerification
    options.pubKeyCredParams[]: alg type
    options.rp: id name
    options.user: displayName id name
"""
CALENDAR_LINES = """
    line: BEGIN CALSCALE CLASS CREATED DESCRIPTION DTEND DTSTAMP DTSTART END LAST-MODIFIED LOCATION METHOD
    line: PRODID SEQUENCE STATUS SUMMARY TRANSP UID URL VERSION
"""
HOLD = "doctorId expiresAt holdId respondBy startsAt"
ONE_APPOINTMENT = f"appointment \n {nest('appointment', APPOINTMENT)}"
CHANGED = f"changed \n {ONE_APPOINTMENT}"
ONE_APPOINTMENT_FOR_ADMIN = f"appointment \n {nest('appointment', APPOINTMENT_FOR_ADMIN)}"
NOTHING = ""

# --- What each answer to a reading call has ---------------------------------------------------

# (route, method): for whom, and what. A shape that begins with `!` has no envelope: it is no call of the API.
SHAPES: dict[tuple[str, str], list[tuple[tuple[str, ...], str]]] = {
    ("healthz", "GET"): [(EVERYONE, "! status")],
    ("readyz", "GET"): [(EVERYONE, "! amiss delivery housekeeping mail maintenance redis status storage version")],
    ("page", "GET"): [(EVERYONE, "! kind: text/html")],
    ("robots", "GET"): [(EVERYONE, "! kind: text/plain")],
    ("sitemap", "GET"): [(EVERYONE, "! kind: application/xml")],
    ("security-txt", "GET"): [(EVERYONE, "! kind: text/plain")],
    ("media", "GET"): [(EVERYONE, "! kind: image/webp")],
    ("schema", "GET"): [(EVERYONE, "! kind: application/vnd.oai.openapi")],
    ("api-docs", "GET"): [(EVERYONE, "! kind: text/html")],
    ("site-config", "GET"): [
        (
            EVERYONE,
            """
            bloodGroups bookableTimes contact currency defaultCountry demoAccounts dialing filterSpecializations
            homeClaims idleMinutes languages passwordMinLength policies siteName specializations texts
            dialing: callingCode trunkPrefix
            contact: address email phone
            homeClaims: patients rating support
            idleMinutes: admin doctor patient
            policies: bookingsPerHour doctorCancelsConfirmed openRequestsPerPatient pictureLinks
            """,
        )
    ],
    ("site-text-detail", "GET"): [(EVERYONE, "texts \n texts[]: language text updatedAt")],
    ("account-closing", "GET"): [(SIGNED_IN, f"effects \n {nest('effects', EFFECTS)}")],
    ("profile", "GET"): [
        (PATIENTS, f"user \n {nest('user', PATIENTS_ACCOUNT)}"),
        (DOCTORS, f"user \n {nest('user', DOCTORS_ACCOUNT)}"),
        (ADMIN, f"user \n {nest('user', ADMINS_ACCOUNT)}"),
    ],
    ("calendar-address", "GET"): [((*PATIENTS, *DOCTORS), "feed \n feed: createdAt")],
    ("calendar-feed", "GET"): [
        (EVERYONE, f"! {CALENDAR_LINES} \n line: NAME REFRESH-INTERVAL X-PUBLISHED-TTL X-WR-CALNAME")
    ],
    ("second-step", "GET"): [(SIGNED_IN, "secondStep \n secondStep: app due methods recoveryCodesLeft since")],
    ("passkey-list", "GET"): [(SIGNED_IN, f"passkeys \n {nest('passkeys[]', PASSKEY)}")],
    ("notice-settings", "GET"): [(SIGNED_IN, NOTICE_SETTINGS)],
    ("notice-list", "GET"): [(SIGNED_IN, f"notices pagination \n {nest('notices[]', NOTICE)} \n {PAGINATION}")],
    ("notice-unread", "GET"): [(SIGNED_IN, UNREAD)],
    ("session-list", "GET"): [
        (SIGNED_IN, "sessions \n sessions[]: _id createdAt current ipAddress lastSeenAt userAgent")
    ],
    ("doctor-list", "GET"): [
        (LIVING, f"corrected doctors pagination \n {nest('doctors[]', CARD)} \n {PAGINATION}"),
    ],
    ("doctor-filters", "GET"): [(LIVING, "example specializations \n example: city specialization")],
    ("doctor-detail", "GET"): [(LIVING, f"doctor \n {nest('doctor', CARD, 'weeklyHours', WEEKLY_HOURS)}")],
    ("doctor-slots", "GET"): [
        (LIVING, f"lastDay nextFree slots timeZone visitMinutes \n nextFree: {FREE_TIME} \n slots[]: date times")
    ],
    # Why a time can't be had is the doctor's and the staff's to know.
    ("slots-explain", "GET"): [
        ((*VISITOR, *PATIENTS, "other doctor", "unapproved doctor"), "open"),
        (("doctor owner", *ADMIN), "open reason"),
    ],
    ("schedule", "GET"): [(DOCTORS, f"schedule \n {nest('schedule', SCHEDULE)}")],
    ("doctor-verification-list", "GET"): [
        (DOCTORS, f"approval cases isApproved \n approval: reason state \n {nest('cases[]', CASE)}")
    ],
    ("doctor-dashboard", "GET"): [
        (
            DOCTORS,
            f"""
            asking next recent today totals unfinished waiting waitingForPatient
            {nest("asking[]", APPOINTMENT)}
            {nest("next[]", APPOINTMENT)}
            {nest("recent[]", APPOINTMENT)}
            {nest("today[]", APPOINTMENT)}
            {nest("unfinished[]", APPOINTMENT)}
            {nest("waiting[]", APPOINTMENT)}
            {nest("waitingForPatient[]", APPOINTMENT)}
            totals: appointments earnings patients today todayLeft unfinished waiting waitingForPatient
            totals.earnings[]: amount currency
            """,
        )
    ],
    ("doctor-calendar", "GET"): [
        (
            DOCTORS,
            f"""
            absences bufferMinutes days kept timeZone today visitMinutes visits
            absences[]: _id from reason to
            absences[].from: date time
            absences[].to: date time
            days[]: blocked date dayOff freeTimes hours reason
            {nest("days[].blocked[]", BLOCKED)}
            days[].hours[]: {SPANS}
            kept[]: date kind minutes patientName time
            visits[]: _id appointmentDate appointmentTime attended bookedBy bufferMinutes cancelRequest endsAt minutes
            visits[]: outsideHours
            visits[]: patient proposal startsAt status
            visits[].patient: _id name
            """,
        )
    ],
    ("doctor-patient-list", "GET"): [
        (
            DOCTORS,
            f"""
            pagination patients totals
            {nest("patients[]", PATIENT_IN_LIST)}
            totals: all female male other
            {PAGINATION}
            """,
        )
    ],
    ("doctor-patients-csv", "GET"): [
        (
            DOCTORS,
            (
                "! column: Age Appointments Date-of-birth Email Gender"
                " Last-appointment Name Next-appointment Patient-since Phone"
            ),
        )
    ],
    ("doctor-appointments-csv", "GET"): [
        (
            DOCTORS,
            """!
            column: Attended Booked-at Booked-by Currency Date Email Fee Outside-hours Patient Phone Status Time
            column: Time-zone
            """,
        )
    ],
    ("doctor-patient-detail", "GET"): [(("doctor owner",), f"patient \n {nest('patient', PATIENT)}")],
    ("doctor-patient-history", "GET"): [
        (
            ("doctor owner",),
            f"""
            appointments pagination patient
            {nest("appointments[]", APPOINTMENT)}
            {nest("patient", PATIENT)}
            {PAGINATION}
            """,
        )
    ],
    ("appointment-list", "GET"): [
        (
            (*PATIENTS, *DOCTORS),
            f"""
            appointments counts pagination
            {nest("appointments[]", APPOINTMENT)}
            counts: all cancelled completed confirmed pending
            {PAGINATION}
            """,
        ),
        (
            ADMIN,
            f"""
            appointments counts pagination
            {nest("appointments[]", APPOINTMENT_FOR_ADMIN)}
            counts: all cancelled completed confirmed pending
            {PAGINATION}
            """,
        ),
    ],
    ("appointment-detail", "GET"): [
        (
            who,
            f"""
            alternatives appointment history
            alternatives[]: {FREE_TIME}
            {nest("appointment", appointment)}
            history[]: changedAt changedBy from reason to
            history[].from: date time timeZone
            history[].to: date time timeZone
            """,
        )
        for who, appointment in ((OWNERS, APPOINTMENT), (ADMIN, APPOINTMENT_FOR_ADMIN))
    ],
    ("admin-dashboard", "GET"): [
        (
            ADMIN,
            f"""
            comparison decisions health stranded totals
            comparison: bookings newUsers
            comparison.bookings: last24Hours weekBefore
            comparison.newUsers: last24Hours weekBefore
            decisions[]: _id doctor kind missing submittedAt
            decisions[].doctor: _id email hospital name profilePicture specialization
            health: audit housekeeping notices version
            health.audit: late sealedAt unsealed
            health.housekeeping: beatAt late
            health.notices: beatAt failed late waiting
            stranded: appointments count
            {nest("stranded.appointments[]", APPOINTMENT_FOR_ADMIN)}
            totals: appointments approvedDoctors doctors newApplications patients pendingDoctors
            totals: renewals unfinished users
            """,
        )
    ],
    ("admin-analytics", "GET"): [
        (
            ADMIN,
            f"""
            by byCity bySpecialization from series to totals
            byCity[]: {GROUP_FIGURES}
            bySpecialization[]: {GROUP_FIGURES}
            {nest("series[]", FIGURES)}
            series[]: start
            {nest("totals", FIGURES)}
            """,
        )
    ],
    ("admin-records", "GET"): [
        (ADMIN, f"appointments pagination \n {nest('appointments[]', APPOINTMENT_FOR_ADMIN)} \n {PAGINATION}")
    ],
    ("admin-audit-list", "GET"): [
        (
            ADMIN,
            f"""
            events pagination
            events[]: action agentId agentName agentRole detail entityId entityName entityType event id outcome
            events[]: recordedAt requestId sourceAddress
            events[].detail: *
            {PAGINATION}
            """,
        )
    ],
    ("admin-reading-list", "GET"): [
        (
            ADMIN,
            f"""
            days pagination
            days[]: actorId actorName actorRole date lastAt people views
            {PAGINATION}
            """,
        )
    ],
    ("admin-readings-csv", "GET"): [
        (
            ADMIN,
            """!
            column: Date-(UTC) First-at Its-id Last-at Name Name-of-whose-data Role Times View What Who Whose-data
            """,
        )
    ],
    ("admin-audit-csv", "GET"): [
        (
            ADMIN,
            """!
            column: Action Detail Event From-address Id Its-id Name Outcome Recorded-at Request-id Role What Who
            """,
        )
    ],
    ("admin-user-list", "GET"): [
        (
            ADMIN,
            f"""
            pagination totals users
            totals: active admins all doctors inactive patients
            {nest("users[]", USER_FOR_ADMIN)}
            {PAGINATION}
            """,
        )
    ],
    ("admin-user-detail", "GET"): [(ADMIN, f"upcoming user \n {nest('user', USER_FOR_ADMIN)}")],
    ("admin-doctor-list", "GET"): [
        (
            ADMIN,
            f"""
            doctors pagination totals
            {nest("doctors[]", DOCTOR_FOR_ADMIN)}
            totals: all approved pending rejected revoked specializations
            {PAGINATION}
            """,
        )
    ],
    ("admin-doctor-detail", "GET"): [
        (
            ADMIN,
            f"""
            cases doctor upcoming
            {nest("cases[]", CASE)}
            cases[]: checklist decidedBy note revision
            cases[].checklist: identity license register specialization
            {nest("doctor", DOCTOR_FOR_ADMIN)}
            """,
        )
    ],
    ("admin-doctor-document", "GET"): [(ADMIN, "! kind: application/pdf")],
    ("calendar-file", "GET"): [(OWNERS, f"! {CALENDAR_LINES}")],
    ("visit", "GET"): [
        (
            ("patient owner",),
            f"""
            appointment attachments draft past patient record
            {nest("appointment", APPOINTMENT)}
            {nest("attachments[]", FILE)}
            {nest("record", RECORD)}
            """,
        ),
        (
            ("doctor owner",),
            f"""
            appointment attachments draft past patient record
            {nest("appointment", APPOINTMENT)}
            {nest("attachments[]", FILE)}
            {nest("draft", DRAFT)}
            {nest("past[]", APPOINTMENT)}
            patient: _id age bloodGroup dateOfBirth email gender name phone profilePicture
            {nest("record", RECORD)}
            """,
        ),
    ],
    ("booking-draft-detail", "GET"): [(PATIENTS, "draft \n draft: notes savedAt symptoms")],
    ("visit-versions", "GET"): [(OWNERS, f"pagination versions \n {nest('versions[]', RECORD)} \n {PAGINATION}")],
    ("prescription", "GET"): [(OWNERS, "! kind: application/pdf")],
    ("attachment-detail", "GET"): [(OWNERS, "! kind: application/pdf")],
    ("reader-list", "GET"): [
        (("patient owner",), f"pagination readers \n readers[]: at name role times what \n {PAGINATION}")
    ],
}

# --- What each answer to a writing call has ---------------------------------------------------

OWN_TRAIL = """
    action agent_id agent_role detail entity_id entity_type event id outcome recorded_at request_id source_address
    detail: *
"""
OWN_FILES = f"""
    file: appointments authenticator-app calendar-address moved-appointments notice-settings notices other
    file: passkeys person proposed-times recovery-codes sessions what-you-did-and-what-was-done what-you-were-shown
    file: who-was-shown-your-data
    moved-appointments[]: appointment_id changed_at changed_by from_date from_time from_time_zone id to_date to_time
    moved-appointments[]: reason to_time_zone
    notice-settings[]: channels invitations_off_since quiet_from quiet_until reminders time_zone user_id
    notices[]: address attempts channel created_at delivered_at detail due_at error event id lease_until merged_into_id
    notices[]: message_id read_at state subject_id subject_type version
    person[]: agreed_to_privacy_at created_at date_of_birth email email_confirmed_at ended_at gender id is_staff
    person[]: language last_login name pending_email phone role second_step_at status
    proposed-times[]: answer answered_at appointment_id created_at date ends_at expires_at id proposed_by reason
    proposed-times[]: respond_by_before starts_at time time_zone
    sessions[]: created_at ended_at ended_because expires_at id ip_address last_seen_at user_agent user_id
    {nest("what-you-did-and-what-was-done[]", OWN_TRAIL)}
"""
# Not whose data it was.
SHOWN_TO_ONE = """
    what-you-were-shown[]: actor_id actor_role day first_at id last_at subject_type times view
"""
# What both sides' own data has of an appointment.
OWN_APPOINTMENT = """
    attended booked_by cancel_requested_at cancelled_by completed_at confirmed_at confirmed_by_id consultation_fee
    created_at declined currency date respond_by_before undo_until
    doctor_id doctor_name ends_at hospital_city hospital_country hospital_name hospital_phone hospital_state
    hospital_street hospital_zip_code id outside_hours record_version recorded_at respond_by specialization starts_at
    status time time_zone updated_at version
"""

# By the name of the call in `valid_calls.py`.
WRITING: dict[str, str] = {
    "sign in": f"token user \n {nest('user', PATIENTS_ACCOUNT)}",
    "take the second step": f"token user \n {nest('user', PATIENTS_ACCOUNT)}",
    "ask to sign in by passkey": TO_SIGN,
    "sign in by passkey": f"token user \n {nest('user', PATIENTS_ACCOUNT)}",
    # The one time that the secret is shown.
    "begin an app": "secret \n secret: qr text uri",
    "turn it on": "recoveryCodes",
    "turn it off": NOTHING,
    "make recovery codes": "recoveryCodes",
    "begin a proof": TO_PROVE,
    "begin a passkey": TO_MAKE,
    "add a passkey": f"passkey recoveryCodes \n {nest('passkey', PASSKEY)}",
    "rename a passkey": f"passkey \n {nest('passkey', PASSKEY)}",
    "remove a passkey": NOTHING,
    "sign out": NOTHING,
    "sign out everywhere else": NOTHING,
    "register a patient": f"token user \n {nest('user', PATIENTS_ACCOUNT)}",
    "register a doctor": f"token user \n {nest('user', DOCTORS_ACCOUNT)}",
    "take one's data": f"""!
        {OWN_FILES}
        file: address-and-blood-group booking-drafts files records who-read-your-records your-doctors
        address-and-blood-group[]: blood_group city country state street user_id zip_code
        {nest("appointments[]", OWN_APPOINTMENT)}
        appointments[]: cancel_reason cancel_reply cancel_request_reason diagnosis doctor_notes follow_up_days
        appointments[]: patient_id patient_name patient_notes prescription_items prescription_notes symptoms
        appointments[].prescription_items[]: days dose frequency medicine
        booking-drafts[]: doctor_id id notes patient_id saved_at symptoms
        calendar-address[]: created_at user_id
        files[]: added_at appointment_id content_type id name removed_at sha256 size
        passkeys[]: created_at id last_used_at name user_id
        records[]: appointment_id diagnosis follow_up_days id notes prescription_items prescription_notes version
        records[]: written_at
        records[].prescription_items[]: days dose frequency medicine
        who-read-your-records[]: agent_id agent_role appointment name recorded_at
        who-was-shown-your-data[]: actor_id actor_role day first_at id last_at name person_id subject_id subject_type
        who-was-shown-your-data[]: times view
        your-doctors[]: doctor_id email gender id last_booked_at name patient_id since
    """,
    # Nothing of the patients' own.
    "take a doctor's data": f"""!
        {OWN_FILES}
        file: applications blocked-time practice special-days time-off weekly-hours
        applications[]: decided_at doctor_id document_name document_sha256 document_size document_type id
        applications[]: license_authority license_expires_on license_number license_region message reason revision
        applications[]: specialization state submitted_at
        {nest("appointments[]", OWN_APPOINTMENT)}
        blocked-time[]: date doctor_id end_minute id reason start_minute
        practice[]: approval approval_reason approved_at bio buffer_minutes cancel_cutoff_hours consultation_fee
        practice[]: experience hospital_city
        practice[]: hospital_country hospital_name hospital_phone hospital_state hospital_street hospital_zip_code
        practice[]: instant_confirmation license_authority license_expires_on license_number license_region
        practice[]: license_warned_days max_days_ahead min_notice_minutes next_free_at next_free_date next_free_until
        practice[]: rating_average rating_count specialization time_zone user_id appointment_minutes
        special-days[]: date doctor_id hours id reason
        time-off[]: doctor_id from_date from_minute id reason to_date to_minute
        weekly-hours[]: doctor_id end_minute id start_minute weekday
        {SHOWN_TO_ONE}
    """,
    "take an admin's data": f"""!
        {OWN_FILES}
        {SHOWN_TO_ONE}
    """,
    "close one's account": NOTHING,
    "make a calendar address": "address feed \n feed: createdAt",
    "take it back": NOTHING,
    "change a patient": f"user \n {nest('user', PATIENTS_ACCOUNT)}",
    "change a patient by form": f"user \n {nest('user', PATIENTS_ACCOUNT)}",
    "change a person who is a doctor": f"user \n {nest('user', DOCTORS_ACCOUNT)}",
    "change a person who is an admin": f"user \n {nest('user', ADMINS_ACCOUNT)}",
    "change the password": NOTHING,
    # The caller learns nothing.
    "forget the password": NOTHING,
    "check a reset link": NOTHING,
    "set a new one": NOTHING,
    "confirm an address": NOTHING,
    "have the link sent again": NOTHING,
    "have the link to a new address sent again": NOTHING,
    "drop a new address": NOTHING,
    "change notices": NOTICE_SETTINGS,
    "see notices": UNREAD,
    "unsubscribe from a kind of email": "kind",
    "end a session": NOTHING,
    "change the schedule": f"{AFFECTED} \n schedule \n {nest('schedule', SCHEDULE)}",
    "change it over an appointment": f"{AFFECTED} \n schedule \n {nest('schedule', SCHEDULE)}",
    "change a practice": f"user \n {nest('user', DOCTORS_ACCOUNT)}",
    "change a practice by form": f"user \n {nest('user', DOCTORS_ACCOUNT)}",
    "apply": f"case \n {nest('case', CASE)}",
    "apply with a document": f"case \n {nest('case', CASE)}",
    "book for a patient": ONE_APPOINTMENT,
    "block a stretch": f"blocked \n {nest('blocked', BLOCKED)}",
    "block an appointment's time": f"blocked \n {nest('blocked', BLOCKED)}",
    "take time off": f"{ABSENCE} \n {AFFECTED}",
    "change time off": f"{ABSENCE} \n affected",
    "undo time off": NOTHING,
    "open a stretch": NOTHING,
    "book": ONE_APPOINTMENT,
    "cancel": CHANGED,
    "cancel as admin": f"changed \n {ONE_APPOINTMENT_FOR_ADMIN}",
    "keep a time": HOLD,
    "keep a time as a visitor": HOLD,
    "let it go": NOTHING,
    "reschedule": ONE_APPOINTMENT,
    "propose": ONE_APPOINTMENT,
    "accept": ONE_APPOINTMENT,
    "say that one cannot come": f"cancelled \n {ONE_APPOINTMENT}",
    "say that one can come after all": CHANGED,
    "move at once": CHANGED,
    "undo a confirmation": CHANGED,
    "reopen": CHANGED,
    "confirm": CHANGED,
    "complete": CHANGED,
    "cancel by status as admin": f"changed \n {ONE_APPOINTMENT_FOR_ADMIN}",
    "cancel at the desk": f"changed \n {ONE_APPOINTMENT_FOR_ADMIN}",
    "stop an account": f"effects user \n {nest('effects', EFFECTS)} \n {nest('user', USER_FOR_ADMIN)}",
    "stop several": "changed refused \n refused[]: _id code message",
    "delete a user": f"effects \n {nest('effects', EFFECTS)}",
    "delete a doctor": f"effects \n {nest('effects', EFFECTS)}",
    "approve": f"changed doctor effects \n {nest('doctor', DOCTOR_FOR_ADMIN)} \n {nest('effects', EFFECTS)}",
    "revoke": f"changed doctor effects \n {nest('doctor', DOCTOR_FOR_ADMIN)} \n {nest('effects', EFFECTS)}",
    "write a record": f"{ONE_APPOINTMENT} \n record \n {nest('record', RECORD)}",
    "type a draft": f"draft \n {nest('draft', DRAFT)}",
    "throw a draft away": NOTHING,
    "save a booking draft": "draft \n draft: notes savedAt symptoms",
    "delete a booking draft": NOTHING,
    "attach a file": f"attachment \n {nest('attachment', FILE)}",
    "remove a file": NOTHING,
}

# --- What may be written while something is read ----------------------------------------------

# The session's last use is written, at most once a minute.
SESSION = "accounts_session"
TRAIL = "accounts_auditevent"
READ = "accounts_reading"
COUNTED = "who is shown somebody else's data is counted"
WRITES: dict[tuple[str, str], dict[str, str]] = {
    ("doctor-list", "GET"): {"doctors_missedsearch": "what is looked for in vain is counted, without who looked"},
    ("doctor-slots", "GET"): {"doctors_missedsearch": "as above"},
    ("appointment-list", "GET"): {
        READ: COUNTED,
        TRAIL: "a doctor who lists appointments has read what their patients wrote",
    },
    ("appointment-detail", "GET"): {READ: COUNTED, TRAIL: "a doctor who opens an appointment has read it"},
    ("doctor-dashboard", "GET"): {READ: COUNTED, TRAIL: "as with the list"},
    ("doctor-patient-history", "GET"): {READ: COUNTED, TRAIL: "as with the list"},
    ("doctor-patients-csv", "GET"): {READ: COUNTED, TRAIL: "taking a list away is audited"},
    ("doctor-appointments-csv", "GET"): {READ: COUNTED, TRAIL: "as above"},
    ("visit", "GET"): {READ: COUNTED, TRAIL: "as with an appointment"},
    ("visit-versions", "GET"): {READ: COUNTED, TRAIL: "as with an appointment"},
    ("prescription", "GET"): {READ: COUNTED, TRAIL: "as with an appointment"},
    ("attachment-detail", "GET"): {READ: COUNTED, TRAIL: "as with an appointment"},
    ("admin-audit-list", "GET"): {READ: COUNTED, TRAIL: "looking into the trail is written down"},
    ("admin-reading-list", "GET"): {READ: COUNTED, TRAIL: "looking at who read what is written down"},
    ("admin-readings-csv", "GET"): {TRAIL: "so is taking it away"},
    ("admin-audit-csv", "GET"): {TRAIL: "so is taking it away"},
    ("admin-doctor-document", "GET"): {READ: COUNTED, TRAIL: "so is reading a doctor's evidence"},
    ("account-closing", "GET"): {READ: COUNTED},
    ("admin-dashboard", "GET"): {READ: COUNTED},
    ("admin-doctor-detail", "GET"): {READ: COUNTED},
    ("admin-doctor-list", "GET"): {READ: COUNTED},
    ("admin-records", "GET"): {READ: COUNTED},
    ("admin-user-detail", "GET"): {READ: COUNTED},
    ("admin-user-list", "GET"): {READ: COUNTED},
    ("calendar-file", "GET"): {READ: COUNTED},
    ("doctor-calendar", "GET"): {READ: COUNTED},
    ("doctor-patient-detail", "GET"): {READ: COUNTED},
    ("doctor-patient-list", "GET"): {READ: COUNTED},
}

# --- What must be nowhere ---------------------------------------------------------------------

# Keys that no answer to a visitor or a patient has about a doctor, whatever stands above.
NEVER_PUBLIC = {
    "email", "phone", "licenseNumber", "licenseAuthority", "licenseRegion", "licenseExpiresOn", "dateOfBirth", "age",
    "gender", "password", "token", "status", "role", "createdAt", "pendingEmail", "emailConfirmed", "lastSignInAt",
    "isStaff", "is_staff", "is_superuser", "note", "checklist", "approval", "isApproved", "document", "cases",
}  # fmt: skip
# The clinic's own number stands on its door, and the site's on every page; `status` is the server's.
PUBLIC_ALL_THE_SAME = {"doctors[].hospital.phone", "doctor.hospital.phone", "contact.email", "contact.phone", "status"}
PUBLIC_ROUTES = (
    "doctor-list",
    "doctor-detail",
    "doctor-filters",
    "doctor-slots",
    "slots-explain",
    "site-config",
    "site-text-detail",
    "healthz",
    "readyz",
)
# Keys that hold clinical text; an admin is shown none.
CLINICAL = {
    "symptoms", "notes", "diagnosis", "prescription", "prescription_notes", "prescriptionNotes", "items", "medicine",
    "dose", "followUpDays", "record", "records", "versions", "draft", "attachments", "past", "bloodGroup", "allergies",
}  # fmt: skip
