import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageOf } from '@/api/errors';
import type { AccountStatus, ListedUser } from '@/api/types';
import { type BulkStatusResult, setUserStatuses } from '@/api/users';
import { useUser } from '@/domain/session/session';
import { pluralize } from '@/lib/counts';
import { Button } from '@/ui/Button';
import { confirm } from '@/ui/confirm';
import { Inline } from '@/ui/Inline';
import { Toolbar } from '@/ui/Toolbar';
import { toast } from '@/ui/toasts';
import { setCachedStatus } from './statusCache';
import styles from './users.module.css';

interface Props {
  users: ListedUser[];
  selectedIds: string[];
  onSelect: (ids: string[]) => void;
  /** Shown while no user is selected. */
  children: ReactNode;
}

const ACTION_TEXTS = {
  active: { verb: 'activate', done: 'activated', body: 'They are told, and can sign in again.' },
  inactive: {
    verb: 'deactivate',
    done: 'deactivated',
    body: 'They are signed out everywhere at once and told so. Their upcoming appointments stay booked and wait for you on the dashboard.',
  },
} satisfies Record<AccountStatus, unknown>;

const opposite = (status: AccountStatus): AccountStatus =>
  status === 'active' ? 'inactive' : 'active';

/** "2 users deactivated. 1 was not: Ada Min, …": describe the result of a bulk action. */
export function resultText(
  { changed, refused }: BulkStatusResult,
  status: AccountStatus,
  names: ReadonlyMap<string, string>,
): string {
  const done = `${pluralize(changed.length, 'user')} ${ACTION_TEXTS[status].done}.`;
  if (refused.length === 0) return done;
  const reasons = refused.map(({ _id, message }) =>
    [names.get(_id), message].filter(Boolean).join(': '),
  );
  return `${done} ${refused.length} ${refused.length === 1 ? 'was' : 'were'} not. ${reasons.join(' ')}`;
}

/** Select several users and deactivate or activate them, with an undo. */
export function BulkActionBar({ users, selectedIds, onSelect, children }: Props) {
  const me = useUser();
  const client = useQueryClient();
  const names = new Map(users.map(({ _id, name }) => [_id, name]));
  const selectableIds = users.filter(({ _id }) => _id !== me._id).map(({ _id }) => _id);
  const areAllSelected = selectableIds.length > 0 && selectedIds.length === selectableIds.length;

  const change = useMutation({
    mutationFn: ({ ids, status }: { ids: string[]; status: AccountStatus }) =>
      setUserStatuses(ids, status),
    onSuccess: (outcome, { status }) => {
      setCachedStatus(client, outcome.changed, status);
      const text = resultText(outcome, status, names);
      if (outcome.changed.length === 0) toast.error(text);
      else {
        const undoChange = { ids: outcome.changed, status: opposite(status) };
        toast.success(text, { label: 'Undo', run: () => change.mutate(undoChange) });
      }
    },
    onError: (error) => toast.error(messageOf(error, 'Failed to update user status')),
  });

  const ask = async (status: AccountStatus) => {
    // Users who already have the status are neither changed nor undone.
    const ids = users
      .filter((user) => selectedIds.includes(user._id) && user.status !== status)
      .map(({ _id }) => _id);
    const { verb, body } = ACTION_TEXTS[status];
    if (ids.length === 0) {
      toast.error(`Nobody of those chosen can be ${ACTION_TEXTS[status].done}: they are already.`);
      return;
    }
    const isConfirmed = await confirm({
      title: `Are you sure you want to ${verb} ${pluralize(ids.length, 'user')}?`,
      body: `${body} You can undo this.`,
      action: verb === 'activate' ? 'Activate' : 'Deactivate',
      tone: status === 'inactive' ? 'danger' : 'primary',
    });
    if (!isConfirmed) return;
    change.mutate({ ids, status });
    onSelect([]);
  };

  return (
    <Toolbar rowGap={2} gap={4} className={styles.bulkActions}>
      <label className={styles.checkbox}>
        <input
          type="checkbox"
          checked={areAllSelected}
          ref={(box) => {
            if (box) box.indeterminate = selectedIds.length > 0 && !areAllSelected;
          }}
          onChange={() => onSelect(areAllSelected ? [] : selectableIds)}
        />
        Select all on this page
      </label>
      {selectedIds.length > 0 ? (
        <Inline>
          <strong>{pluralize(selectedIds.length, 'user')} selected</strong>
          <Button variant="secondary" busy={change.isPending} onClick={() => ask('active')}>
            Activate selected
          </Button>
          <Button variant="danger" busy={change.isPending} onClick={() => ask('inactive')}>
            Deactivate selected
          </Button>
        </Inline>
      ) : (
        <p className="muted">{children}</p>
      )}
    </Toolbar>
  );
}
