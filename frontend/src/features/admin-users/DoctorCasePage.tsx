import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { ApiError } from '@/api/errors';
import type { DoctorFile, StaffDoctor } from '@/api/types';
import { doctorFileQuery } from '@/api/users';
import { BackLink, lastListPath } from '@/domain/BackLink';
import { AccountBadge, ApprovalBadge } from '@/domain/staff/verification/badges';
import { localDate } from '@/domain/staff/verification/case';
import { Evidence } from '@/domain/staff/verification/Evidence';
import { NextCase } from '@/domain/staff/verification/NextCase';
import { formatCount } from '@/lib/counts';
import { formatDate } from '@/lib/dates';
import { formatFacts } from '@/lib/formatList';
import { formatMoney } from '@/lib/money';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { specializationLabel } from '@/lib/specializations';
import { Avatar } from '@/ui/Avatar';
import { LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Email } from '@/ui/Email';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorState } from '@/ui/ErrorState';
import { FactList } from '@/ui/FactList';
import { Grid } from '@/ui/Grid';
import { Inline } from '@/ui/Inline';
import { PageHeading } from '@/ui/PageHeading';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import { ApprovalPanel } from './ApprovalPanel';
import { DecisionForm } from './DecisionForm';
import { DecisionHistory } from './DecisionHistory';
import { DeleteDoctor } from './DoctorCard';
import { StatusButton } from './StatusButton';
import styles from './users.module.css';

/** One doctor for admins: the evidence, the decision form and earlier decisions. */
export default function DoctorCasePage() {
  const { t } = useLingui();
  const { id = '' } = useParams();
  const file = useQuery(doctorFileQuery(id));
  const back = lastListPath();
  return (
    <Stack gap={5}>
      <BackLink href={back?.startsWith(paths.adminDoctors()) ? back : paths.adminDoctors()}>
        {t`Doctors`}
      </BackLink>
      {file.data ? (
        <DoctorCase key={id} file={file.data} />
      ) : file.error instanceof ApiError && file.error.status === 404 ? (
        <>
          <PageHeading>{t`Doctor not found`}</PageHeading>
          <EmptyState
            title={t`There’s no such doctor`}
            action={
              <LinkButton href={paths.adminDoctors()}>
                <Trans>Show all doctors</Trans>
              </LinkButton>
            }
          >
            <Trans>Someone may have deleted the account. The audit log shows what happened.</Trans>
          </EmptyState>
        </>
      ) : file.isError ? (
        <>
          <PageHeading>{t`Doctor`}</PageHeading>
          <ErrorState
            title={t`We couldn’t load this doctor`}
            onRetry={() => file.refetch()}
            busy={file.isFetching}
          />
        </>
      ) : (
        <Skeletons count={1}>
          <Stack gap={5}>
            <Skeleton width={320} height={48} />
            <Grid gap={5} align="start" className={styles.case}>
              <Skeleton height={420} />
              <Skeleton height={420} />
            </Grid>
          </Stack>
        </Skeletons>
      )}
    </Stack>
  );
}

function DoctorCase({ file }: { file: DoctorFile }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const decide = useRef<HTMLDivElement>(null);
  // The result replaces the form until the page is left, so that no revoke button
  // appears under the pointer.
  const [decided, setDecided] = useState<{ message: string; height: number } | null>(null);
  const { doctor, cases, upcoming } = file;
  const [newest, ...earlier] = cases;
  const open = newest?.state === 'open' ? newest : undefined;
  const done = (message: string) =>
    setDecided({ message, height: decide.current?.offsetHeight ?? 0 });
  const name = doctorName(doctor.name);
  return (
    <>
      <Inline gap={4} wrap={false} className={styles.person}>
        <Avatar name={doctor.name} src={doctor.profilePicture} size={72} />
        <div>
          <PageHeading title={name}>{name}</PageHeading>
          <Inline>
            <ApprovalBadge state={doctor.approval.state} />
            {doctor.status === 'inactive' && <AccountBadge status="inactive" />}
            <span className="muted">{specializationLabel(doctor.specialization)}</span>
          </Inline>
        </div>
      </Inline>
      <Grid gap={5} align="start" className={styles.case}>
        <Stack gap={5}>
          <Evidence doctor={doctor} newest={newest} />
          <Card as="section" gap={4} aria-labelledby="who">
            <h2 id="who">
              <Trans>Applicant</Trans>
            </h2>
            <FactList>
              <Fact label={t`Email`}>
                <a href={`mailto:${doctor.email}`}>
                  <Email address={doctor.email} />
                </a>
              </Fact>
              <Fact label={t`Phone`}>{doctor.phone}</Fact>
              <Fact label={t`Hospital`}>
                {formatFacts([doctor.hospital.name, ...Object.values(doctor.hospital.address)])}
              </Fact>
              <Fact label={t`Hospital phone`}>{doctor.hospital.phone}</Fact>
              <Fact label={t`Experience`}>
                <Plural value={doctor.experience} one="# year" other="# years" />
              </Fact>
              <Fact label={t`Fee`}>{formatMoney(doctor.consultationFee, doctor.currency)}</Fact>
              <Fact label={t`Joined`}>{formatDate(localDate(doctor.createdAt))}</Fact>
              <Fact label={t`Upcoming appointments`}>
                {upcoming === 0 ? t`None` : formatCount(upcoming)}
              </Fact>
              <Fact label={t`About`}>{doctor.bio}</Fact>
            </FactList>
          </Card>
          <DecisionHistory doctorId={doctor._id} cases={open ? earlier : cases} />
        </Stack>
        <Stack gap={5}>
          <Stack ref={decide} gap={5} style={decided ? { minHeight: decided.height } : undefined}>
            {decided ? (
              <DecisionResult doctor={doctor} message={decided.message} />
            ) : (
              <>
                {(open || !doctor.isApproved) && (
                  <DecisionForm
                    key={open?._id ?? doctor.approval.state}
                    doctor={doctor}
                    openCase={open}
                    newest={newest}
                    onDone={done}
                  />
                )}
                {doctor.isApproved && (
                  <ApprovalPanel doctor={doctor} isOpen={Boolean(open)} onDone={done} />
                )}
              </>
            )}
          </Stack>
          <Card as="section" gap={4} aria-labelledby="account">
            <h2 id="account">
              <Trans>Account</Trans>
            </h2>
            <p className="muted">
              {doctor.status === 'active'
                ? t`You can activate a deactivated account again. Deleting it can’t be undone.`
                : t`This account is deactivated: the doctor can’t sign in and isn’t listed.`}
            </p>
            <Inline>
              <StatusButton person={doctor} />
              <LinkButton variant="secondary" href={paths.adminUsers({ search: doctor.email })}>
                <Trans>Open in Users</Trans>
              </LinkButton>
              <DeleteDoctor doctor={doctor} onDeleted={() => navigate(paths.adminDoctors())} />
            </Inline>
          </Card>
        </Stack>
      </Grid>
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {children || (
          <span className="muted">
            <Trans>Not given</Trans>
          </span>
        )}
      </dd>
    </div>
  );
}

/** The result of the decision, and a link to the next application. */
function DecisionResult({ doctor, message }: { doctor: StaffDoctor; message: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const name = doctorName(doctor.name);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <Card as="section" gap={4} aria-labelledby="made">
      <h2 id="made" ref={heading} tabIndex={-1}>
        {message}
      </h2>
      <p>
        <Trans>We’ve notified {name}.</Trans>
      </p>
      <Inline>
        <NextCase after={doctor._id} />
        <LinkButton variant="secondary" href={paths.adminDoctors()}>
          <Trans>All doctors</Trans>
        </LinkButton>
      </Inline>
    </Card>
  );
}
