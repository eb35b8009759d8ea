import { useQuery } from '@tanstack/react-query';
import { configQuery } from '@/api/queries';
import { paths } from '@/lib/paths';
import { Link } from '@/ui/Link';
import { PageHeading } from '@/ui/PageHeading';
import styles from './site.module.css';

export default function PrivacyPage() {
  const { data: config } = useQuery(configQuery);
  return (
    <div className={styles.page}>
      <PageHeading lead="What we keep about you, why, and who can see it. In plain words, because it is yours.">
        Privacy Policy
      </PageHeading>
      <section className={styles.part}>
        <h2>What we keep</h2>
        <ul className={styles.list}>
          <li>
            <strong>Your account:</strong> name, e-mail address, telephone number, date of birth,
            gender, the picture you may add, and when you agreed to this page.
          </li>
          <li>
            <strong>If you are a patient:</strong> your address and blood group when you give them,
            the visits you book, the symptoms and notes you write for them, and the diagnosis,
            prescription and notes that your doctor adds.
          </li>
          <li>
            <strong>If you are a doctor:</strong> your licence number, specialization, experience,
            fee, practice, working hours and what you write about yourself.
          </li>
          <li>
            <strong>Where you are signed in:</strong> time, network address and browser, so that you
            can see it in your profile and end what is not yours.
          </li>
        </ul>
        <p>Your password is kept only as a hash, from which nobody can read it.</p>
      </section>
      <section className={styles.part}>
        <h2>Why</h2>
        <p>
          To let you book and hold visits, to prepare the doctor for yours, and to keep a record of
          what was found. We sell nothing of it and show no advertising.
        </p>
      </section>
      <section className={styles.part}>
        <h2>Who can see it</h2>
        <ul className={styles.list}>
          <li>
            <strong>A doctor</strong> sees the details and visits of patients who booked with that
            doctor, and of nobody else.
          </li>
          <li>
            <strong>Our staff</strong> see who has an appointment with whom and when, without
            symptoms, notes, diagnosis or prescription. Reading those takes a permission of its own
            and is written to a trail.
          </li>
          <li>
            <strong>Everybody</strong> sees a verified doctor’s name, picture, specialization,
            experience, fee, practice, rating and free times. Licence number, e-mail, telephone and
            date of birth of a doctor are never public.
          </li>
        </ul>
      </section>
      <section className={styles.part}>
        <h2>In your browser</h2>
        <p>
          We set no cookies to follow you. Your browser’s storage holds the token that keeps you
          signed in, and small preferences such as light or dark colours; nothing about your health.
          This page loads nothing from other companies.
          {config && (
            <> When you do nothing for {config.idleMinutes.patient} minutes, we sign you out.</>
          )}
        </p>
      </section>
      <section className={styles.part}>
        <h2>How long</h2>
        <p>
          As long as you have an account. When it ends, you are gone from every list, visits to come
          are cancelled, and the record of past visits stays as long as the law asks of the clinic.
        </p>
      </section>
      <section className={styles.part}>
        <h2>What you can ask for</h2>
        <p>
          You can see and correct your details in <Link href={paths.profile}>your profile</Link>.
          For a copy of everything, or to have it deleted,{' '}
          <Link href={paths.contact}>write to us</Link>
          {config && (
            <>
              {' '}
              at <a href={`mailto:${config.contact.email}`}>{config.contact.email}</a>
            </>
          )}
          .
        </p>
      </section>
    </div>
  );
}
