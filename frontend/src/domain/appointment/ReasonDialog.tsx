import { useLingui } from '@lingui/react/macro';
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
  /** A short form for the toast that outlives this dialog. */
  subject: string;
  /** Who reads the reason. */
  hint: string;
  optional?: boolean;
  action: string;
  busyLabel: string;
  /** The label of the button that cancels. */
  dismiss?: string;
  /** The error message if the server sends none. */
  fallback: string;
  /** Perform the action. Errors that a retry may fix are shown here and keep the typed text. */
  onSubmit: (reason: string) => Promise<void>;
  /** The page was outdated, which has been reported: refetch its data. */
  onOutdated: () => void;
  onClose: () => void;
}

/** Ask for a reason before an action; the other person will read it. */
export function ReasonDialog(props: Props) {
  const { t } = useLingui();
  const formId = useId();
  const form = useForm({
    values: { reason: '' },
    validate: ({ reason }): Record<string, string> =>
      props.optional || reason.trim() ? {} : { reason: t`Please give a reason.` },
    submit: async ({ reason }) => {
      try {
        await props.onSubmit(reason.trim());
      } catch (error) {
        if (!isOutdated(error)) throw error;
        // This dialog closes with its row when the list is refetched.
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
            {props.dismiss ?? t`Go back`}
          </Button>
        </>
      }
    >
      <ErrorSummary form={form} />
      <Stack id={formId} as="form" noValidate onSubmit={form.onSubmit}>
        <p>{props.about}</p>
        <Textarea
          {...form.field('reason')}
          label={t`Reason`}
          hint={props.hint}
          optional={props.optional}
          maxLength={500}
          rows={3}
        />
      </Stack>
    </Dialog>
  );
}
