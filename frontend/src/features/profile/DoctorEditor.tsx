import { useState } from 'react';
import { hasCode } from '@/api/errors';
import type { DoctorUser } from '@/api/types';
import { WeeklyHours } from '@/domain/WeeklyHours';
import { countryOptions } from '@/lib/countries';
import { capitalize } from '@/lib/names';
import { SPECIALIZATIONS, WEEKDAYS } from '@/lib/options';
import { paths } from '@/lib/paths';
import { checkHours, checkNotNegative, withoutEmpty } from '@/lib/validate';
import { Banner } from '@/ui/Banner';
import { Checkbox } from '@/ui/Checkbox';
import { CheckboxGroup } from '@/ui/CheckboxGroup';
import { confirm } from '@/ui/confirm';
import { FormSection } from '@/ui/FormSection';
import { Link } from '@/ui/Link';
import { Select } from '@/ui/Select';
import { Textarea } from '@/ui/Textarea';
import { TextInput } from '@/ui/TextInput';
import { type Form, useForm } from '@/ui/useForm';
import { EditorFrame } from './EditorFrame';
import { type FactorProofState, useFactorProof } from './FactorProof';
import { PersonFields } from './PersonFields';
import { checkPerson, personValues, profileErrorMessage, useSaveProfile } from './profileForm';

const DAYS = WEEKDAYS.map((day) => ({ value: day, label: capitalize(day) }));
const ZONES = Intl.supportedValuesOf('timeZone');

function doctorValues(user: DoctorUser) {
  const { hospital } = user;
  return {
    ...personValues(user),
    specialization: user.specialization as string,
    experience: String(user.experience),
    licenseNumber: user.licenseNumber,
    consultationFee: String(user.consultationFee),
    bio: user.bio,
    'hospital.name': hospital.name,
    'hospital.address.street': hospital.address.street,
    'hospital.address.city': hospital.address.city,
    'hospital.address.state': hospital.address.state,
    'hospital.address.zipCode': hospital.address.zipCode,
    'hospital.address.country': hospital.address.country,
    'hospital.phone': hospital.phone,
    'workingHours.start': user.workingHours?.start ?? '',
    'workingHours.end': user.workingHours?.end ?? '',
    workingDays: user.workingDays as string[],
    timeZone: user.timeZone,
    instantConfirmation: user.instantConfirmation,
  };
}

type Values = ReturnType<typeof doctorValues>;

function check(values: Values, user: DoctorUser, proof: FactorProofState): Record<string, string> {
  return {
    ...checkPerson(values, user, proof),
    ...withoutEmpty({
      specialization: values.specialization ? undefined : 'Choose your specialization',
      experience: values.experience
        ? checkNotNegative(values.experience, 'Experience')
        : 'Enter your years of experience',
      licenseNumber: values.licenseNumber.trim() ? undefined : 'Enter your license number',
      consultationFee: values.consultationFee
        ? checkNotNegative(values.consultationFee, 'The fee')
        : 'Enter your consultation fee',
      'hospital.name': values['hospital.name'].trim()
        ? undefined
        : 'Enter the name of your hospital or practice',
      // Hours past midnight are shown here and can only be changed in the schedule.
      'workingHours.start': hasNewHours(values, doctorValues(user))
        ? checkHours(values['workingHours.start'], values['workingHours.end'])
        : undefined,
    }),
  };
}

function hasNewHours(values: Values, before: Values): boolean {
  return (
    values['workingHours.start'] !== before['workingHours.start'] ||
    values['workingHours.end'] !== before['workingHours.end']
  );
}

/** Leave out unchanged hours and days: the server may have more detailed ones. */
function changedValues(values: Values, before: Values): object {
  const changedEntries = Object.entries(values).filter(([name, value]) => {
    if (name === 'workingDays') return String(value) !== String(before.workingDays);
    if (name.startsWith('workingHours.')) {
      return values['workingHours.start'] !== '' && hasNewHours(values, before);
    }
    return true;
  });
  return Object.fromEntries(changedEntries);
}

export function DoctorEditor({ user }: { user: DoctorUser }) {
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
    validate: (values) => check(values, user, proof),
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
          title: 'This needs a new approval',
          body: 'Your license number and specialization are what we verified. With this change your profile needs approval again. Until then, patients can’t book you.',
          action: 'Save and ask for approval',
          dismiss: 'Keep editing',
        });
        if (isConfirmed) await save(user, { ...body, confirmReview: true });
      }
    },
    message: profileErrorMessage,
  });

  return (
    <EditorFrame form={form}>
      <PersonFields form={form} picture={user.profilePicture} email={user.email} proof={proof} />
      <FormSection title="Your practice">
        <Select
          {...form.field('specialization')}
          label="Specialization"
          options={SPECIALIZATIONS}
        />
        <TextInput
          {...form.field('experience')}
          label="Years of experience"
          type="number"
          inputMode="numeric"
          min={0}
          short
        />
        <TextInput
          {...form.field('licenseNumber')}
          label="License number"
          hint="Never shown to patients."
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          {...form.field('consultationFee')}
          label={`Consultation fee (${user.currency})`}
          type="number"
          inputMode="decimal"
          min={0}
          step={0.01}
          short
        />
        <Textarea {...form.field('bio')} label="Bio" rows={6} optional />
      </FormSection>
      <FormSection title="Hospital or practice">
        <TextInput {...form.field('hospital.name')} label="Hospital name" />
        <TextInput {...form.field('hospital.address.street')} label="Hospital street" optional />
        <TextInput {...form.field('hospital.address.city')} label="Hospital city" optional />
        <TextInput {...form.field('hospital.address.state')} label="Hospital state" optional />
        <TextInput
          {...form.field('hospital.address.zipCode')}
          label="Hospital ZIP code"
          optional
          short
        />
        <Select
          {...form.field('hospital.address.country')}
          label="Hospital country"
          options={countryOptions()}
        />
        <TextInput {...form.field('hospital.phone')} label="Hospital phone" type="tel" optional />
      </FormSection>
      <WorkingTimesSection
        form={form}
        user={user}
        isUniform={isUniform}
        wouldStrand={wouldStrand}
      />
    </EditorFrame>
  );
}

interface WorkingTimesProps {
  form: Form<Values>;
  user: DoctorUser;
  /** Whether all working days have the same hours. */
  isUniform: boolean;
  /** Whether appointments would be outside the new hours. */
  wouldStrand: boolean;
}

function WorkingTimesSection({ form, user, isUniform, wouldStrand }: WorkingTimesProps) {
  return (
    <FormSection
      title="Working times"
      hint={
        <>
          In your time zone. Set breaks, days off and the length of appointments in{' '}
          <Link href={paths.doctorSchedule}>your schedule</Link>.
        </>
      }
    >
      {wouldStrand && (
        <Banner tone="warning" title="Some appointments are outside these hours">
          <p>
            Change the hours in <Link href={paths.doctorSchedule}>your schedule</Link>. There you
            choose for each appointment whether to keep, move or cancel it.
          </p>
        </Banner>
      )}
      {isUniform ? (
        <>
          <TextInput
            {...form.field('workingHours.start')}
            label="Working hours start"
            type="time"
            short
          />
          <TextInput
            {...form.field('workingHours.end')}
            label="Working hours end"
            type="time"
            short
          />
          <CheckboxGroup {...form.field('workingDays')} label="Working days" options={DAYS} />
        </>
      ) : (
        <div>
          <p>
            <strong>Working hours</strong>
          </p>
          <WeeklyHours hours={user.weeklyHours} />
          <p className="muted small">
            Your weekdays have different hours.{' '}
            <Link href={paths.doctorSchedule}>Change them in your schedule</Link>
          </p>
        </div>
      )}
      <Select
        {...form.field('timeZone')}
        label="Time zone"
        options={ZONES.includes(user.timeZone) ? ZONES : [user.timeZone, ...ZONES]}
      />
      <Checkbox
        {...form.field('instantConfirmation')}
        label="Confirm appointments instantly"
        hint="Otherwise each request waits for your reply."
        optional
      />
    </FormSection>
  );
}
