import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import type { Absence } from '@/api/types';
import { MonthGrid } from '@/domain/MonthGrid';
import { FieldError } from '@/domain/schedule/FieldError';
import { PlusIcon } from '@/domain/staffIcons';
import { addMonths, monthOf, today as todayIn } from '@/lib/dates';
import { Button } from '@/ui/Button';
import { fieldId } from '@/ui/Field';
import { FormSection } from '@/ui/FormSection';
import type { Form } from '@/ui/useForm';
import { AbsenceList } from './AbsenceList';
import { DaysOffPanel } from './DaysOffPanel';
import { dayAppearance } from './dayAppearance';
import { type Draft, type Override, type OverrideGroup, withDaysOff, withOverride } from './draft';
import { OverrideList } from './OverrideList';
import { OverridePanel } from './OverridePanel';
import styles from './schedule.module.css';

const MONTHS_AHEAD = 24;

interface Props {
  form: Form<Draft>;
  absences: Absence[];
  /** Open the dialog for a new or an existing absence. */
  onTimeOff: (absence?: Absence) => void;
}

/** Absences and dates with other hours: a calendar and a list of each. */
export function DateOverrides({ form, absences, onTimeOff }: Props) {
  const { t } = useLingui();
  const { overrides, timeZone } = form.values;
  const today = todayIn(timeZone);
  const [month, setMonth] = useState(monthOf(today));
  const [chosen, setChosen] = useState<string | null>(null);
  const [daysOff, setDaysOff] = useState<OverrideGroup | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const setOverrides = (overrides: Override[]) => form.set('overrides', overrides);
  const overridesBeside = ({ indexes }: OverrideGroup) =>
    overrides.filter((_, index) => !indexes.includes(index));

  const chooseDate = (date: string) => {
    setDaysOff(null);
    setChosen(date);
    setMonth(monthOf(date));
    requestAnimationFrame(() => heading.current?.focus());
  };
  const edit = (group: OverrideGroup) => {
    if (group.indexes.length === 1) return chooseDate(group.from);
    setChosen(null);
    setDaysOff(group);
    setMonth(monthOf(group.from));
  };
  const remove = (group: OverrideGroup) => {
    setOverrides(overridesBeside(group));
    if (chosen && group.from <= chosen && chosen <= group.to) setChosen(null);
    setDaysOff(null);
  };

  const invalidDate = findInvalidDate(form);
  // Expand the panel, so that the error is beside its field.
  // biome-ignore lint/correctness/useExhaustiveDependencies: expand it at each failed submit.
  useEffect(() => {
    if (!invalidDate) return;
    setChosen(invalidDate);
    setMonth(monthOf(invalidDate));
  }, [invalidDate, form.failureCount]);

  return (
    <FormSection
      title={t`Time off and exceptions`}
      hint={t`Time off can last hours or days and is saved right away. To change the hours of a single day, choose it in the calendar.`}
    >
      <div>
        <Button variant="secondary" icon={<PlusIcon size={18} />} onClick={() => onTimeOff()}>
          {t`Add time off`}
        </Button>
      </div>
      <AbsenceList absences={absences} onChange={onTimeOff} />
      {form.errors.overrides && (
        <p id={fieldId('overrides')} tabIndex={-1}>
          <FieldError text={form.errors.overrides} />
        </p>
      )}
      <div className={styles.days}>
        <MonthGrid
          month={month}
          onMonth={setMonth}
          first={monthOf(today)}
          last={addMonths(monthOf(today), MONTHS_AHEAD)}
          today={today}
          free={(date) => dayAppearance(date, form.values, absences, today)}
          legend={t`Dates marked “off” or “other” differ from your weekly hours. “Part” means partly off or blocked.`}
          selectedDate={chosen}
          onChoose={chooseDate}
        />
        {chosen && (
          <OverridePanel
            key={chosen}
            date={chosen}
            form={form}
            heading={heading}
            onChange={(override) => setOverrides(withOverride(overrides, chosen, override))}
          />
        )}
        {daysOff && (
          <DaysOffPanel
            key={daysOff.from}
            daysOff={daysOff}
            otherOverrides={overridesBeside(daysOff)}
            today={today}
            onChange={(from, to, reason) => {
              setOverrides(withDaysOff(overridesBeside(daysOff), from, to, reason));
              setMonth(monthOf(from));
              setDaysOff(null);
            }}
          />
        )}
      </div>
      <OverrideList
        overrides={overrides}
        errors={form.errors}
        selectedDate={chosen}
        onEdit={edit}
        onRemove={remove}
      />
    </FormSection>
  );
}

/** Return the first date with an error. */
function findInvalidDate({ errors, values }: Form<Draft>): string | undefined {
  const name = Object.keys(errors).find((field) => /^overrides\.\d/.test(field));
  return name && values.overrides[Number(name.split('.')[1])]?.date;
}
