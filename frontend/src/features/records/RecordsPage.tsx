import { useSearchParams } from 'react-router-dom';
import { useUser } from '@/domain/session/session';
import { Visits } from '@/domain/visit/Visits';
import { formatDate, today } from '@/lib/dates';
import { pageOf } from '@/lib/paging';
import { paths } from '@/lib/paths';
import { Button, LinkButton } from '@/ui/Button';
import { PrintIcon } from '@/ui/icons';
import { PageHeading } from '@/ui/PageHeading';
import { EmptyState } from '@/ui/states';
import { Record } from './Record';
import { RecordArt } from './RecordArt';
import styles from './RecordsPage.module.css';

const PAGE_SIZE = 20;

export default function RecordsPage() {
  const [params] = useSearchParams();
  const { name, dateOfBirth } = useUser();
  const empty = (
    <EmptyState
      art={<RecordArt />}
      title="No records yet"
      action={<LinkButton href={paths.findDoctors()}>Find a doctor</LinkButton>}
    >
      After a visit you find here what the doctor found and prescribed.
    </EmptyState>
  );
  return (
    <div className={styles.page}>
      <PageHeading
        lead="What your doctors wrote about your past visits, newest first."
        actions={
          <Button
            variant="secondary"
            icon={<PrintIcon size={20} />}
            onClick={() => window.print()}
            data-print="no"
          >
            Print
          </Button>
        }
      >
        Medical records
      </PageHeading>
      <p className={styles.printed}>
        {name}
        {dateOfBirth && `, born ${formatDate(dateOfBirth)}`}. Printed on {formatDate(today())}.
      </p>
      <Visits
        query={{ scope: 'records', page: pageOf(params), pageSize: PAGE_SIZE }}
        href={paths.patientRecordsPage}
        rowHeight={260}
        empty={empty}
      >
        {(visits) => (
          <ul className={styles.list}>
            {visits.map((visit) => (
              <Record key={visit._id} visit={visit} />
            ))}
          </ul>
        )}
      </Visits>
    </div>
  );
}
