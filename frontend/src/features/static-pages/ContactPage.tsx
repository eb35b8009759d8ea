import { useQuery } from '@tanstack/react-query';
import { configQuery } from '@/api/queries';
import { paths } from '@/lib/paths';
import { getSiteSettings } from '@/lib/siteSettings';
import { Banner } from '@/ui/Banner';
import { Card } from '@/ui/Card';
import { ErrorState } from '@/ui/ErrorState';
import { Grid } from '@/ui/Grid';
import { MailIcon, PhoneIcon, PlaceIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import { PageHeading } from '@/ui/PageHeading';
import { Skeleton } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import styles from './static.module.css';

export default function ContactPage() {
  const { data: config, isError, refetch, isFetching } = useQuery(configQuery);
  const contact = config?.contact;
  return (
    <Stack gap={6} className="column">
      <PageHeading lead="Whom to ask about your appointment and your data.">Contact</PageHeading>
      <Banner tone="warning" title="Is it an emergency?">
        {getSiteSettings().siteName} isn’t for emergencies. Call your local emergency number or go
        to the nearest emergency room.
      </Banner>
      {isError ? (
        <ErrorState
          title="We couldn’t load our contact details"
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      ) : (
        (!contact || Object.values(contact).some(Boolean)) && (
          <Grid as="ul">
            {contact?.email !== '' && (
              <ContactMethod icon={<MailIcon size={26} />} title="Email">
                {contact ? <a href={`mailto:${contact.email}`}>{contact.email}</a> : <Skeleton />}
              </ContactMethod>
            )}
            {contact?.phone !== '' && (
              <ContactMethod icon={<PhoneIcon size={26} />} title="Phone">
                {contact ? (
                  <a href={`tel:${contact.phone.replace(/[^+\d]/g, '')}`}>{contact.phone}</a>
                ) : (
                  <Skeleton />
                )}
              </ContactMethod>
            )}
            {contact?.address !== '' && (
              <ContactMethod icon={<PlaceIcon size={26} />} title="Mail">
                {contact ? contact.address : <Skeleton />}
              </ContactMethod>
            )}
          </Grid>
        )
      )}
      <Stack as="section" gap={3}>
        <h2>About your appointment</h2>
        <p>
          Please contact the clinic. You’ll find its phone number and address on your appointment,
          under <Link href={paths.patientAppointments()}>your appointments</Link>.
        </p>
      </Stack>
      <Stack as="section" gap={3}>
        <h2>About your data</h2>
        <p>
          You can correct your details, download your data or close your account in{' '}
          <Link href={paths.profile}>your profile</Link>. The{' '}
          <Link href={paths.privacy}>privacy policy</Link> says what we keep and who can see it.
        </p>
      </Stack>
    </Stack>
  );
}

function ContactMethod({
  icon,
  title,
  children,
}: {
  icon: React.ReactNode;
  title: string;
  children: React.ReactNode;
}) {
  return (
    <Card as="li" className={styles.contact}>
      {icon}
      <div className={styles.contactText}>
        <h2 className={styles.contactTitle}>{title}</h2>
        {children}
      </div>
    </Card>
  );
}
