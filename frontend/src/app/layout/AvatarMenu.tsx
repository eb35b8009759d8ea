import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import type { User } from '@/api/types';
import { useSession } from '@/domain/session/session';
import { paths } from '@/lib/paths';
import { ROLE_LABELS } from '@/lib/roles';
import { Avatar } from '@/ui/Avatar';
import { ChevronDownIcon, icon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import { Menu } from '@/ui/Menu';
import { PersonIcon, RecordIcon } from '@/ui/pageIcons';
import { Stack } from '@/ui/Stack';
import styles from './AvatarMenu.module.css';
import { ColorSchemeSwitch } from './ColorSchemeSwitch';
import { personalItems } from './navigation';

const LogoutIcon = icon(
  <path d="M14 4.5H6.5A1.5 1.5 0 0 0 5 6v12a1.5 1.5 0 0 0 1.5 1.5H14M10.5 12H21m-3.5-3.5L21 12l-3.5 3.5" />,
);

const ICONS: Record<string, ReactNode> = {
  [paths.patientRecords]: <RecordIcon />,
};

/** The user menu in the header. */
export function AvatarMenu({ user }: { user: User }) {
  const { t } = useLingui();
  const { name } = user;
  return (
    <Menu
      label={t`Account menu for ${name}`}
      trigger={
        <>
          <Avatar name={name} src={user.profilePicture} size={40} short />
          <ChevronDownIcon size={18} />
        </>
      }
    >
      {(close) => <PersonalNav user={user} onDone={close} />}
    </Menu>
  );
}

/** Name, role, Records (patients), Edit Profile, color scheme and Logout; in the user and mobile menus. */
export function PersonalNav({ user, onDone }: { user: User; onDone?: () => void }) {
  const { t } = useLingui();
  const session = useSession();
  const navigate = useNavigate();
  return (
    <Stack gap={0}>
      <Stack gap={0} className={styles.person}>
        <strong className={styles.name}>{user.name}</strong>
        <span className="muted small">{t(ROLE_LABELS[user.role])}</span>
      </Stack>
      {personalItems(user).map((item) => (
        <Link key={item.href} href={item.href} className={styles.item} onClick={onDone}>
          {ICONS[item.href] ?? <PersonIcon />}
          {t(item.label)}
        </Link>
      ))}
      <ColorSchemeSwitch />
      <button
        type="button"
        className={styles.item}
        onClick={() => {
          onDone?.();
          session.signOut();
          navigate(paths.home);
        }}
      >
        <LogoutIcon />
        <Trans>Logout</Trans>
      </button>
    </Stack>
  );
}
