import { Trans, useLingui } from '@lingui/react/macro';
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
  const { t } = useLingui();
  const { siteName } = getSiteSettings();
  const { data: config, isError, refetch, isFetching } = useQuery(configQuery);
  const contact = config?.contact;
  return (
    <Stack gap={6} className="column">
      <PageHeading lead={t`Who to ask about your appointment and your data.`}>
        {t`Contact`}
      </PageHeading>
      <Banner tone="warning" title={t`Is it an emergency?`}>
        <Trans>
          {siteName} isn’t for emergencies. Call your local emergency number or go to the nearest
          emergency room.
        </Trans>
      </Banner>
      {isError ? (
        <ErrorState
          title={t`We couldn’t load our contact details`}
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      ) : (
        (!contact || Object.values(contact).some(Boolean)) && (
          <Grid as="ul">
            {contact?.email !== '' && (
              <ContactMethod icon={<MailIcon size={26} />} title={t`Email`}>
                {contact ? <a href={`mailto:${contact.email}`}>{contact.email}</a> : <Skeleton />}
              </ContactMethod>
            )}
            {contact?.phone !== '' && (
              <ContactMethod icon={<PhoneIcon size={26} />} title={t`Phone`}>
                {contact ? (
                  <a href={`tel:${contact.phone.replace(/[^+\d]/g, '')}`}>{contact.phone}</a>
                ) : (
                  <Skeleton />
                )}
              </ContactMethod>
            )}
            {contact?.address !== '' && (
              <ContactMethod icon={<PlaceIcon size={26} />} title={t`Mailing address`}>
                {contact ? contact.address : <Skeleton />}
              </ContactMethod>
            )}
          </Grid>
        )
      )}
      <Stack as="section" gap={3}>
        <h2>
          <Trans>About your appointment</Trans>
        </h2>
        <p>
          <Trans>
            Please contact the clinic. Open your appointment under{' '}
            <Link href={paths.patientAppointments()}>your appointments</Link> to see its phone
            number and address.
          </Trans>
        </p>
      </Stack>
      <Stack as="section" gap={3}>
        <h2>
          <Trans>About your data</Trans>
        </h2>
        <p>
          <Trans>
            You can correct your details, download your data, or close your account in{' '}
            <Link href={paths.profile}>your profile</Link>. The{' '}
            <Link href={paths.privacy}>privacy policy</Link> says what we keep and who can see it.
          </Trans>
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
