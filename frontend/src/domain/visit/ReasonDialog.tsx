import { type ReactNode, useId } from 'react';
import { messageOf } from '@/api/errors';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { Textarea } from '@/ui/inputs';
import { useForm } from '@/ui/useForm';

interface Props {
  title: string;
  /** Which visit it is about. */
  about: ReactNode;
  /** Who reads the reason. */
  hint: string;
  optional?: boolean;
  action: string;
  busyLabel: string;
  /** The sentence for a failure of which the server says nothing. */
  fallback: string;
  /** Do it. A refusal is shown here and keeps what was typed. */
  onSubmit: (reason: string) => Promise<void>;
  onClose: () => void;
}

/** The question before an act that the other side is given a reason for. */
export function ReasonDialog(props: Props) {
  const formId = useId();
  const form = useForm({
    values: { reason: '' },
    validate: ({ reason }): Record<string, string> =>
      props.optional || reason.trim() ? {} : { reason: 'Please give a reason.' },
    submit: ({ reason }) => props.onSubmit(reason.trim()),
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
            Go back
          </Button>
        </>
      }
    >
      <ErrorSummary form={form} />
      <form id={formId} className="stack" noValidate onSubmit={form.onSubmit}>
        <p>{props.about}</p>
        <Textarea
          {...form.field('reason')}
          label="Reason"
          hint={props.hint}
          optional={props.optional}
          maxLength={500}
          rows={3}
        />
      </form>
    </Dialog>
  );
}
