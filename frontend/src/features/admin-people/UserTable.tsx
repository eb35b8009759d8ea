import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import {
  deleteUser,
  forgetPeople,
  previewDeletedUser,
  previewUserStatus,
  setUserStatus,
} from '@/api/people';
import type { ListedUser } from '@/api/types';
import { useUser } from '@/domain/session/session';
import { browserZone, formatDate, formatRelative, inZone } from '@/lib/dates';
import { capitalize } from '@/lib/names';
import { paths } from '@/lib/paths';
import { Button } from '@/ui/Button';
import { Email } from '@/ui/Email';
import { Face } from '@/ui/Face';
import { Link } from '@/ui/Link';
import { notify } from '@/ui/notices';
import { AccountBadge } from './badges';
import { EffectsDialog } from './EffectsDialog';
import styles from './people.module.css';
import { placeStatus } from './placing';

interface Props {
  users: ListedUser[];
  chosen: string[];
  onChoose: (ids: string[]) => void;
  onDeleted: () => void;
}

/** People, a row each; on a phone, a card each. */
export function UserTable({ users, chosen, onChoose, onDeleted }: Props) {
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">Users</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">Selected</span>
          </th>
          <th scope="col">User</th>
          <th scope="col">Role</th>
          <th scope="col">Status</th>
          <th scope="col">Joined</th>
          <th scope="col">Last sign-in</th>
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        {users.map((user) => (
          <Row
            key={user._id}
            user={user}
            chosen={chosen.includes(user._id)}
            onToggle={() =>
              onChoose(
                chosen.includes(user._id)
                  ? chosen.filter((id) => id !== user._id)
                  : [...chosen, user._id],
              )
            }
            onDeleted={onDeleted}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  user: ListedUser;
  chosen: boolean;
  onToggle: () => void;
  onDeleted: () => void;
}

function Row({ user, chosen, onToggle, onDeleted }: RowProps) {
  const mine = useUser()._id === user._id;
  return (
    <tr data-chosen={chosen ? '' : undefined}>
      <td className={styles.pickCell}>
        {!mine && (
          <label className={styles.pick}>
            <input type="checkbox" checked={chosen} onChange={onToggle} />
            <span className="visually-hidden">Select {user.name}</span>
          </label>
        )}
      </td>
      <th scope="row" className={styles.userCell}>
        <span className={styles.user}>
          <Face name={user.name} src={user.profilePicture} size={44} />
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
        </span>
      </th>
      <td data-label="Role">{capitalize(user.role)}</td>
      <td data-label="Status">
        <AccountBadge status={user.status} />
      </td>
      <td data-label="Joined">{formatDate(inZone(user.createdAt, browserZone()).date)}</td>
      <td data-label="Last sign-in">
        {user.lastSignInAt ? (
          <time dateTime={user.lastSignInAt}>{capitalize(formatRelative(user.lastSignInAt))}</time>
        ) : (
          <span className="muted">Never</span>
        )}
      </td>
      <td className={styles.actsCell}>
        {mine ? (
          <span className="muted">This is you</span>
        ) : (
          <Acts user={user} onDeleted={onDeleted} />
        )}
      </td>
    </tr>
  );
}

function Acts({ user, onDeleted }: { user: ListedUser; onDeleted: () => void }) {
  const client = useQueryClient();

  const [asking, setAsking] = useState<'status' | 'delete' | null>(null);
  const stops = user.status === 'active';
  const after = stops ? 'inactive' : 'active';
  const close = () => setAsking(null);
  return (
    <div className={styles.acts}>
      <Button variant="secondary" onClick={() => setAsking('status')}>
        {stops ? 'Deactivate' : 'Activate'}
        <span className="visually-hidden"> {user.name}</span>
      </Button>
      <Button variant="danger" onClick={() => setAsking('delete')}>
        Delete<span className="visually-hidden"> {user.name}</span>
      </Button>
      {asking === 'status' && (
        <EffectsDialog
          act={stops ? 'deactivate' : 'activate'}
          title={`Are you sure you want to ${stops ? 'deactivate' : 'activate'} this user?`}
          person={user}
          preview={() => previewUserStatus(user._id, after)}
          action={stops ? 'Deactivate' : 'Activate'}
          busyLabel={stops ? 'Deactivating...' : 'Activating...'}
          fallback="Failed to update user status"
          tone={stops ? 'danger' : 'primary'}
          onSubmit={async () => {
            const { data, message } = await setUserStatus(user._id, after);
            flushSync(close);
            placeStatus(client, [user._id], data.user.status);
            notify.success(message);
          }}
          onClose={close}
        />
      )}
      {asking === 'delete' && (
        <EffectsDialog
          act="delete"
          title="Are you sure you want to delete this user?"
          person={user}
          preview={() => previewDeletedUser(user._id)}
          action="Delete"
          busyLabel="Deleting..."
          fallback="Failed to delete user"
          onSubmit={async () => {
            const { message } = await deleteUser(user._id);
            flushSync(close);
            // The row and its buttons go.
            onDeleted();
            notify.success(message);
            await forgetPeople(client);
          }}
          onClose={close}
        />
      )}
    </div>
  );
}
