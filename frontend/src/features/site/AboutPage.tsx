import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { PageHeading } from '@/ui/PageHeading';
import styles from './site.module.css';

const STEPS = [
  {
    title: 'Find',
    text: 'Search by name, specialization or city. Each doctor comes with the fee, the place and the next free times.',
  },
  {
    title: 'Choose an hour',
    text: 'Free times come from the doctor’s own calendar. The moment you book, nobody else can take yours.',
  },
  {
    title: 'Hear back',
    text: 'Some doctors confirm at once, others answer within a deadline. The booking page tells you which before you book.',
  },
  {
    title: 'Go, and keep the record',
    text: 'After the visit, the diagnosis and prescription your doctor writes down stay under Records, for you to read.',
  },
];

export default function AboutPage() {
  return (
    <div className={styles.page}>
      <PageHeading lead="Wellhour helps people see a doctor they can trust, without waiting on the telephone.">
        About Us
      </PageHeading>
      <section className={styles.part}>
        <h2>How it works</h2>
        <ol className={styles.steps}>
          {STEPS.map((step) => (
            <li key={step.title}>
              <h3>{step.title}</h3>
              <p>{step.text}</p>
            </li>
          ))}
        </ol>
      </section>
      <section className={styles.part}>
        <h2>What “verified” means</h2>
        <p>
          A doctor who registers gives a licence number. Somebody at Wellhour checks it before the
          doctor appears in the search or can be booked. When a doctor changes the licence or the
          specialization, we check again. Approval can be taken back, and then the doctor is no
          longer listed.
        </p>
      </section>
      <section className={styles.part}>
        <h2>What it costs</h2>
        <p>
          Booking here costs nothing, and no payment is taken on this site. The consultation fee
          that you see is the doctor’s; you settle it with the clinic.
        </p>
      </section>
      <section className={styles.part}>
        <h2>What we do not do</h2>
        <p>
          Wellhour gives no medical advice and is not made for emergencies. If you need help at
          once, call your local emergency number.
        </p>
      </section>
      <div className="row">
        <LinkButton href={paths.findDoctors()}>Find a doctor</LinkButton>
        <LinkButton variant="secondary" href={paths.register({ role: 'doctor' })}>
          Join as a doctor
        </LinkButton>
      </div>
    </div>
  );
}
