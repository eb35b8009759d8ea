import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { configQuery } from '@/api/queries';
import { Logo } from '@/domain/Logo';
import { paths } from '@/lib/paths';
import { Grid } from '@/ui/Grid';
import { MailIcon, PhoneIcon, PlaceIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import { Stack } from '@/ui/Stack';
import styles from './Footer.module.css';
import { LazyLanguageMenu } from './LazyLanguageMenu';

const LINKS = [
  { label: msg`Home`, href: paths.home },
  { label: msg`About Us`, href: paths.about },
  { label: msg`Contact`, href: paths.contact },
  { label: msg`Privacy Policy`, href: paths.privacy },
];

/** Shown once staff have written them. */
const TEXTS = [
  { kind: 'terms', label: msg`Terms of Use`, href: paths.terms },
  { kind: 'imprint', label: msg`Imprint`, href: paths.imprint },
] as const;

export function Footer() {
  const { t } = useLingui();
  const config = useQuery(configQuery).data;
  const contact = config?.contact;
  const texts = TEXTS.filter(({ kind }) => config?.texts?.includes(kind));
  return (
    <footer className={styles.footer} data-print="no">
      <Grid gap={6} className={styles.inner}>
        <Stack gap={2} align="start">
          <Logo />
          <p className="muted">
            <Trans>A verified doctor, at a time that works for you.</Trans>
          </p>
          <LazyLanguageMenu />
        </Stack>
        <nav aria-label={t`Quick links`}>
          <h2 className={styles.title}>
            <Trans>Quick links</Trans>
          </h2>
          <ul className={styles.list}>
            {[...LINKS, ...texts].map((link) => (
              <li key={link.href}>
                <Link href={link.href}>{t(link.label)}</Link>
              </li>
            ))}
          </ul>
        </nav>
        {contact && (contact.email || contact.phone || contact.address) && (
          <div>
            <h2 className={styles.title}>
              <Trans>Contact us</Trans>
            </h2>
            <ul className={styles.list}>
              {contact.email && (
                <li>
                  <MailIcon size={20} />
                  <a href={`mailto:${contact.email}`}>{contact.email}</a>
                </li>
              )}
              {contact.phone && (
                <li>
                  <PhoneIcon size={20} />
                  <a href={`tel:${contact.phone.replace(/[^+\d]/g, '')}`}>{contact.phone}</a>
                </li>
              )}
              {contact.address && (
                <li>
                  <PlaceIcon size={20} />
                  {contact.address}
                </li>
              )}
            </ul>
          </div>
        )}
      </Grid>
    </footer>
  );
}
