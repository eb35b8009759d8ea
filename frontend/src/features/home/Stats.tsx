import { useQuery } from '@tanstack/react-query';
import { configQuery } from '@/api/queries';
import { Grid } from '@/ui/Grid';
import { Inline } from '@/ui/Inline';
import { ClockIcon, PersonIcon, StarIcon, VerifiedIcon } from '@/ui/icons';
import styles from './Stats.module.css';

/** Fixed texts that an operator sets in one place on the server. */
export function Stats() {
  const claims = useQuery(configQuery).data?.homeClaims;
  const items = [
    { icon: <PersonIcon />, text: claims && `${claims.patients} patients` },
    { icon: <StarIcon />, text: claims && `${claims.rating} rating` },
    { icon: <ClockIcon />, text: claims && `${claims.support} support` },
    { icon: <VerifiedIcon />, text: 'Verified doctors' },
  ];
  return (
    <Grid as="ul" className={styles.stats} aria-label="Wellhour at a glance">
      {items.map(({ icon, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: four fixed places, never reordered.
        <Inline key={index} as="li" justify="center" wrap={false} className={styles.stat}>
          {icon}
          {/* Reserve the space while the texts load. */}
          {text ?? '\u00a0'}
        </Inline>
      ))}
    </Grid>
  );
}
