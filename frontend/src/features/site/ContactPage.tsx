import { useQuery } from '@tanstack/react-query';
import { configQuery } from '@/api/queries';
import { telHref } from '@/lib/contact';
import { paths } from '@/lib/paths';
import { Banner } from '@/ui/Banner';
import { Card } from '@/ui/Card';
import { MailIcon, PhoneIcon, PlaceIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import { PageHeading } from '@/ui/PageHeading';
import { Skeleton } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/states';
import styles from './site.module.css';

export default function ContactPage() {
  const { data: config, isError, refetch, isFetching } = useQuery(configQuery);
  const contact = config?.contact;
  return (
    <div className={styles.page}>
      <PageHeading lead="Write or call. A person answers.">Contact</PageHeading>
      <Banner tone="warning" title="Is it urgent?">
        Wellhour is not for emergencies. Call your local emergency number, or go to the nearest
        emergency department.
      </Banner>
      {isError ? (
        <ErrorState
          title="We could not load our contact details"
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      ) : (
        <ul className={styles.ways}>
          <Way icon={<MailIcon size={26} />} title="E-mail">
            {contact ? <a href={`mailto:${contact.email}`}>{contact.email}</a> : <Skeleton />}
          </Way>
          <Way icon={<PhoneIcon size={26} />} title="Telephone">
            {contact ? <a href={telHref(contact.phone)}>{contact.phone}</a> : <Skeleton />}
          </Way>
          <Way icon={<PlaceIcon size={26} />} title="Post">
            {contact ? contact.address : <Skeleton />}
          </Way>
        </ul>
      )}
      <section className={styles.part}>
        <h2>About a visit you booked</h2>
        <p>
          The clinic knows best. Its telephone number and address stand on the visit’s own page,
          under <Link href={paths.patientAppointments()}>your appointments</Link>.
        </p>
      </section>
      <section className={styles.part}>
        <h2>About your data</h2>
        <p>
          To see what we keep about you, to correct it or to have it deleted, write to the e-mail
          address above. The <Link href={paths.privacy}>privacy policy</Link> says what we keep and
          why.
        </p>
      </section>
    </div>
  );
}

function Way({
  icon,
  title,
  children,
}: {
  icon: React.ReactNode;
  title: string;
  children: React.ReactNode;
}) {
  return (
    <Card as="li" className={styles.way}>
      {icon}
      <div className={styles.wayText}>
        <h2 className={styles.wayTitle}>{title}</h2>
        {children}
      </div>
    </Card>
  );
}
