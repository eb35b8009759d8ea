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

/** How a doctor's verification stands, why, and the way to apply. */
export default function VerificationPage() {
  const heading = useRef<HTMLHeadingElement>(null);
  const own = useQuery(ownCasesQuery);
  return (
    <Stack gap={5} className={styles.page}>
      <PageHeading
        ref={heading}
        lead="We check every doctor’s license with the authority that issued it before patients can book."
      >
        Verification
      </PageHeading>
      {own.data ? (
        <Shown own={own.data} onSent={() => heading.current?.focus()} />
      ) : own.isLoadingError ? (
        <ErrorState
          title="We could not load your applications"
          onRetry={() => own.refetch()}
          busy={own.isFetching}
        />
      ) : (
        <Skeletons count={2}>
          <Skeleton height={140} />
        </Skeletons>
      )}
    </Stack>
  );
}

function Shown({ own, onSent }: { own: OwnCases; onSent: () => void }) {
  const user = useUser();
  const standing = verificationStatus(own);
  const [sent, setSent] = useState(0);
  const form = (
    <ApplicationForm
      // Resets to what the latest application says, and without the file that was sent.
      key={`${own.cases[0]?._id} ${own.cases[0]?.state} ${sent}`}
      cases={own.cases}
      licenseNumber={user.role === 'doctor' ? user.licenseNumber : ''}
      action={standing.action}
      onSent={() => {
        setSent(sent + 1);
        onSent();
      }}
    />
  );
  return (
    <>
      <Banner tone={standing.tone} title={standing.title}>
        {own.approval.reason && (
          <p>
            The reason given: <q>{own.approval.reason}</q>
          </p>
        )}
        <p>{standing.text}</p>
      </Banner>
      <Card as="section" gap={4} aria-labelledby="apply">
        <h2 id="apply">{standing.form}</h2>
        {standing.open ? form : <Disclosure summary="The form">{form}</Disclosure>}
      </Card>
      {/* Who is verified without an application of their own need not read that there is none. */}
      {(own.cases.length > 0 || own.approval.state !== 'approved') && (
        <Stack as="section" aria-labelledby="cases">
          <h2 id="cases">Your applications</h2>
          {own.cases.length > 0 ? (
            <ApplicationHistory cases={own.cases} />
          ) : (
            <p className="muted">You have not applied yet.</p>
          )}
        </Stack>
      )}
    </>
  );
}
