import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { appointmentsQuery } from '@/api/queries';
import { AppointmentList } from '@/domain/appointment/AppointmentList';
import { useUser } from '@/domain/session/session';
import { formatDate } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { pageParam } from '@/lib/searchParams';
import { Button, LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';
import { PageHeading } from '@/ui/PageHeading';
import { PrintIcon } from '@/ui/pageIcons';
import { Stack } from '@/ui/Stack';
import { RecordCard } from './RecordCard';
import { RecordsIllustration } from './RecordsIllustration';
import styles from './RecordsPage.module.css';

const PAGE_SIZE = 20;

export default function RecordsPage() {
  const { t } = useLingui();
  const [params] = useSearchParams();
  const { name, dateOfBirth } = useUser();
  const query = { scope: 'records', page: pageParam(params), pageSize: PAGE_SIZE } as const;
  const { data } = useQuery(appointmentsQuery(query));
  const born = dateOfBirth && formatDate(dateOfBirth);
  const hasRecords = (data?.appointments.length ?? 0) > 0;
  const empty = (
    <EmptyState
      art={<RecordsIllustration />}
      title={t`No records yet`}
      action={<LinkButton href={paths.findDoctors()}>{t`Find a doctor`}</LinkButton>}
    >
      {t`Diagnoses and prescriptions will appear here after your appointments.`}
    </EmptyState>
  );
  return (
    <Stack gap={5} className={styles.page}>
      <PageHeading
        lead={t`What your doctors wrote about your past appointments, newest first.`}
        actions={
          hasRecords && (
            <Button
              variant="secondary"
              icon={<PrintIcon size={20} />}
              onClick={() => window.print()}
              data-print="no"
            >
              {t`Print`}
            </Button>
          )
        }
      >
        {t`Medical records`}
      </PageHeading>
      <p className={styles.printed}>{born ? t`${name}, born ${born}` : name}</p>
      <AppointmentList query={query} href={paths.patientRecordsPage} rowHeight={260} empty={empty}>
        {(appointments) => (
          <Stack as="ul" gap={5}>
            {appointments.map((appointment) => (
              <RecordCard key={appointment._id} appointment={appointment} />
            ))}
          </Stack>
        )}
      </AppointmentList>
    </Stack>
  );
}
