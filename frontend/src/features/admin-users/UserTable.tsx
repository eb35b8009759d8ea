import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import type { ListedUser } from '@/api/types';
import { deleteUser, invalidateUsers, previewUserDeletion } from '@/api/users';
import { useUser } from '@/domain/session/session';
import { AccountBadge } from '@/domain/staff/verification/badges';
import { EffectsDialog } from '@/domain/staff/verification/EffectsDialog';
import { browserZone, formatDate, formatRelative, inZone } from '@/lib/dates';
import { capitalize } from '@/lib/names';
import { paths } from '@/lib/paths';
import { ROLE_LABELS } from '@/lib/roles';
import { Avatar } from '@/ui/Avatar';
import { Button } from '@/ui/Button';
import { DataTable } from '@/ui/DataTable';
import { Email } from '@/ui/Email';
import { Inline } from '@/ui/Inline';
import { Link } from '@/ui/Link';
import { toast } from '@/ui/toasts';
import { StatusButton } from './StatusButton';
import styles from './users.module.css';

interface Props {
  users: ListedUser[];
  selectedIds: string[];
  onSelect: (ids: string[]) => void;
  onDeleted: () => void;
}

/** A table of users; on a phone, a list of cards. */
export function UserTable({ users, selectedIds, onSelect, onDeleted }: Props) {
  const { t } = useLingui();
  return (
    <DataTable
      framed
      caption={t`Users`}
      columns={[
        { label: t`Selected`, isVisuallyHidden: true },
        t`User`,
        t`Role`,
        t`Status`,
        t`Joined`,
        t`Last sign-in`,
        t`Actions`,
      ]}
      className={styles.table}
    >
      <tbody>
        {users.map((user) => (
          <Row
            key={user._id}
            user={user}
            isSelected={selectedIds.includes(user._id)}
            onToggle={() =>
              onSelect(
                selectedIds.includes(user._id)
                  ? selectedIds.filter((id) => id !== user._id)
                  : [...selectedIds, user._id],
              )
            }
            onDeleted={onDeleted}
          />
        ))}
      </tbody>
    </DataTable>
  );
}

interface RowProps {
  user: ListedUser;
  isSelected: boolean;
  onToggle: () => void;
  onDeleted: () => void;
}

function Row({ user, isSelected, onToggle, onDeleted }: RowProps) {
  const { t } = useLingui();
  const mine = useUser()._id === user._id;
  const { name } = user;
  return (
    <tr data-chosen={isSelected ? '' : undefined}>
      <td className={styles.checkboxCell}>
        {!mine && (
          <label className={styles.checkbox}>
            <input type="checkbox" checked={isSelected} onChange={onToggle} />
            <span className="visually-hidden">
              <Trans>Select {name}</Trans>
            </span>
          </label>
        )}
      </td>
      <th scope="row" className={styles.userCell}>
        <Inline as="span" wrap={false} className={styles.user}>
          <Avatar name={user.name} src={user.profilePicture} size={44} />
          <span>
            {user.role === 'doctor' ? (
              <Link href={paths.adminDoctor(user._id)}>{user.name}</Link>
            ) : (
              user.name
            )}
            <span className={styles.email}>
              <Email address={user.email} />
            </span>
          </span>
        </Inline>
      </th>
      <td data-label={t`Role`}>{t(ROLE_LABELS[user.role])}</td>
      <td data-label={t`Status`}>
        <AccountBadge status={user.status} />
      </td>
      <td data-label={t`Joined`}>{formatDate(inZone(user.createdAt, browserZone()).date)}</td>
      <td data-label={t`Last sign-in`}>
        {user.lastSignInAt ? (
          <time dateTime={user.lastSignInAt}>{capitalize(formatRelative(user.lastSignInAt))}</time>
        ) : (
          <span className="muted">
            <Trans>Never</Trans>
          </span>
        )}
      </td>
      <td className={styles.actionsCell}>
        {mine ? (
          <span className="muted">
            <Trans>This is you</Trans>
          </span>
        ) : (
          <RowActions user={user} onDeleted={onDeleted} />
        )}
      </td>
    </tr>
  );
}

function RowActions({ user, onDeleted }: { user: ListedUser; onDeleted: () => void }) {
  const { t } = useLingui();
  const client = useQueryClient();
  const { name } = user;
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  return (
    <Inline gap={2} align="stretch" className={styles.actions}>
      <StatusButton person={user} />
      <Button variant="danger" onClick={() => setAsking(true)}>
        <Trans>
          Delete<span className="visually-hidden"> {name}</span>
        </Trans>
      </Button>
      {asking && (
        <EffectsDialog
          action="delete"
          title={t`Are you sure you want to delete this user?`}
          person={user}
          preview={() => previewUserDeletion(user._id)}
          actionLabel={t`Delete`}
          busyLabel={t`Deleting...`}
          fallback={t`Failed to delete user`}
          onSubmit={async () => {
            const { message } = await deleteUser(user._id);
            flushSync(close);
            // The row disappears with its buttons.
            onDeleted();
            toast.success(message);
            await invalidateUsers(client);
          }}
          onOutdated={() => void invalidateUsers(client)}
          onClose={close}
        />
      )}
    </Inline>
  );
}
