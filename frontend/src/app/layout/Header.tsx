import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { Logo } from '@/domain/Logo';
import { mustSetUpMfa, useSession, visitorAttributes } from '@/domain/session/session';
import { paths } from '@/lib/paths';
import { getSiteSettings } from '@/lib/siteSettings';
import { IconButton, LinkButton } from '@/ui/Button';
import { Grid } from '@/ui/Grid';
import { Inline } from '@/ui/Inline';
import { CloseIcon, MenuIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import { Stack } from '@/ui/Stack';
import styles from './Header.module.css';
import { AvatarMenu, Bell, PersonalNav } from './lazySignedInComponents';
import { ariaCurrent, mainItems } from './navigation';

export function Header() {
  const { t } = useLingui();
  const { siteName } = getSiteSettings();
  const session = useSession();
  const { state, user } = session;
  const [open, setOpen] = useState(false);
  const { pathname } = useLocation();
  const items = mainItems(user);

  // Close the menu when the page changes.
  const [openedAt, setOpenedAt] = useState(pathname);
  if (openedAt !== pathname) {
    setOpenedAt(pathname);
    setOpen(false);
  }

  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!open) return;
    const close = () => setOpen(false);
    const onPointer = (event: PointerEvent) => {
      if (!bar.current?.contains(event.target as Node)) close();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      close();
      bar.current?.querySelector<HTMLElement>('[aria-controls="mobile-menu"]')?.focus();
    };
    document.addEventListener('pointerdown', onPointer);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('pointerdown', onPointer);
      document.removeEventListener('keydown', onKey);
    };
  }, [open]);

  const links = items.map((item) => (
    <Link
      key={item.href}
      href={item.href}
      className={styles.link}
      aria-current={ariaCurrent(item.href, pathname)}
    >
      {t(item.label)}
    </Link>
  ));
  const signedOut = state === 'signed-out' && (
    <>
      <LinkButton variant="secondary" href={paths.login()}>
        <Trans>Login</Trans>
      </LinkButton>
      <LinkButton href={paths.register()}>
        <Trans>Register</Trans>
      </LinkButton>
    </>
  );

  return (
    <header
      ref={bar}
      className={styles.header}
      data-long={items.length > 3 ? '' : undefined}
      data-print="no"
    >
      <Inline gap={1} wrap={false} className={styles.bar}>
        <Link href={paths.home} className={styles.home} aria-label={t`${siteName}, home page`}>
          <Logo />
        </Link>
        <nav
          className={styles.desktopLinks}
          aria-label={t({ message: 'Main', context: 'navigation' })}
          {...visitorAttributes(session)}
        >
          {links}
          {signedOut}
        </nav>
        {user && (
          <>
            <span className={styles.bell}>{!mustSetUpMfa(user) && <Bell />}</span>
            <div className={styles.desktopLinks}>
              <AvatarMenu user={user} />
            </div>
          </>
        )}
        <IconButton
          className={styles.toggle}
          label={open ? t`Close menu` : t`Open menu`}
          aria-expanded={open}
          aria-controls="mobile-menu"
          onClick={() => setOpen(!open)}
        >
          {open ? <CloseIcon size={26} /> : <MenuIcon size={26} />}
        </IconButton>
      </Inline>
      <Stack
        id="mobile-menu"
        as="nav"
        gap={0}
        className={styles.mobile}
        aria-label={t`Menu`}
        hidden={!open}
      >
        {open && (
          <>
            {links}
            {user ? (
              <PersonalNav user={user} />
            ) : (
              <Grid gap={3} className={styles.mobileButtons}>
                {signedOut}
              </Grid>
            )}
          </>
        )}
      </Stack>
    </header>
  );
}
