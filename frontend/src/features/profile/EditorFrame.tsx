import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { paths } from '@/lib/paths';
import { Button, LinkButton } from '@/ui/Button';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { Inline } from '@/ui/Inline';
import { PageHeading } from '@/ui/PageHeading';
import { Stack } from '@/ui/Stack';
import type { Form } from '@/ui/useForm';

/** Heading, fields, and the Save and Cancel buttons. */
export function EditorFrame<V extends object>({
  form,
  children,
}: {
  form: Form<V>;
  children: ReactNode;
}) {
  const { t } = useLingui();
  return (
    <>
      <ErrorSummary form={form} />
      <PageHeading>{t`Edit Profile`}</PageHeading>
      <Stack as="form" gap={6} noValidate onSubmit={form.onSubmit}>
        {children}
        <Inline>
          <Button type="submit" busy={form.busy} busyLabel={t`Saving...`}>
            {t`Save Information`}
          </Button>
          <LinkButton variant="secondary" href={paths.profile} replace>
            {t`Cancel`}
          </LinkButton>
        </Inline>
      </Stack>
    </>
  );
}
