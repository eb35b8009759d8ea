import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { messageOf } from '@/api/errors';
import {
  addPasskey,
  beginPasskey,
  passkeysQuery,
  removePasskey,
  renamePasskey,
  secondStepQuery,
} from '@/api/secondStep';
import type { Passkey } from '@/api/types';
import { formatInstant, formatRelative } from '@/lib/dates';
import { hasPasskeys, makePasskey, NoPasskey } from '@/lib/passkey';
import { complaints } from '@/lib/validate';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Dialog } from '@/ui/Dialog';
import { Disclosure } from '@/ui/Disclosure';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { TextInput } from '@/ui/inputs';
import { notify } from '@/ui/notices';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/states';
import { useForm } from '@/ui/useForm';
import { deviceName } from './device';
import { LastOne } from './LastOne';
import { NO_PASSWORD, withPassword } from './passwordAgain';
import styles from './profile.module.css';
import { useRecoveryCodes } from './RecoveryCodes';
import { useSecondStepChanged } from './secondStepChanged';
import { YourPassword } from './YourPassword';

const NO_NAME = 'Enter a name';

/** The passkeys that one signs in with. */
export default function PasskeysSection() {
  const { data: passkeys, isError, isFetching, refetch } = useQuery(passkeysQuery);
  const codes = useRecoveryCodes(passkeys);
  return (
    <Card as="section" className="stack" aria-labelledby="passkeys">
      <h2 id="passkeys" ref={codes.heading} tabIndex={-1}>
        Passkeys
      </h2>
      <p className="muted">
        Sign in with your fingerprint, your face or the lock of your device instead of a password.
        Once you have one, your password alone no longer lets anybody in.
      </p>
      {passkeys ? (
        passkeys.length > 0 && (
          <ul className={styles.sessions}>
            {passkeys.map((passkey) => (
              <Row key={passkey._id} passkey={passkey} isOnly={passkeys.length === 1} />
            ))}
          </ul>
        )
      ) : isError ? (
        <ErrorState
          title="We could not load your passkeys"
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      ) : (
        <Skeletons count={1}>
          <Skeleton height={56} />
        </Skeletons>
      )}
      {passkeys && hasPasskeys() && (
        // Folded away again once there is one more.
        <Disclosure key={passkeys.length} summary="Add a passkey" lazy>
          <AddForm onCodes={codes.show} />
        </Disclosure>
      )}
      {!hasPasskeys() && (
        <p>This browser has no passkeys at this address, so none can be added here.</p>
      )}
      {codes.dialog}
    </Card>
  );
}

function AddForm({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const changed = useSecondStepChanged();
  const form = useForm({
    values: { passkeyName: deviceName(navigator.userAgent), passkeyPassword: '' },
    validate: ({ passkeyName, passkeyPassword }) =>
      complaints({
        passkeyName: passkeyName.trim() ? undefined : NO_NAME,
        passkeyPassword: passkeyPassword ? undefined : NO_PASSWORD,
      }),
    submit: async ({ passkeyName, passkeyPassword }) => {
      const { ticket, options } = await withPassword('passkeyPassword', () =>
        beginPasskey(passkeyPassword),
      );
      const passkey = await makePasskey(options);
      const { data, message } = await addPasskey({ ticket, name: passkeyName.trim(), passkey });
      if (data.recoveryCodes) onCodes(data.recoveryCodes);
      notify.success(message || 'Passkey added');
      await changed();
    },
    message: (error) =>
      error instanceof NoPasskey ? error.message : messageOf(error, 'Failed to add the passkey'),
  });
  return (
    <form className="stack" noValidate onSubmit={form.onSubmit}>
      <ErrorSummary form={form} />
      <TextInput
        {...form.field('passkeyName')}
        label="Name"
        hint="So that you know it again."
        autoComplete="off"
        maxLength={60}
      />
      <YourPassword {...form.field('passkeyPassword')} />
      <div>
        <Button type="submit" busy={form.busy} busyLabel="Waiting for your passkey...">
          Add passkey
        </Button>
      </div>
    </form>
  );
}

function Row({ passkey, isOnly }: { passkey: Passkey; isOnly: boolean }) {
  const [asked, setAsked] = useState<'rename' | 'remove' | null>(null);
  const { name, createdAt, lastUsedAt } = passkey;
  return (
    <li className={styles.session}>
      <div>
        <strong>{name}</strong>
        <div className="muted small">
          {lastUsedAt ? `Last used ${formatRelative(lastUsedAt)}` : 'Not used yet'}; added{' '}
          {formatInstant(createdAt)}
        </div>
      </div>
      <div className="row">
        <Button variant="secondary" onClick={() => setAsked('rename')}>
          Rename <span className="visually-hidden">{name}</span>
        </Button>
        <Button variant="secondary" onClick={() => setAsked('remove')}>
          Remove <span className="visually-hidden">{name}</span>
        </Button>
      </div>
      {asked === 'rename' && <RenameDialog passkey={passkey} onClose={() => setAsked(null)} />}
      {asked === 'remove' && (
        <RemoveDialog passkey={passkey} isOnly={isOnly} onClose={() => setAsked(null)} />
      )}
    </li>
  );
}

interface DialogProps {
  passkey: Passkey;
  onClose: () => void;
}

function RenameDialog({ passkey, onClose }: DialogProps) {
  const formId = useId();
  const changed = useSecondStepChanged();
  const form = useForm({
    values: { name: passkey.name },
    validate: ({ name }) => complaints({ name: name.trim() ? undefined : NO_NAME }),
    submit: async ({ name }) => {
      const { message } = await renamePasskey(passkey._id, name.trim());
      notify.success(message || 'Passkey renamed');
      await changed();
      onClose();
    },
    message: (error) => messageOf(error, 'Failed to rename the passkey'),
  });
  return (
    <Dialog
      title="Rename the passkey"
      onClose={onClose}
      actions={
        <>
          <Button type="submit" form={formId} busy={form.busy} busyLabel="Renaming...">
            Rename
          </Button>
          <Button variant="secondary" onClick={onClose}>
            Keep the name
          </Button>
        </>
      }
    >
      <form id={formId} className="stack" noValidate onSubmit={form.onSubmit}>
        <ErrorSummary form={form} />
        <TextInput {...form.field('name')} label="Name" autoComplete="off" maxLength={60} />
      </form>
    </Dialog>
  );
}

function RemoveDialog({ passkey, isOnly, onClose }: DialogProps & { isOnly: boolean }) {
  const formId = useId();
  const changed = useSecondStepChanged();
  const { data: step } = useQuery(secondStepQuery);
  const form = useForm({
    values: { removePassword: '' },
    validate: ({ removePassword }) =>
      complaints({ removePassword: removePassword ? undefined : NO_PASSWORD }),
    submit: async ({ removePassword }) => {
      const { message } = await withPassword('removePassword', () =>
        removePasskey(passkey._id, removePassword),
      );
      notify.success(message || 'Passkey removed');
      onClose();
      await changed();
    },
    message: (error) => messageOf(error, 'Failed to remove the passkey'),
  });
  return (
    <Dialog
      title={`Remove the passkey ${passkey.name}?`}
      onClose={onClose}
      actions={
        <>
          <Button
            type="submit"
            form={formId}
            variant="danger"
            busy={form.busy}
            busyLabel="Removing..."
          >
            Remove passkey
          </Button>
          <Button variant="secondary" onClick={onClose}>
            Keep it
          </Button>
        </>
      }
    >
      <form id={formId} className="stack" noValidate onSubmit={form.onSubmit}>
        <ErrorSummary form={form} />
        <p>It lets nobody in any more. Delete it from your device too.</p>
        {isOnly && step && !step.app && <LastOne />}
        <YourPassword {...form.field('removePassword')} />
      </form>
    </Dialog>
  );
}
