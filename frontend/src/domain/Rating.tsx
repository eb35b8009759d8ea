import { Plural, Trans } from '@lingui/react/macro';
import type { Rating as Value } from '@/api/types';
import { StarIcon } from '@/ui/pageIcons';
import styles from './Rating.module.css';

/** The average rating with one decimal, or "New" without reviews. */
export function Rating({ value: { average, count } }: { value: Value }) {
  if (count === 0) {
    return (
      <span className={styles.rating}>
        <Trans context="doctor without reviews">
          <span className={styles.unrated}>New</span>
          <span className="visually-hidden">, no reviews yet</span>
        </Trans>
      </span>
    );
  }
  const rating = average.toFixed(1);
  return (
    <span className={styles.rating}>
      <StarIcon size={18} className={styles.star} />
      <Trans>
        <span className="visually-hidden">Rated </span>
        <strong>{rating}</strong>
        <span className="visually-hidden"> out of 5,</span>
      </Trans>{' '}
      <span className="muted">
        <Plural value={count} one="# review" other="# reviews" />
      </span>
    </span>
  );
}
