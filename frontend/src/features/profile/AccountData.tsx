import { lazy, Suspense, useState } from 'react';
import { exportOwnData } from '@/api/account';
import { messageOf } from '@/api/errors';
import { useUser } from '@/domain/session/session';
import { withoutEmpty } from '@/lib/validate';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Disclosure } from '@/ui/Disclosure';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { DownloadIcon } from '@/ui/icons';
import { PasswordInput } from '@/ui/PasswordInput';
import { Stack } from '@/ui/Stack';
import { toast } from '@/ui/toasts';
import { useForm } from '@/ui/useForm';
import { confirmPassword, PASSWORD_REQUIRED } from './currentPassword';

// Rarely opened.
const CloseDialog = lazy(() => import('./CloseAccountDialog'));

/** Export one's data and close one's account. */
export function AccountData() {
  const [closing, setClosing] = useState(false);
  return (
    <Card as="section" gap={4} aria-labelledby="your-data">
      <h2 id="your-data">Your data</h2>
      <p className="muted">Everything that we keep about you, in one ZIP file.</p>
      <Disclosure summary="Download your data">
        <ExportForm />
      </Disclosure>
      <p className="muted">Closing your account is for good. We show first what it would do.</p>
      <div>
        <Button variant="danger" onClick={() => setClosing(true)}>
          Close your account
        </Button>
      </div>
      {closing && (
        <Suspense fallback={null}>
          <CloseDialog onClose={() => setClosing(false)} />
        </Suspense>
      )}
    </Card>
  );
}

function ExportForm() {
  const { email } = useUser();
  const form = useForm({
    values: { exportPassword: '' },
    validate: ({ exportPassword }) =>
      withoutEmpty({ exportPassword: exportPassword ? undefined : PASSWORD_REQUIRED }),
    submit: async ({ exportPassword }) => {
      await confirmPassword('exportPassword', () => exportOwnData(exportPassword));
      form.reset({ exportPassword: '' });
      toast.success('Saved with your downloads');
    },
    message: (error) => messageOf(error, 'Failed to export your data'),
  });
  return (
    <Stack as="form" noValidate onSubmit={form.onSubmit}>
      <ErrorSummary form={form} />
      {/* Tells password managers which account this password belongs to. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        {...form.field('exportPassword')}
        label="Your password"
        hint="Asked again, so that nobody else takes your data away."
        autoComplete="current-password"
      />
      <div>
        <Button
          type="submit"
          icon={<DownloadIcon size={20} />}
          busy={form.busy}
          busyLabel="Preparing..."
        >
          Download ZIP
        </Button>
      </div>
    </Stack>
  );
}
