import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { hasCode } from '@/api/errors';
import type { DoctorUser } from '@/api/types';
import { countryOptions } from '@/lib/countries';
import { specializationOptions } from '@/lib/specializations';
import { confirm } from '@/ui/confirm';
import { FormSection } from '@/ui/FormSection';
import { Select } from '@/ui/Select';
import { Textarea } from '@/ui/Textarea';
import { TextInput } from '@/ui/TextInput';
import { type Form, useForm } from '@/ui/useForm';
import { changedValues, checkDoctor, type DoctorValues, doctorValues } from './doctorForm';
import { EditorFrame } from './EditorFrame';
import { useFactorProof } from './FactorProof';
import { PersonFields } from './PersonFields';
import { profileErrorMessage, useSaveProfile } from './profileForm';
import { WorkingTimesSection } from './WorkingTimesSection';

export function DoctorEditor({ user }: { user: DoctorUser }) {
  const { t } = useLingui();
  const proof = useFactorProof('email');
  const save = useSaveProfile(proof);
  const before = doctorValues(user);
  // Appointments would be outside the new hours; only the schedule page can decide what to do with
  // them.
  const [wouldStrand, setWouldStrand] = useState(false);
  // Hours that differ per weekday can only be changed on the schedule page. They may have become
  // different in another window since this page was loaded.
  const [isUniform, setIsUniform] = useState(user.hasUniformHours);
  const form = useForm({
    values: before,
    validate: (values) => checkDoctor(values, user, proof),
    submit: async (values) => {
      const body = changedValues(values, before);
      setWouldStrand(false);
      try {
        await save(user, body);
      } catch (error) {
        if (hasCode(error, 'visits_affected')) setWouldStrand(true);
        if (hasCode(error, 'schedule_not_uniform')) setIsUniform(false);
        if (!hasCode(error, 'review_required')) throw error;
        const isConfirmed = await confirm({
          title: t`This needs a new approval`,
          body: t`We verified your license number and specialization. If you change them, your profile needs approval again, and patients can’t book you until then.`,
          action: t`Save and ask for approval`,
          dismiss: t`Keep editing`,
        });
        if (isConfirmed) await save(user, { ...body, confirmReview: true });
      }
    },
    message: profileErrorMessage,
  });

  return (
    <EditorFrame form={form}>
      <PersonFields form={form} picture={user.profilePicture} email={user.email} proof={proof} />
      <PracticeFields form={form} currency={user.currency} />
      <WorkingTimesSection
        form={form}
        user={user}
        isUniform={isUniform}
        wouldStrand={wouldStrand}
      />
    </EditorFrame>
  );
}

function PracticeFields({ form, currency }: { form: Form<DoctorValues>; currency: string }) {
  const { t } = useLingui();
  return (
    <>
      <FormSection title={t`Your practice`}>
        <Select
          {...form.field('specialization')}
          label={t`Specialization`}
          options={specializationOptions()}
        />
        <TextInput
          {...form.field('experience')}
          label={t`Years of experience`}
          type="number"
          inputMode="numeric"
          min={0}
          short
        />
        <TextInput
          {...form.field('licenseNumber')}
          label={t`License number`}
          hint={t`Patients never see it.`}
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          {...form.field('consultationFee')}
          label={t`Consultation fee (${currency})`}
          type="number"
          inputMode="decimal"
          min={0}
          step={0.01}
          short
        />
        <Textarea {...form.field('bio')} label={t`Bio`} rows={6} optional />
      </FormSection>
      <FormSection title={t`Hospital or practice`}>
        <TextInput {...form.field('hospital.name')} label={t`Hospital name`} />
        <TextInput {...form.field('hospital.address.street')} label={t`Hospital street`} optional />
        <TextInput {...form.field('hospital.address.city')} label={t`Hospital city`} optional />
        <TextInput {...form.field('hospital.address.state')} label={t`Hospital state`} optional />
        <TextInput
          {...form.field('hospital.address.zipCode')}
          label={t`Hospital ZIP code`}
          optional
          short
        />
        <Select
          {...form.field('hospital.address.country')}
          label={t`Hospital country`}
          options={countryOptions()}
        />
        <TextInput
          {...form.field('hospital.phone')}
          label={t`Hospital phone`}
          type="tel"
          optional
        />
      </FormSection>
    </>
  );
}
