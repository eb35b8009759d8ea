import type { Rating as Value } from '@/api/types';
import { StarIcon } from '@/ui/icons';
import styles from './Rating.module.css';

/** The average rating with one decimal, or "New" without reviews. */
export function Rating({ value: { average, count } }: { value: Value }) {
  if (count === 0) {
    return (
      <span className={styles.rating}>
        <span className={styles.unrated}>New</span>
        <span className="visually-hidden">, no reviews yet</span>
      </span>
    );
  }
  return (
    <span className={styles.rating}>
      <StarIcon size={18} className={styles.star} />
      <span className="visually-hidden">Rated </span>
      <strong>{average.toFixed(1)}</strong>
      <span className="visually-hidden"> out of 5,</span>
      <span className="muted">
        {count.toLocaleString('en-GB')} {count === 1 ? 'review' : 'reviews'}
      </span>
    </span>
  );
}
