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
  /** An application waits: the licence is corrected with the decision on it. */
  isOpen: boolean;
  onDone: () => void;
}

/** The approval that stands, and how it is corrected or ended. */
export function Standing({ doctor, isOpen, onDone }: Props) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const form = useForm({
    values: decisionValues(doctor),
    validate: (values) => wrong(values, 'approve'),
    submit: async (values) => {
      await decideDoctor(doctor._id, { isApproved: true, ...corrections(values, doctor) });
      notify.success('Licence corrected');
      await forgetPeople(client);
      onDone();
    },
    message: (error) => messageOf(error, 'Failed to update doctor status'),
  });
  const changed = Object.keys(corrections(form.values, doctor)).length > 0;
  return (
    <section className={styles.sheet} aria-labelledby="standing">
      <ErrorSummary form={form} />
      <h2 id="standing">Approved</h2>
      {doctor.approvedAt && (
        <p>Patients can find and book this doctor since {formatDate(dayOf(doctor.approvedAt))}.</p>
      )}
      <form className="stack" noValidate onSubmit={form.onSubmit}>
        {!isOpen && <LicenseFields form={form} />}
        <div className="row">
          {changed && (
            <Button type="submit" busy={form.busy} busyLabel="Saving...">
              Save the licence
            </Button>
          )}
          <Button variant="danger" onClick={() => setAsking(true)}>
            Revoke Approval
          </Button>
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
