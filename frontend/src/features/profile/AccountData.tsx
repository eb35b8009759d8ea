import { useLingui } from '@lingui/react/macro';
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
import { confirmPassword, passwordRequired } from './currentPassword';

// Rarely opened.
const CloseDialog = lazy(() => import('./CloseAccountDialog'));

/** Export one's data and close one's account. */
export function AccountData() {
  const { t } = useLingui();
  const [closing, setClosing] = useState(false);
  return (
    <Card as="section" gap={4} aria-labelledby="your-data">
      <h2 id="your-data">{t`Your data`}</h2>
      <p className="muted">{t`Everything we store about you, in one ZIP file.`}</p>
      <Disclosure summary={t`Download your data`}>
        <ExportForm />
      </Disclosure>
      <p className="muted">{t`Closing your account is permanent. You’ll see what happens first.`}</p>
      <div>
        <Button variant="danger" onClick={() => setClosing(true)}>
          {t`Close your account`}
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
  const { t } = useLingui();
  const { email } = useUser();
  const form = useForm({
    values: { exportPassword: '' },
    validate: ({ exportPassword }) =>
      withoutEmpty({ exportPassword: exportPassword ? undefined : passwordRequired() }),
    submit: async ({ exportPassword }) => {
      await confirmPassword('exportPassword', () => exportOwnData(exportPassword));
      form.reset({ exportPassword: '' });
      toast.success(t`Saved to your downloads`);
    },
    message: (error) => messageOf(error, t`We couldn’t export your data`),
  });
  return (
    <Stack as="form" noValidate onSubmit={form.onSubmit}>
      <ErrorSummary form={form} />
      {/* Tells password managers which account this password belongs to. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        {...form.field('exportPassword')}
        label={t`Your password`}
        hint={t`Confirm it’s you to download your data.`}
        autoComplete="current-password"
      />
      <div>
        <Button
          type="submit"
          icon={<DownloadIcon size={20} />}
          busy={form.busy}
          busyLabel={t`Preparing...`}
        >
          {t`Download ZIP`}
        </Button>
      </div>
    </Stack>
  );
}
