import { t } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useNavigate } from 'react-router-dom';
import { accountClosurePreviewQuery, closeAccount } from '@/api/account';
import { messageOf } from '@/api/errors';
import type { Effects, Role } from '@/api/types';
import { useSession, useUser } from '@/domain/session/session';
import { formatDayTime } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { withoutEmpty } from '@/lib/validate';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { PasswordInput } from '@/ui/PasswordInput';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import { toast } from '@/ui/toasts';
import { useForm } from '@/ui/useForm';
import { confirmPassword, passwordRequired } from './currentPassword';
import styles from './profile.module.css';

/** Preview closing the account, and ask for the password. */
export default function CloseAccountDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const formId = useId();
  const { email, role } = useUser();
  const session = useSession();
  const navigate = useNavigate();
  const effects = useQuery(accountClosurePreviewQuery);
  const form = useForm({
    values: { closePassword: '' },
    validate: ({ closePassword }) =>
      withoutEmpty({ closePassword: closePassword ? undefined : passwordRequired() }),
    submit: async ({ closePassword }) => {
      const { message } = await confirmPassword('closePassword', () => closeAccount(closePassword));
      session.clearSession();
      void navigate(paths.home);
      toast.success(message || t`Your account is closed`);
    },
    message: (error) => messageOf(error, t`We couldn’t close your account`),
  });
  return (
    <Dialog
      title={t`Close your account?`}
      onClose={onClose}
      actions={
        <>
          {effects.data && (
            <Button
              type="submit"
              form={formId}
              variant="danger"
              busy={form.busy}
              busyLabel={t`Closing...`}
            >
              {t`Close account`}
            </Button>
          )}
          <Button variant="secondary" onClick={onClose}>
            {t`Keep account`}
          </Button>
        </>
      }
    >
      {effects.data ? (
        <Stack id={formId} as="form" noValidate onSubmit={form.onSubmit}>
          <ErrorSummary form={form} />
          <Consequences effects={effects.data} role={role} />
          {/* Tells password managers which account this password belongs to. */}
          <input type="email" autoComplete="username" value={email} readOnly hidden />
          <PasswordInput
            {...form.field('closePassword')}
            label={t`Your password`}
            autoComplete="current-password"
          />
        </Stack>
      ) : effects.isError ? (
        // The server explains why the last admin cannot; offline users can retry.
        <Banner tone="error">
          <p>{messageOf(effects.error, t`We couldn’t check what closing your account would do`)}</p>
        </Banner>
      ) : (
        <Skeletons count={3}>
          <Skeleton height={24} />
        </Skeletons>
      )}
    </Dialog>
  );
}

function Consequences({ effects, role }: { effects: Effects; role: Role }) {
  const { t } = useLingui();
  const { upcoming, messages, appointments } = effects;
  const more = upcoming - appointments.length;
  return (
    <>
      <p>
        {role === 'admin'
          ? t`This can’t be undone. You’ll be signed out everywhere.`
          : t`This can’t be undone. You’ll be signed out everywhere, and your profile will be removed.`}
      </p>
      {upcoming > 0 ? (
        <>
          <p>
            <Trans>
              We’ll cancel{' '}
              <Plural
                value={upcoming}
                one="# upcoming appointment"
                other="# upcoming appointments"
              />{' '}
              and notify <Plural value={messages} one="# person" other="# people" />:
            </Trans>
          </p>
          <ul className={styles.affectedAppointments}>
            {appointments.map((appointment) => (
              <li key={appointment._id}>{appointmentText(appointment, role)}</li>
            ))}
            {more > 0 && (
              <li>
                <Plural value={more} one="and # more appointment" other="and # more appointments" />
              </li>
            )}
          </ul>
        </>
      ) : (
        role !== 'admin' && <p>{t`You have no upcoming appointments.`}</p>
      )}
      {role !== 'admin' && (
        <p className="muted">
          {role === 'doctor'
            ? t`Past appointments stay in your patients’ records, as required by law.`
            : t`Past appointments stay in the records of the doctors you saw, as required by law.`}
        </p>
      )}
    </>
  );
}

function appointmentText(appointment: Effects['appointments'][number], role: Role): string {
  const when = formatDayTime(appointment.appointmentDate, appointment.appointmentTime);
  const name = role === 'doctor' ? appointment.patient.name : doctorName(appointment.doctor.name);
  return t`${when} with ${name}`;
}
