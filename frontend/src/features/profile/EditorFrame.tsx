import type { ReactNode } from 'react';
import { paths } from '@/lib/paths';
import { Button, LinkButton } from '@/ui/Button';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { PageHeading } from '@/ui/PageHeading';
import type { Form } from '@/ui/useForm';

/** Heading, fields, and the two ways out of the editor. */
export function EditorFrame<V extends object>({
  form,
  email,
  children,
}: {
  form: Form<V>;
  email: string;
  children: ReactNode;
}) {
  return (
    <>
      <ErrorSummary form={form} />
      <PageHeading lead={`You sign in as ${email}. This address cannot be changed here.`}>
        Edit Profile
      </PageHeading>
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
