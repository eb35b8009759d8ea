import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { hasCode, messageOf } from '@/api/errors';
import { decideDoctor, forgetPeople } from '@/api/people';
import type { ApprovalState, Case, StaffDoctor } from '@/api/types';
import { doctorName } from '@/lib/names';
import { Button } from '@/ui/Button';
import { CheckboxGroup } from '@/ui/choices';
import { confirm } from '@/ui/confirm';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { Textarea } from '@/ui/inputs';
import { notify } from '@/ui/notices';
import { useForm } from '@/ui/useForm';
import {
  CHECK_KEYS,
  CHECKS,
  decisionValues,
  type License,
  unchecked,
  verdictOf,
  type Wish,
  wrong,
} from './case';
import { LicenseFields } from './LicenseFields';
import styles from './people.module.css';

const OPTIONS = CHECK_KEYS.map((value) => ({ value, label: CHECKS[value] }));

interface Props {
  doctor: StaffDoctor;
  /** The open case; without one, staff may approve after all. */
  shown: Case | undefined;
  onDone: () => void;
}

const STOOD: Record<ApprovalState, string> = {
  pending: 'No application is open.',
  approved: '',
  rejected: 'Rejected: patients cannot find or book this doctor. You may approve after all.',
  revoked: 'Revoked: patients cannot find or book this doctor. You may approve again.',
};

/** What staff saw, and what they decide: Approve, then Reject, always in this order. */
export function DecisionForm({ doctor, shown, onDone }: Props) {
  const client = useQueryClient();
  const [prefilled] = useState<License>(shown ?? doctor);
  // The form is checked against the button that was pressed.
  const wish = useRef<Wish>('approve');
  const [pressed, setPressed] = useState<Wish>('approve');
  const form = useForm({
    values: decisionValues(prefilled),
    validate: (values) => wrong(values, wish.current),
    submit: async (values) => {
      const missing = wish.current === 'approve' ? unchecked(values.checklist) : [];
      if (missing.length > 0 && !(await askAllTheSame(doctor.name, missing))) return;
      try {
        const verdict = verdictOf(values, prefilled, wish.current, { doctor, shown });
        const { message } = await decideDoctor(doctor._id, verdict);
        notify.success(message);
      } catch (error) {
        // The evidence is shown as it is now, and what was typed stays.
        if (hasCode(error, 'case_changed')) await forgetPeople(client);
        throw error;
      }
      await forgetPeople(client);
      onDone();
    },
    message: (error) => messageOf(error, 'Failed to update doctor status'),
  });
  const decide = (wanted: Wish) => {
    wish.current = wanted;
    setPressed(wanted);
    form.onSubmit();
  };
  const { state, reason } = doctor.approval;
  return (
    <section className={styles.sheet} aria-labelledby="decision">
      <ErrorSummary form={form} />
      <h2 id="decision">Your decision</h2>
      {!shown && STOOD[state] && <p>{STOOD[state]}</p>}
      {!shown && reason && (
        <p>
          Reason given: <q>{reason}</q>
        </p>
      )}
      {shown && doctor.isApproved && (
        <p>
          This doctor is approved already and has sent a new licence. Rejecting it leaves the
          approval as it is.
        </p>
      )}
      <form className="stack" data-gap="5" noValidate onSubmit={(event) => event.preventDefault()}>
        <CheckboxGroup
          {...form.field('checklist')}
          label="What you have checked"
          optional="unmarked"
          options={OPTIONS}
        />
        <LicenseFields form={form} />
        <Textarea
          {...form.field('note')}
          label="Note"
          hint="Only staff read it."
          optional
          maxLength={2000}
          rows={3}
        />
        {shown && (
          <Textarea
            {...form.field('reason')}
            label="Reason"
            hint="Needed to reject. The doctor reads it and can answer by applying again."
            optional="unmarked"
            maxLength={500}
            rows={3}
          />
        )}
        <div className="row">
          <Button
            busy={form.busy && pressed === 'approve'}
            busyLabel="Approving..."
            aria-disabled={form.busy || undefined}
            onClick={() => decide('approve')}
          >
            Approve
          </Button>
          {shown && (
            <Button
              variant="danger"
              busy={form.busy && pressed === 'reject'}
              busyLabel="Rejecting..."
              aria-disabled={form.busy || undefined}
              onClick={() => decide('reject')}
            >
              Reject
            </Button>
          )}
        </div>
      </form>
    </section>
  );
}

function askAllTheSame(name: string, missing: string[]): Promise<boolean> {
  return confirm({
    title: `Approve ${doctorName(name)} without having checked everything?`,
    body: (
      <>
        <p>Not ticked:</p>
        <ul className={styles.missing}>
          {missing.map((check) => (
            <li key={check}>{check}</li>
          ))}
        </ul>
      </>
    ),
    action: 'Approve',
  });
}
