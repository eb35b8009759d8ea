import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { messageOf } from '@/api/errors';
import {
  addPasskey,
  mfaQuery,
  passkeysQuery,
  removePasskey,
  renamePasskey,
  requestPasskeyOptions,
} from '@/api/mfa';
import type { Passkey } from '@/api/types';
import { passkeyErrorMessage } from '@/domain/session/passkeyErrorMessage';
import { formatInstant, formatRelative } from '@/lib/dates';
import { createPasskey, hasPasskeys } from '@/lib/passkey';
import { withoutEmpty } from '@/lib/validate';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Dialog } from '@/ui/Dialog';
import { Disclosure } from '@/ui/Disclosure';
import { ErrorState } from '@/ui/ErrorState';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { Inline } from '@/ui/Inline';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import { TextInput } from '@/ui/TextInput';
import { Toolbar } from '@/ui/Toolbar';
import { toast } from '@/ui/toasts';
import { useForm } from '@/ui/useForm';
import { deviceName } from './deviceName';
import { checkProof, PasswordAndFactor, useFactorProof } from './FactorProof';
import { LastFactorWarning } from './LastFactorWarning';
import styles from './profile.module.css';
import { useRecoveryCodes } from './RecoveryCodes';
import { useMfaChanged } from './useMfaChanged';

const NAME_REQUIRED = msg`Enter a name`;

/** The user's passkeys. */
export default function PasskeysSection() {
  const { t } = useLingui();
  const { data: passkeys, isError, isFetching, refetch } = useQuery(passkeysQuery);
  const codes = useRecoveryCodes(passkeys);
  return (
    <Card as="section" gap={4} aria-labelledby="passkeys">
      <h2 id="passkeys" ref={codes.heading} tabIndex={-1}>
        {t`Passkeys`}
      </h2>
      <p className="muted">
        {t`Sign in with your fingerprint, your face or the lock of your device instead of a password. Once you have one, a password alone won’t work.`}
      </p>
      {passkeys ? (
        passkeys.length > 0 && (
          <Stack as="ul" gap={0} divided>
            {passkeys.map((passkey) => (
              <Row key={passkey._id} passkey={passkey} isOnly={passkeys.length === 1} />
            ))}
          </Stack>
        )
      ) : isError ? (
        <ErrorState
          title={t`We couldn’t load your passkeys`}
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      ) : (
        <Skeletons count={1}>
          <Skeleton height={56} />
        </Skeletons>
      )}
      {passkeys && hasPasskeys() && (
        // Collapse the form after adding a passkey.
        <Disclosure key={passkeys.length} summary={t`Add a passkey`} lazy>
          <AddForm onCodes={codes.show} />
        </Disclosure>
      )}
      {!hasPasskeys() && <p>{t`Passkeys aren’t available in this browser at this address.`}</p>}
      {codes.dialog}
    </Card>
  );
}

function AddForm({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const { t } = useLingui();
  const onMfaChanged = useMfaChanged();
  const proof = useFactorProof('passkey');
  const form = useForm({
    values: { passkeyName: deviceName(navigator.userAgent), passkeyPassword: '' },
    validate: ({ passkeyName, passkeyPassword }) => ({
      ...withoutEmpty({ passkeyName: passkeyName.trim() ? undefined : t(NAME_REQUIRED) }),
      ...checkProof(proof, 'passkeyPassword', passkeyPassword),
    }),
    submit: async ({ passkeyName, passkeyPassword }) => {
      const { ticket, options } = await proof.submitWithFactor(
        (factor) => requestPasskeyOptions({ currentPassword: passkeyPassword, ...factor }),
        'passkeyPassword',
      );
      const passkey = await createPasskey(options);
      const { data, message } = await addPasskey({ ticket, name: passkeyName.trim(), passkey });
      if (data.recoveryCodes) onCodes(data.recoveryCodes);
      toast.success(message || t`Passkey added`);
      await onMfaChanged();
    },
    message: (error) => passkeyErrorMessage(error, t`We couldn’t add the passkey`),
  });
  return (
    <Stack as="form" noValidate onSubmit={form.onSubmit}>
      <ErrorSummary form={form} />
      <TextInput
        {...form.field('passkeyName')}
        label={t({ message: 'Name', context: 'of a passkey' })}
        hint={t`A name to recognize it by.`}
        autoComplete="off"
        maxLength={60}
      />
      <PasswordAndFactor proof={proof} errors={form.errors} {...form.field('passkeyPassword')} />
      <div>
        <Button type="submit" busy={form.busy} busyLabel={t`Waiting for your passkey...`}>
          {t`Add passkey`}
        </Button>
      </div>
    </Stack>
  );
}

function Row({ passkey, isOnly }: { passkey: Passkey; isOnly: boolean }) {
  const { t } = useLingui();
  const [asked, setAsked] = useState<'rename' | 'remove' | null>(null);
  const { name, lastUsedAt } = passkey;
  const added = formatInstant(passkey.createdAt);
  const lastUsed = lastUsedAt && formatRelative(lastUsedAt);
  return (
    <Toolbar as="li" className={styles.session}>
      <div>
        <strong>{name}</strong>
        <div className="muted small">
          {lastUsed ? t`Last used ${lastUsed}. Added ${added}.` : t`Not used yet. Added ${added}.`}
        </div>
      </div>
      <Inline>
        <Button variant="secondary" onClick={() => setAsked('rename')}>
          <Trans>
            Rename <span className="visually-hidden">{name}</span>
          </Trans>
        </Button>
        <Button variant="secondary" onClick={() => setAsked('remove')}>
          <Trans>
            Remove <span className="visually-hidden">{name}</span>
          </Trans>
        </Button>
      </Inline>
      {asked === 'rename' && <RenameDialog passkey={passkey} onClose={() => setAsked(null)} />}
      {asked === 'remove' && (
        <RemoveDialog passkey={passkey} isOnly={isOnly} onClose={() => setAsked(null)} />
      )}
    </Toolbar>
  );
}

interface DialogProps {
  passkey: Passkey;
  onClose: () => void;
}

function RenameDialog({ passkey, onClose }: DialogProps) {
  const { t } = useLingui();
  const formId = useId();
  const onMfaChanged = useMfaChanged();
  const form = useForm({
    values: { name: passkey.name },
    validate: ({ name }) => withoutEmpty({ name: name.trim() ? undefined : t(NAME_REQUIRED) }),
    submit: async ({ name }) => {
      const { message } = await renamePasskey(passkey._id, name.trim());
      toast.success(message || t`Passkey renamed`);
      await onMfaChanged();
      onClose();
    },
    message: (error) => messageOf(error, t`We couldn’t rename the passkey`),
  });
  return (
    <Dialog
      title={t`Rename the passkey`}
      onClose={onClose}
      actions={
        <>
          <Button type="submit" form={formId} busy={form.busy} busyLabel={t`Renaming...`}>
            {t`Rename`}
          </Button>
          <Button variant="secondary" onClick={onClose}>
            {t`Keep the name`}
          </Button>
        </>
      }
    >
      <Stack id={formId} as="form" noValidate onSubmit={form.onSubmit}>
        <ErrorSummary form={form} />
        <TextInput
          {...form.field('name')}
          label={t({ message: 'Name', context: 'of a passkey' })}
          autoComplete="off"
          maxLength={60}
        />
      </Stack>
    </Dialog>
  );
}

function RemoveDialog({ passkey, isOnly, onClose }: DialogProps & { isOnly: boolean }) {
  const { t } = useLingui();
  const { name } = passkey;
  const formId = useId();
  const onMfaChanged = useMfaChanged();
  const { data: step } = useQuery(mfaQuery);
  const proof = useFactorProof('remove');
  const form = useForm({
    values: { removePassword: '' },
    validate: ({ removePassword }) => checkProof(proof, 'removePassword', removePassword),
    submit: async ({ removePassword }) => {
      const { message } = await proof.submitWithFactor(
        (factor) => removePasskey(passkey._id, { currentPassword: removePassword, ...factor }),
        'removePassword',
      );
      toast.success(message || t`Passkey removed`);
      onClose();
      await onMfaChanged();
    },
    message: (error) => passkeyErrorMessage(error, t`We couldn’t remove the passkey`),
  });
  return (
    <Dialog
      title={t`Remove the passkey ${name}?`}
      onClose={onClose}
      actions={
        <>
          <Button
            type="submit"
            form={formId}
            variant="danger"
            busy={form.busy}
            busyLabel={t`Removing...`}
          >
            {t`Remove passkey`}
          </Button>
          <Button variant="secondary" onClick={onClose}>
            {t`Keep it`}
          </Button>
        </>
      }
    >
      <Stack id={formId} as="form" noValidate onSubmit={form.onSubmit}>
        <ErrorSummary form={form} />
        <p>{t`You won’t be able to sign in with it anymore. Delete it from your device too.`}</p>
        {isOnly && step && !step.app && <LastFactorWarning />}
        <PasswordAndFactor proof={proof} errors={form.errors} {...form.field('removePassword')} />
      </Stack>
    </Dialog>
  );
}
