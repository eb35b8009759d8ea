import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { OwnCases } from '@/api/types';
import { ownCasesQuery } from '@/api/verification';
import { useUser } from '@/domain/session/session';
import { Banner } from '@/ui/Banner';
import { Card } from '@/ui/Card';
import { Disclosure } from '@/ui/Disclosure';
import { ErrorState } from '@/ui/ErrorState';
import { PageHeading } from '@/ui/PageHeading';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import { ApplicationForm } from './ApplicationForm';
import { ApplicationHistory } from './ApplicationHistory';
import styles from './verification.module.css';
import { verificationStatus } from './verificationStatus';

/** A doctor's verification status with its reason, and the application form. */
export default function VerificationPage() {
  const { t } = useLingui();
  const heading = useRef<HTMLHeadingElement>(null);
  const ownCases = useQuery(ownCasesQuery);
  return (
    <Stack gap={5} className={styles.page}>
      <PageHeading
        ref={heading}
        lead={t`We check every doctor’s license with the authority that issued it before patients can book.`}
      >
        {t`Verification`}
      </PageHeading>
      {ownCases.data ? (
        <VerificationContent ownCases={ownCases.data} onSent={() => heading.current?.focus()} />
      ) : ownCases.isLoadingError ? (
        <ErrorState
          title={t`We couldn’t load your applications`}
          onRetry={() => ownCases.refetch()}
          busy={ownCases.isFetching}
        />
      ) : (
        <Skeletons count={2}>
          <Skeleton height={140} />
        </Skeletons>
      )}
    </Stack>
  );
}

function VerificationContent({ ownCases, onSent }: { ownCases: OwnCases; onSent: () => void }) {
  const { t } = useLingui();
  const user = useUser();
  const status = verificationStatus(ownCases);
  const { reason } = ownCases.approval;
  const [sent, setSent] = useState(0);
  const form = (
    <ApplicationForm
      // Reset the form to the latest application, without the uploaded file.
      key={`${ownCases.cases[0]?._id} ${ownCases.cases[0]?.state} ${sent}`}
      cases={ownCases.cases}
      licenseNumber={user.role === 'doctor' ? user.licenseNumber : ''}
      action={status.action}
      onSent={() => {
        setSent(sent + 1);
        onSent();
      }}
    />
  );
  return (
    <>
      <Banner tone={status.tone} title={status.title}>
        {reason && (
          <p>
            <Trans>
              Reason: <q>{reason}</q>
            </Trans>
          </p>
        )}
        <p>{status.text}</p>
      </Banner>
      <Card as="section" gap={4} aria-labelledby="apply">
        <h2 id="apply">{status.form}</h2>
        {status.open ? form : <Disclosure summary={t`Application form`}>{form}</Disclosure>}
      </Card>
      {/* Doctors verified without an application need not see an empty history. */}
      {(ownCases.cases.length > 0 || ownCases.approval.state !== 'approved') && (
        <Stack as="section" aria-labelledby="cases">
          <h2 id="cases">{t`Your applications`}</h2>
          {ownCases.cases.length > 0 ? (
            <ApplicationHistory cases={ownCases.cases} />
          ) : (
            <p className="muted">{t`You haven’t applied yet.`}</p>
          )}
        </Stack>
      )}
    </>
  );
}
