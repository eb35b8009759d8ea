import { type ReactNode, useId } from 'react';
import { messageOf } from '@/api/errors';
import { isOutdated, reportFailedAction } from '@/domain/failedAction';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { Stack } from '@/ui/Stack';
import { Textarea } from '@/ui/Textarea';
import { useForm } from '@/ui/useForm';

interface Props {
  title: string;
  /** Which appointment it is about. */
  about: ReactNode;
  /** The same in a few words, for the notice that outlives this dialog. */
  subject: string;
  /** Who reads the reason. */
  hint: string;
  optional?: boolean;
  action: string;
  busyLabel: string;
  /** The button that changes nothing. */
  dismiss?: string;
  /** The sentence for a failure of which the server says nothing. */
  fallback: string;
  /** Do it. An error that a second try may mend is shown here and keeps what was typed. */
  onSubmit: (reason: string) => Promise<void>;
  /** The page was out of date and has already said so: refetch what it shows. */
  onOutdated: () => void;
  onClose: () => void;
}

/** Ask for the reason before an act; the other person will read it. */
export function ReasonDialog(props: Props) {
  const formId = useId();
  const form = useForm({
    values: { reason: '' },
    validate: ({ reason }): Record<string, string> =>
      props.optional || reason.trim() ? {} : { reason: 'Please give a reason.' },
    submit: async ({ reason }) => {
      try {
        await props.onSubmit(reason.trim());
      } catch (error) {
        if (!isOutdated(error)) throw error;
        // This dialog disappears with its row once the list is refetched.
        reportFailedAction(error, {
          fallback: props.fallback,
          about: props.subject,
          typedText: reason,
        });
        props.onClose();
        props.onOutdated();
      }
    },
    message: (error) => messageOf(error, props.fallback),
  });
  return (
    <Dialog
      title={props.title}
      onClose={props.onClose}
      actions={
        <>
          <Button
            type="submit"
            form={formId}
            variant="danger"
            busy={form.busy}
            busyLabel={props.busyLabel}
          >
            {props.action}
          </Button>
          <Button variant="secondary" onClick={props.onClose}>
            {props.dismiss ?? 'Go back'}
          </Button>
        </>
      }
    >
      <ErrorSummary form={form} />
      <Stack id={formId} as="form" noValidate onSubmit={form.onSubmit}>
        <p>{props.about}</p>
        <Textarea
          {...form.field('reason')}
          label="Reason"
          hint={props.hint}
          optional={props.optional}
          maxLength={500}
          rows={3}
        />
      </Stack>
    </Dialog>
  );
}
