import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageOf } from '@/api/errors';
import type { AccountStatus, ListedUser } from '@/api/types';
import { type BulkStatusResult, setUserStatuses } from '@/api/users';
import { useUser } from '@/domain/session/session';
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

interface ActionTexts {
  title: (count: number) => string;
  body: MessageDescriptor;
  action: MessageDescriptor;
  done: (count: number) => string;
  /** Why nothing can be done. */
  none: MessageDescriptor;
}

const ACTION_TEXTS: Record<AccountStatus, ActionTexts> = {
  active: {
    title: (count) =>
      plural(count, {
        one: 'Are you sure you want to activate # user?',
        other: 'Are you sure you want to activate # users?',
      }),
    body: msg`They’ll be notified, and can sign in again. You can undo this.`,
    action: msg`Activate`,
    done: (count) => plural(count, { one: '# user activated.', other: '# users activated.' }),
    none: msg`All selected users are already active.`,
  },
  inactive: {
    title: (count) =>
      plural(count, {
        one: 'Are you sure you want to deactivate # user?',
        other: 'Are you sure you want to deactivate # users?',
      }),
    body: msg`They’ll be signed out everywhere and notified. Their upcoming appointments stay booked, and you’ll find them on the dashboard. You can undo this.`,
    action: msg`Deactivate`,
    done: (count) => plural(count, { one: '# user deactivated.', other: '# users deactivated.' }),
    none: msg`All selected users are already inactive.`,
  },
};

const opposite = (status: AccountStatus): AccountStatus =>
  status === 'active' ? 'inactive' : 'active';

/** "2 users deactivated. 1 user wasn’t. Ada Min: …": describe the result of a bulk action. */
export function resultText(
  { changed, refused }: BulkStatusResult,
  status: AccountStatus,
  names: ReadonlyMap<string, string>,
): string {
  const done = ACTION_TEXTS[status].done(changed.length);
  if (refused.length === 0) return done;
  const failed = plural(refused.length, { one: '# user wasn’t.', other: '# users weren’t.' });
  const reasons = refused.map(({ _id, message }) => {
    const name = names.get(_id);
    return name ? t`${name}: ${message}` : message;
  });
  return [done, failed, ...reasons].join(' ');
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
        toast.success(text, { label: t`Undo`, run: () => change.mutate(undoChange) });
      }
    },
    onError: (error) => toast.error(messageOf(error, t`Failed to update user status`)),
  });

  const ask = async (status: AccountStatus) => {
    // Users who already have the status are neither changed nor undone.
    const ids = users
      .filter((user) => selectedIds.includes(user._id) && user.status !== status)
      .map(({ _id }) => _id);
    const texts = ACTION_TEXTS[status];
    if (ids.length === 0) {
      toast.error(i18n._(texts.none));
      return;
    }
    const isConfirmed = await confirm({
      title: texts.title(ids.length),
      body: i18n._(texts.body),
      action: i18n._(texts.action),
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
        <Trans>Select all on this page</Trans>
      </label>
      {selectedIds.length > 0 ? (
        <Inline>
          <strong>
            <Plural value={selectedIds.length} one="# user selected" other="# users selected" />
          </strong>
          <Button variant="secondary" busy={change.isPending} onClick={() => ask('active')}>
            <Trans>Activate selected</Trans>
          </Button>
          <Button variant="danger" busy={change.isPending} onClick={() => ask('inactive')}>
            <Trans>Deactivate selected</Trans>
          </Button>
        </Inline>
      ) : (
        <p className="muted">{children}</p>
      )}
    </Toolbar>
  );
}
