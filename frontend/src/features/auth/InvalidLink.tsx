import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Card } from '@/ui/Card';
import { PageHeading } from '@/ui/PageHeading';
import { Stack } from '@/ui/Stack';

/** Shown for an emailed link that is incomplete, used or expired. */
export function InvalidLink({ children, action }: { children: ReactNode; action: ReactNode }) {
  const { t } = useLingui();
  return (
    <Stack gap={5} className="column" data-narrow="">
      <PageHeading>{t`This link no longer works`}</PageHeading>
      <Card gap={4}>
        <p>{children}</p>
        <p className="muted">
          {t`If your email app split the link across two lines, copy all of it into the address bar.`}
        </p>
        <div>{action}</div>
      </Card>
    </Stack>
  );
}
