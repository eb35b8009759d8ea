import { useState } from 'react';
import { hasCode } from '@/api/errors';
import type { DoctorUser } from '@/api/types';
import { capitalize } from '@/lib/names';
import { SPECIALIZATIONS, WEEKDAYS } from '@/lib/options';
import { paths } from '@/lib/paths';
import { checkHours, checkNotNegative, complaints } from '@/lib/validate';
import { Banner } from '@/ui/Banner';
import { Checkbox, CheckboxGroup } from '@/ui/choices';
import { confirm } from '@/ui/confirm';
import { FormSection } from '@/ui/FormSection';
import { Select, Textarea, TextInput } from '@/ui/inputs';
import { Link } from '@/ui/Link';
import { useForm } from '@/ui/useForm';
import { EditorFrame } from './EditorFrame';
import { checkPerson, personValues, profileFailure, useSaveProfile } from './editing';
import { PersonFields } from './PersonFields';

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
    'hospital.phone': hospital.phone,
    'workingHours.start': user.workingHours?.start ?? '',
    'workingHours.end': user.workingHours?.end ?? '',
    workingDays: user.workingDays as string[],
    timeZone: user.timeZone,
    instantConfirmation: user.instantConfirmation,
  };
}

type Values = ReturnType<typeof doctorValues>;

function check(values: Values): Record<string, string> {
  return {
    ...checkPerson(values, 'doctor'),
    ...complaints({
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
      'workingHours.start': checkHours(values['workingHours.start'], values['workingHours.end']),
    }),
  };
}

/** Hours and days that the editor did not touch stay away: the server may know finer ones. */
function changes(values: Values, before: Values): object {
  const kept = Object.entries(values).filter(([name, value]) => {
    if (name === 'workingDays') return String(value) !== String(before.workingDays);
    if (name.startsWith('workingHours.')) {
      return (
        values['workingHours.start'] !== '' &&
        (values['workingHours.start'] !== before['workingHours.start'] ||
          values['workingHours.end'] !== before['workingHours.end'])
      );
    }
    return true;
  });
  return Object.fromEntries(kept);
}

export function DoctorEditor({ user }: { user: DoctorUser }) {
  const save = useSaveProfile();
  const before = doctorValues(user);
  // The new hours would leave visits outside; only the schedule asks what becomes of each.
  const [stranding, setStranding] = useState(false);
  const form = useForm({
    values: before,
    validate: check,
    submit: async (values) => {
      const body = changes(values, before);
      setStranding(false);
      try {
        await save(user, body);
      } catch (error) {
        if (hasCode(error, 'visits_affected')) setStranding(true);
        if (!hasCode(error, 'review_required')) throw error;
        const goOn = await confirm({
          title: 'This needs a new approval',
          body: 'Your licence number and specialization are what we verified. With this change your profile waits for approval again, and patients cannot book you until then.',
          action: 'Save and ask for approval',
          dismiss: 'Keep editing',
        });
        if (goOn) await save(user, { ...body, confirmReview: true });
      }
    },
    message: profileFailure,
  });

  return (
    <EditorFrame form={form} email={user.email}>
      <PersonFields form={form} picture={user.profilePicture} />
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
          label="Licence number"
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
        <TextInput {...form.field('hospital.phone')} label="Hospital phone" type="tel" optional />
      </FormSection>
      <FormSection
        title="Working times"
        hint={
          <>
            On the clock of your time zone. Breaks, days off and the length of visits are set in{' '}
            <Link href={paths.doctorSchedule}>your schedule</Link>.
          </>
        }
      >
        {stranding && (
          <Banner tone="warning" title="These hours would leave visits outside">
            <p>
              Change them in <Link href={paths.doctorSchedule}>your schedule</Link>: there you
              choose for each visit whether it stays, moves or is cancelled.
            </p>
          </Banner>
        )}
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
        <Select
          {...form.field('timeZone')}
          label="Time zone"
          options={ZONES.includes(user.timeZone) ? ZONES : [user.timeZone, ...ZONES]}
        />
        <Checkbox
          {...form.field('instantConfirmation')}
          label="Confirm bookings at once"
          hint="Otherwise each booking waits for your answer."
          optional
        />
      </FormSection>
    </EditorFrame>
  );
}
