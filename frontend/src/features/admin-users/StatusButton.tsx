import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { messageOf } from '@/api/errors';
import type { AccountStatus } from '@/api/types';
import { invalidateUsers, previewUserStatus, setUserStatus } from '@/api/users';
import { EffectsDialog } from '@/domain/staff/verification/EffectsDialog';
import { Button } from '@/ui/Button';
import { toast } from '@/ui/toasts';
import { setCachedStatus } from './statusCache';

interface Props {
  person: { _id: string; name: string; email: string; status: AccountStatus };
}

/** Deactivate or reactivate an account after a preview, with an undo. */
export function StatusButton({ person }: Props) {
  const { t } = useLingui();
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const { name } = person;
  const stops = person.status === 'active';
  const close = () => setAsking(false);

  const change = async (status: AccountStatus) => {
    const { data, message } = await setUserStatus(person._id, status);
    flushSync(close);
    setCachedStatus(client, [person._id], data.user.status);
    return message;
  };
  const undo = useMutation({
    mutationFn: change,
    onSuccess: (message) => toast.success(message),
    onError: (error) => {
      toast.error(messageOf(error, t(FALLBACK)), { title: name });
      void invalidateUsers(client);
    },
  });

  return (
    <>
      <Button variant="secondary" onClick={() => setAsking(true)}>
        {stops ? (
          <Trans>
            Deactivate<span className="visually-hidden"> {name}</span>
          </Trans>
        ) : (
          <Trans>
            Activate<span className="visually-hidden"> {name}</span>
          </Trans>
        )}
      </Button>
      {asking && (
        <EffectsDialog
          action={stops ? 'deactivate' : 'activate'}
          title={
            stops
              ? t`Are you sure you want to deactivate this user?`
              : t`Are you sure you want to activate this user?`
          }
          person={person}
          preview={() => previewUserStatus(person._id, stops ? 'inactive' : 'active')}
          actionLabel={stops ? t`Deactivate` : t`Activate`}
          busyLabel={stops ? t`Deactivating...` : t`Activating...`}
          fallback={t(FALLBACK)}
          tone={stops ? 'danger' : 'primary'}
          onSubmit={async () => {
            const before = person.status;
            const message = await change(stops ? 'inactive' : 'active');
            toast.success(message, { label: t`Undo`, run: () => undo.mutate(before) });
          }}
          onOutdated={() => void invalidateUsers(client)}
          onClose={close}
        />
      )}
    </>
  );
}

const FALLBACK = msg`Failed to update user status`;
