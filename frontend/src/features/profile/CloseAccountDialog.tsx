import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useNavigate } from 'react-router-dom';
import { accountClosurePreviewQuery, closeAccount } from '@/api/account';
import { messageOf } from '@/api/errors';
import type { Effects, Role } from '@/api/types';
import { useSession, useUser } from '@/domain/session/session';
import { pluralize } from '@/lib/counts';
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
import { confirmPassword, PASSWORD_REQUIRED } from './currentPassword';
import styles from './profile.module.css';

/** Preview closing the account, and ask for the password. */
export default function CloseAccountDialog({ onClose }: { onClose: () => void }) {
  const formId = useId();
  const { email, role } = useUser();
  const session = useSession();
  const navigate = useNavigate();
  const effects = useQuery(accountClosurePreviewQuery);
  const form = useForm({
    values: { closePassword: '' },
    validate: ({ closePassword }) =>
      withoutEmpty({ closePassword: closePassword ? undefined : PASSWORD_REQUIRED }),
    submit: async ({ closePassword }) => {
      const { message } = await confirmPassword('closePassword', () => closeAccount(closePassword));
      session.clearSession();
      void navigate(paths.home);
      toast.success(message || 'Your account is closed');
    },
    message: (error) => messageOf(error, 'Failed to close your account'),
  });
  return (
    <Dialog
      title="Close your account?"
      onClose={onClose}
      actions={
        <>
          {effects.data && (
            <Button
              type="submit"
              form={formId}
              variant="danger"
              busy={form.busy}
              busyLabel="Closing..."
            >
              Close account
            </Button>
          )}
          <Button variant="secondary" onClick={onClose}>
            Keep account
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
            label="Your password"
            autoComplete="current-password"
          />
        </Stack>
      ) : effects.isError ? (
        // The server explains why the last admin cannot; offline users can retry.
        <Banner tone="error">
          <p>{messageOf(effects.error, 'We could not find out what closing would do')}</p>
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
  const { upcoming, messages, appointments } = effects;
  const more = upcoming - appointments.length;
  return (
    <>
      <p>
        This cannot be undone. You are signed out everywhere, and nobody finds you here any more.
      </p>
      {upcoming > 0 ? (
        <>
          <p>
            {pluralize(upcoming, 'appointment')} ahead {upcoming === 1 ? 'is' : 'are'} cancelled,
            and we tell {pluralize(messages, 'person', 'people')}:
          </p>
          <ul className={styles.affectedAppointments}>
            {appointments.map((appointment) => (
              <li key={appointment._id}>
                {formatDayTime(appointment.appointmentDate, appointment.appointmentTime)} with{' '}
                {role === 'doctor' ? appointment.patient.name : doctorName(appointment.doctor.name)}
              </li>
            ))}
            {more > 0 && <li>and {pluralize(more, 'more appointment')}</li>}
          </ul>
        </>
      ) : (
        role !== 'admin' && <p>You have no appointments ahead.</p>
      )}
      {role !== 'admin' && (
        <p className="muted">
          Past appointments stay in the records of{' '}
          {role === 'doctor' ? 'your patients' : 'the doctors whom you saw'}, as the law asks.
        </p>
      )}
    </>
  );
}
