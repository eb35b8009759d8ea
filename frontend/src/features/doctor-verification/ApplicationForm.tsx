import { useQueryClient } from '@tanstack/react-query';
import { messageOf } from '@/api/errors';
import type { OwnCase } from '@/api/types';
import { applyForVerification, ownCasesQuery } from '@/api/verification';
import { Button } from '@/ui/Button';
import { DateField } from '@/ui/DateField';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { Stack } from '@/ui/Stack';
import { Textarea } from '@/ui/Textarea';
import { TextInput } from '@/ui/TextInput';
import { toast } from '@/ui/toasts';
import { useForm } from '@/ui/useForm';
import { checkApplication, initialApplication } from './application';
import { DocumentField } from './DocumentField';

interface Props {
  cases: OwnCase[];
  licenseNumber: string;
  action: string;
  onSent: () => void;
}

/** The license, a message to staff, and a document as evidence. */
export function ApplicationForm({ cases, licenseNumber, action, onSent }: Props) {
  const client = useQueryClient();
  const form = useForm({
    values: initialApplication(cases, licenseNumber),
    validate: checkApplication,
    submit: async (values) => {
      const { message } = await applyForVerification(values);
      await Promise.all([
        client.invalidateQueries(ownCasesQuery),
        // The profile contains the verification status too.
        client.invalidateQueries({ queryKey: ['profile'] }),
      ]);
      toast.success(message || 'Application sent');
      onSent();
    },
    message: (error) => messageOf(error, 'Your application could not be sent'),
  });
  const open = cases.find(({ state }) => state === 'open');
  return (
    <Stack as="form" gap={5} noValidate onSubmit={form.onSubmit}>
      <ErrorSummary form={form} />
      <TextInput
        {...form.field('licenseNumber')}
        label="License number"
        autoComplete="off"
        spellCheck={false}
        maxLength={64}
      />
      <TextInput
        {...form.field('licenseAuthority')}
        label="Issued by"
        hint="The authority whose register we look into."
        autoComplete="off"
        maxLength={120}
      />
      <TextInput
        {...form.field('licenseRegion')}
        label="Where it is valid"
        hint="A state or country, as the license says."
        optional
        autoComplete="off"
        maxLength={100}
      />
      <DateField {...form.field('licenseExpiresOn')} label="Valid until" />
      <DocumentField {...form.field('document')} currentDocument={open?.document?.name} />
      <Textarea
        {...form.field('message')}
        label="Message to our staff"
        hint="What we should know when we check it; an answer to the reason given, for example."
        optional
        maxLength={2000}
      />
      <div>
        <Button type="submit" busy={form.busy} busyLabel="Sending...">
          {action}
        </Button>
      </div>
    </Stack>
  );
}
