import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { ApiError } from '@/api/errors';
import { doctorFileQuery } from '@/api/people';
import type { DoctorFile } from '@/api/types';
import { BackLink, lastList } from '@/domain/BackLink';
import { counted, formatCount } from '@/lib/counts';
import { formatDate } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { Email } from '@/ui/Email';
import { Face } from '@/ui/Face';
import { PageHeading } from '@/ui/PageHeading';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { EmptyState, ErrorState } from '@/ui/states';
import { AccountBadge, ApprovalBadge } from './badges';
import { dayOf } from './case';
import { DecisionForm } from './DecisionForm';
import { DeleteDoctor } from './DoctorCard';
import { Earlier } from './Earlier';
import { Evidence } from './Evidence';
import styles from './people.module.css';
import { Standing } from './Standing';

/** One doctor at the admin's desk: who, the evidence, the decision, and what was decided before. */
export default function DoctorCasePage() {
  const { id = '' } = useParams();
  const file = useQuery(doctorFileQuery(id));
  const back = lastList();
  return (
    <div className={styles.page}>
      <BackLink href={back?.startsWith(paths.adminDoctors()) ? back : paths.adminDoctors()}>
        Doctors
      </BackLink>
      {file.data ? (
        <Shown file={file.data} />
      ) : file.error instanceof ApiError && file.error.status === 404 ? (
        <>
          <PageHeading>Doctor not found</PageHeading>
          <EmptyState
            title="There is no such doctor"
            action={<LinkButton href={paths.adminDoctors()}>Show all doctors</LinkButton>}
          >
            The account may have been deleted. What happened with it stands in the audit trail.
          </EmptyState>
        </>
      ) : file.isError ? (
        <>
          <PageHeading>Doctor</PageHeading>
          <ErrorState
            title="We could not load this doctor"
            onRetry={() => file.refetch()}
            busy={file.isFetching}
          />
        </>
      ) : (
        <Skeletons count={1}>
          <div className="stack" data-gap="5">
            <Skeleton width={320} height={48} />
            <div className={styles.case}>
              <Skeleton height={420} />
              <Skeleton height={420} />
            </div>
          </div>
        </Skeletons>
      )}
    </div>
  );
}

function Shown({ file }: { file: DoctorFile }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const navigate = useNavigate();
  const { doctor, cases, upcoming } = file;
  const [newest, ...earlier] = cases;
  const open = newest?.state === 'open' ? newest : undefined;
  const done = () => heading.current?.focus();
  const name = doctorName(doctor.name);
  return (
    <>
      <div className={styles.who}>
        <Face name={doctor.name} src={doctor.profilePicture} size={72} />
        <div>
          <PageHeading ref={heading} title={name}>
            {name}
          </PageHeading>
          <div className="row">
            <ApprovalBadge state={doctor.approval.state} />
            {doctor.status === 'inactive' && <AccountBadge status="inactive" />}
            <span className="muted">{doctor.specialization}</span>
          </div>
        </div>
      </div>
      <div className={styles.case}>
        <div className="stack" data-gap="5">
          <Evidence doctor={doctor} newest={newest} />
          <section className={styles.sheet} aria-labelledby="who">
            <h2 id="who">Who it is</h2>
            <dl className={styles.facts}>
              <Fact label="E-mail">
                <a href={`mailto:${doctor.email}`}>
                  <Email address={doctor.email} />
                </a>
              </Fact>
              <Fact label="Phone">{doctor.phone}</Fact>
              <Fact label="Hospital">
                {[doctor.hospital.name, ...Object.values(doctor.hospital.address)]
                  .filter(Boolean)
                  .join(', ')}
              </Fact>
              <Fact label="Hospital’s phone">{doctor.hospital.phone}</Fact>
              <Fact label="Experience">{counted(doctor.experience, 'year')}</Fact>
              <Fact label="Fee">{formatMoney(doctor.consultationFee, doctor.currency)}</Fact>
              <Fact label="Joined">{formatDate(dayOf(doctor.createdAt))}</Fact>
              <Fact label="Upcoming visits">{upcoming === 0 ? 'None' : formatCount(upcoming)}</Fact>
              <Fact label="About">{doctor.bio}</Fact>
            </dl>
          </section>
          <Earlier doctorId={doctor._id} cases={open ? earlier : cases} />
        </div>
        <div className={styles.decide}>
          {(open || !doctor.isApproved) && (
            <DecisionForm
              key={open?._id ?? doctor.approval.state}
              doctor={doctor}
              shown={open}
              onDone={done}
            />
          )}
          {doctor.isApproved && <Standing doctor={doctor} isOpen={Boolean(open)} onDone={done} />}
          <section className={styles.sheet} aria-labelledby="account">
            <h2 id="account">Account</h2>
            <p className="muted">
              It can be deactivated among the users, and activated again. Deleting it cannot be
              undone.
            </p>
            <div className="row">
              <LinkButton variant="secondary" href={paths.adminUsers({ search: doctor.email })}>
                Show among users
              </LinkButton>
              <DeleteDoctor doctor={doctor} onDeleted={() => navigate(paths.adminDoctors())} />
            </div>
          </section>
        </div>
      </div>
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children || <span className="muted">Not given</span>}</dd>
    </div>
  );
}
