import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { hasCode, messageOf } from '@/api/errors';
import type { Effects } from '@/api/types';
import { isOutdated, reportFailedAction } from '@/domain/failedAction';
import { formatShortDayTime } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Email } from '@/ui/Email';
import { ErrorState } from '@/ui/ErrorState';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import { Textarea } from '@/ui/Textarea';
import { useForm } from '@/ui/useForm';
import { consequences, type EffectfulAction } from './consequences';
import styles from './decision.module.css';

/** The number of appointments listed in the dialog. */
const MAX_APPOINTMENTS = 5;

interface Props {
  action: EffectfulAction;
  title: string;
  /** The affected user. */
  person: { _id: string; name: string; email: string };
  /** Load the preview. */
  preview: () => Promise<Effects>;
  actionLabel: string;
  busyLabel: string;
  /** The error message if the server sends none. */
  fallback: string;
  /** Require a reason, with this hint about who reads it. */
  reasonHint?: string;
  tone?: 'primary' | 'danger';
  /** Perform the action. Errors that a retry may fix are shown here and keep the typed text. */
  onSubmit: (reason: string) => Promise<void>;
  /** The page was outdated, which has been reported: refetch its data. */
  onOutdated: () => void;
  onClose: () => void;
  /** More content before the effects. */
  children?: ReactNode;
}

/** Errors of rules that always forbid the action: the page is not outdated. */
const PERMANENT_REFUSALS = ['last_admin', 'last_superuser', 'own_account'];

/** Confirm an action on an account, with a preview of its effects. */
export function EffectsDialog(props: Props) {
  const { t } = useLingui();
  const { action, person, reasonHint } = props;
  const effects = useQuery({
    queryKey: ['effects', action, person._id],
    queryFn: props.preview,
    // Never show a cached preview.
    staleTime: 0,
    gcTime: 0,
  });
  const form = useForm({
    values: { reason: '' },
    validate: ({ reason }): Record<string, string> =>
      !reasonHint || reason.trim() ? {} : { reason: t`Please give a reason.` },
    submit: async ({ reason }) => {
      try {
        await props.onSubmit(reason.trim());
      } catch (error) {
        if (!isOutdated(error) || hasCode(error, ...PERMANENT_REFUSALS)) throw error;
        // Fresh data may remove the row together with this dialog.
        reportFailedAction(error, {
          fallback: props.fallback,
          about: person.name,
          typedText: reason,
        });
        props.onClose();
        props.onOutdated();
      }
    },
    message: (error) => messageOf(error, props.fallback),
  });
  return (
    <Dialog
      role="alertdialog"
      title={props.title}
      onClose={props.onClose}
      actions={
        <>
          <Button
            variant={props.tone ?? 'danger'}
            busy={form.busy}
            busyLabel={props.busyLabel}
            aria-disabled={effects.data ? undefined : true}
            onClick={effects.data && (() => form.onSubmit())}
          >
            {props.actionLabel}
          </Button>
          <Button variant="secondary" onClick={props.onClose}>
            <Trans>Go back</Trans>
          </Button>
        </>
      }
    >
      <ErrorSummary form={form} />
      {props.children}
      <p className={styles.statement}>
        <strong>{person.name}</strong>
        <br />
        <span className="muted">
          <Email address={person.email} />
        </span>
      </p>
      {effects.isError ? (
        <ErrorState
          title={t`We couldn’t work out what this would do`}
          onRetry={() => effects.refetch()}
          busy={effects.isFetching}
        />
      ) : effects.data ? (
        <EffectsSummary action={action} personId={person._id} effects={effects.data} />
      ) : (
        <Skeletons count={3}>
          <Skeleton height={24} />
        </Skeletons>
      )}
      {reasonHint && (
        <Textarea
          {...form.field('reason')}
          label={t`Reason`}
          hint={reasonHint}
          maxLength={500}
          rows={3}
        />
      )}
    </Dialog>
  );
}

interface UpcomingAppointmentProps {
  appointment: Effects['appointments'][number];
  personId: string;
}

function UpcomingAppointment({ appointment, personId }: UpcomingAppointmentProps) {
  const { startsAt, appointmentDate, appointmentTime, doctor, patient } = appointment;
  const other = doctor._id === personId ? patient.name : doctorName(doctor.name);
  return (
    <li>
      <time dateTime={startsAt}>{formatShortDayTime(appointmentDate, appointmentTime)}</time>
      <span>
        <Trans>with {other}</Trans>
      </span>
    </li>
  );
}

interface EffectsSummaryProps {
  action: EffectfulAction;
  personId: string;
  effects: Effects;
}

function EffectsSummary({ action, personId, effects }: EffectsSummaryProps) {
  const { t } = useLingui();
  const shown = effects.appointments.slice(0, MAX_APPOINTMENTS);
  const more = effects.upcoming - shown.length;
  return (
    <Stack gap={2}>
      <ul className={styles.consequences}>
        {consequences(action, effects).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {shown.length > 0 && (
        <ul className={styles.upcoming} aria-label={t`Upcoming appointments`}>
          {shown.map((appointment) => (
            <UpcomingAppointment
              key={appointment._id}
              appointment={appointment}
              personId={personId}
            />
          ))}
          {more > 0 && (
            <li className="muted">
              <Trans>and {more} more</Trans>
            </li>
          )}
        </ul>
      )}
    </Stack>
  );
}
