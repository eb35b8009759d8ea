import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { configQuery } from '@/api/queries';
import { getSiteSettings } from '@/lib/siteSettings';
import { Grid } from '@/ui/Grid';
import { Inline } from '@/ui/Inline';
import { ClockIcon, VerifiedIcon } from '@/ui/icons';
import { PersonIcon, StarIcon } from '@/ui/pageIcons';
import styles from './Stats.module.css';

/** Figures that the operator configures on the server; empty ones are omitted. */
export function Stats() {
  const { t } = useLingui();
  const { siteName } = getSiteSettings();
  const { patients, rating, support } = useQuery(configQuery).data?.homeClaims ?? {};
  const items = [
    { icon: <PersonIcon />, text: patients && t`${patients} patients` },
    { icon: <StarIcon />, text: rating && t`${rating} rating` },
    { icon: <ClockIcon />, text: support && t`${support} support` },
    { icon: <VerifiedIcon />, text: t`Verified doctors` },
  ].filter(({ text }) => text !== '');
  return (
    <Grid as="ul" className={styles.stats} aria-label={t`${siteName} at a glance`}>
      {items.map(({ icon, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fixed order.
        <Inline key={index} as="li" justify="center" wrap={false} className={styles.stat}>
          {icon}
          {/* Reserve the space while the texts load. */}
          {text ?? '\u00a0'}
        </Inline>
      ))}
    </Grid>
  );
}
