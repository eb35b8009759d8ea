import { useLingui } from '@lingui/react/macro';
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
  const { t } = useLingui();
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
      toast.success(message || t`Application sent`);
      onSent();
    },
    message: (error) => messageOf(error, t`We couldn’t send your application`),
  });
  const open = cases.find(({ state }) => state === 'open');
  return (
    <Stack as="form" gap={5} noValidate onSubmit={form.onSubmit}>
      <ErrorSummary form={form} />
      <TextInput
        {...form.field('licenseNumber')}
        label={t`License number`}
        autoComplete="off"
        spellCheck={false}
        maxLength={64}
      />
      <TextInput
        {...form.field('licenseAuthority')}
        label={t`Issued by`}
        hint={t`The licensing authority. We’ll check its register.`}
        autoComplete="off"
        maxLength={120}
      />
      <TextInput
        {...form.field('licenseRegion')}
        label={t`Where it’s valid`}
        hint={t`A state or country, as stated on your license.`}
        optional
        autoComplete="off"
        maxLength={100}
      />
      <DateField {...form.field('licenseExpiresOn')} label={t`Valid until`} />
      <DocumentField {...form.field('document')} currentDocument={open?.document?.name} />
      <Textarea
        {...form.field('message')}
        label={t`Message to our staff`}
        hint={t`Anything we should know when we check your license, such as a reply to our reason.`}
        optional
        maxLength={2000}
      />
      <div>
        <Button type="submit" busy={form.busy} busyLabel={t`Sending...`}>
          {action}
        </Button>
      </div>
    </Stack>
  );
}
