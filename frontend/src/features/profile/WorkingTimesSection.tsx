import { Trans, useLingui } from '@lingui/react/macro';
import type { DoctorUser } from '@/api/types';
import { WeeklyHours } from '@/domain/WeeklyHours';
import { weekdayOptions } from '@/domain/weekdays';
import { paths } from '@/lib/paths';
import { Banner } from '@/ui/Banner';
import { Checkbox } from '@/ui/Checkbox';
import { CheckboxGroup } from '@/ui/CheckboxGroup';
import { FormSection } from '@/ui/FormSection';
import { Link } from '@/ui/Link';
import { Select } from '@/ui/Select';
import { TextInput } from '@/ui/TextInput';
import type { Form } from '@/ui/useForm';
import type { DoctorValues } from './doctorForm';

const ZONES = Intl.supportedValuesOf('timeZone');

interface WorkingTimesProps {
  form: Form<DoctorValues>;
  user: DoctorUser;
  /** Whether all working days have the same hours. */
  isUniform: boolean;
  /** Whether appointments would be outside the new hours. */
  wouldStrand: boolean;
}

export function WorkingTimesSection({ form, user, isUniform, wouldStrand }: WorkingTimesProps) {
  const { t } = useLingui();
  const { timeZone } = user;
  return (
    <FormSection
      title={t`Working times`}
      hint={
        <Trans>
          In your time zone. Set breaks, days off and the length of appointments in{' '}
          <Link href={paths.doctorSchedule}>your schedule</Link>.
        </Trans>
      }
    >
      {wouldStrand && (
        <Banner tone="warning" title={t`Some appointments are outside these hours`}>
          <p>
            <Trans>
              Change the hours in <Link href={paths.doctorSchedule}>your schedule</Link>. There you
              choose for each appointment whether to keep, reschedule or cancel it.
            </Trans>
          </p>
        </Banner>
      )}
      {isUniform ? (
        <>
          <TextInput
            {...form.field('workingHours.start')}
            label={t`Working hours start`}
            type="time"
            short
          />
          <TextInput
            {...form.field('workingHours.end')}
            label={t`Working hours end`}
            type="time"
            short
          />
          <CheckboxGroup
            {...form.field('workingDays')}
            label={t`Working days`}
            options={weekdayOptions()}
          />
        </>
      ) : (
        <div>
          <p>
            <strong>{t`Working hours`}</strong>
          </p>
          <WeeklyHours hours={user.weeklyHours} />
          <p className="muted small">
            <Trans>
              Your weekdays have different hours.{' '}
              <Link href={paths.doctorSchedule}>Change them in your schedule</Link>
            </Trans>
          </p>
        </div>
      )}
      <Select
        {...form.field('timeZone')}
        label={t`Time zone`}
        options={ZONES.includes(timeZone) ? ZONES : [timeZone, ...ZONES]}
      />
      <Checkbox
        {...form.field('instantConfirmation')}
        label={t`Confirm appointments instantly`}
        hint={t`Otherwise each request waits for your reply.`}
        optional
      />
    </FormSection>
  );
}
