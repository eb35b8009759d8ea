import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { messageOf } from '@/api/errors';
import { decideDoctor, forgetPeople, previewRevoked } from '@/api/people';
import type { StaffDoctor } from '@/api/types';
import { formatDate } from '@/lib/dates';
import { Button } from '@/ui/Button';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { notify } from '@/ui/notices';
import { useForm } from '@/ui/useForm';
import { corrections, dayOf, decisionValues, wrong } from './case';
import { EffectsDialog } from './EffectsDialog';
import { LicenseFields } from './LicenseFields';
import styles from './people.module.css';

interface Props {
  doctor: StaffDoctor;
  onDone: () => void;
}

/** What a decided case has led to, and how that can be changed. */
export function Standing({ doctor, onDone }: Props) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const { state, reason } = doctor.approval;
  const approved = state === 'approved';
  const form = useForm({
    values: decisionValues(doctor),
    validate: (values) => wrong(values, 'approve'),
    submit: async (values) => {
      const verdict = { isApproved: true, ...corrections(values, doctor) };
      const { message } = await decideDoctor(doctor._id, verdict);
      notify.success(approved ? 'Licence corrected' : message);
      await forgetPeople(client);
      onDone();
    },
    message: (error) => messageOf(error, 'Failed to update doctor status'),
  });
  const changed = Object.keys(corrections(form.values, doctor)).length > 0;
  return (
    <section className={styles.sheet} aria-labelledby="decision">
      <ErrorSummary form={form} />
      <h2 id="decision">{TITLES[state]}</h2>
      {approved && doctor.approvedAt && (
        <p>Patients can find and book since {formatDate(dayOf(doctor.approvedAt))}.</p>
      )}
      {!approved && (
        <p>Patients cannot find or book this doctor. Another application opens a new case.</p>
      )}
      {reason && (
        <p>
          Reason given: <q>{reason}</q>
        </p>
      )}
      <form className="stack" noValidate onSubmit={form.onSubmit}>
        <LicenseFields form={form} />
        <div className="row">
          {(changed || !approved) && (
            <Button type="submit" busy={form.busy} busyLabel="Saving...">
              {approved ? 'Save the licence' : 'Approve'}
            </Button>
          )}
          {approved && (
            <Button variant="danger" onClick={() => setAsking(true)}>
              Revoke Approval
            </Button>
          )}
        </div>
      </form>
      {asking && (
        <EffectsDialog
          act="revoke"
          title="Are you sure you want to revoke this approval?"
          person={doctor}
          preview={() => previewRevoked(doctor._id)}
          action="Revoke Approval"
          busyLabel="Revoking..."
          fallback="Failed to update doctor status"
          reasonHint="The doctor reads it and can answer by applying again."
          onSubmit={async (why) => {
            const { message } = await decideDoctor(doctor._id, { isApproved: false, reason: why });
            flushSync(() => setAsking(false));
            notify.success(message);
            await forgetPeople(client);
            onDone();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}

const TITLES: Record<StaffDoctor['approval']['state'], string> = {
  approved: 'Approved',
  pending: 'Not decided yet',
  rejected: 'Rejected',
  revoked: 'Approval revoked',
};
