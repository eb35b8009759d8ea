import type { ReactNode } from 'react';
import { CalendarIcon, CheckIcon, RecordIcon, VerifiedIcon } from '@/ui/icons';
import styles from './Why.module.css';

const REASONS: { icon: ReactNode; title: string; text: string }[] = [
  {
    icon: <VerifiedIcon size={26} />,
    title: 'Verified doctors',
    text: 'A person checks each licence before a doctor can be found or booked here.',
  },
  {
    icon: <CalendarIcon size={26} />,
    title: 'Real free times',
    text: 'You see the doctor’s own calendar. A time you book is yours: nobody else can take it.',
  },
  {
    icon: <CheckIcon size={26} />,
    title: 'Clear from the start',
    text: 'Fee, place and what happens next stand on the page before you book.',
  },
  {
    icon: <RecordIcon size={26} />,
    title: 'Your record, kept for you',
    text: 'Diagnosis, prescription and notes of past visits stay in one private place.',
  },
];

export function Why() {
  return (
    <section className={styles.why} aria-labelledby="why">
      <h2 id="why">Why choose us</h2>
      <ul className={styles.reasons}>
        {REASONS.map((reason) => (
          <li key={reason.title} className={styles.reason}>
            <span className={styles.icon}>{reason.icon}</span>
            <div>
              <h3>{reason.title}</h3>
              <p className="muted">{reason.text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
