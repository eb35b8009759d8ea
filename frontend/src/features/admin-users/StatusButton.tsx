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
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
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
      toast.error(messageOf(error, FALLBACK), { title: person.name });
      void invalidateUsers(client);
    },
  });

  return (
    <>
      <Button variant="secondary" onClick={() => setAsking(true)}>
        {stops ? 'Deactivate' : 'Activate'}
        <span className="visually-hidden"> {person.name}</span>
      </Button>
      {asking && (
        <EffectsDialog
          action={stops ? 'deactivate' : 'activate'}
          title={`Are you sure you want to ${stops ? 'deactivate' : 'activate'} this user?`}
          person={person}
          preview={() => previewUserStatus(person._id, stops ? 'inactive' : 'active')}
          actionLabel={stops ? 'Deactivate' : 'Activate'}
          busyLabel={stops ? 'Deactivating...' : 'Activating...'}
          fallback={FALLBACK}
          tone={stops ? 'danger' : 'primary'}
          onSubmit={async () => {
            const before = person.status;
            const message = await change(stops ? 'inactive' : 'active');
            toast.success(message, { label: 'Undo', run: () => undo.mutate(before) });
          }}
          onOutdated={() => void invalidateUsers(client)}
          onClose={close}
        />
      )}
    </>
  );
}

const FALLBACK = 'Failed to update user status';
