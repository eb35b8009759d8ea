import type { ReactNode } from 'react';
import { paths } from '@/lib/paths';
import { Button, LinkButton } from '@/ui/Button';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { PageHeading } from '@/ui/PageHeading';
import type { Form } from '@/ui/useForm';

/** Heading, fields, and the two ways out of the editor. */
export function EditorFrame<V extends object>({
  form,
  children,
}: {
  form: Form<V>;
  children: ReactNode;
}) {
  return (
    <>
      <ErrorSummary form={form} />
      <PageHeading>Edit Profile</PageHeading>
      <form className="stack" data-gap="6" noValidate onSubmit={form.onSubmit}>
        {children}
        <div className="row">
          <Button type="submit" busy={form.busy} busyLabel="Saving...">
            Save Information
          </Button>
          <LinkButton variant="secondary" href={paths.profile} replace>
            Cancel
          </LinkButton>
        </div>
      </form>
    </>
  );
}
