import { Trans, useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import type { Absence } from '@/api/types';
import { addDays, isDate, today as todayIn, zoneLabel } from '@/lib/dates';
import { Button } from '@/ui/Button';
import { Checkbox } from '@/ui/Checkbox';
import { Dialog } from '@/ui/Dialog';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { Grid } from '@/ui/Grid';
import { Stack } from '@/ui/Stack';
import { TextInput } from '@/ui/TextInput';
import { AffectedDialog } from './AffectedDialog';
import { absenceBounds, absenceText } from './absence';
import { normalizeTime } from './hours';
import { REASON_VISIBILITY } from './reasonVisibility';
import styles from './schedule.module.css';
import { TIME_INPUT } from './timeInput';
import { ABSENCE_FAILED, useAbsenceForm } from './useAbsenceForm';

interface Props {
  /** The absence to edit; without it a new one is created. */
  absence?: Absence;
  timeZone: string;
  /** The first day of a new absence; tomorrow by default. */
  date?: string;
  onClose: () => void;
}

/** Add or edit time off, with a decision for each affected appointment. */
export function AbsenceDialog({ absence, timeZone, date, onClose }: Props) {
  const { t } = useLingui();
  const formId = useId();
  const zone = zoneLabel(timeZone);
  const today = todayIn(timeZone);
  const { form, save, remove, affected, clearAffected } = useAbsenceForm(
    absence,
    date ?? addDays(today, 1),
    onClose,
  );
  const { values } = form;

  if (affected) {
    return (
      <AffectedDialog
        title={t`Appointments during your time off`}
        period={absenceText(absenceBounds(values))}
        affected={affected}
        timeZone={timeZone}
        action={t`Save time off`}
        busyLabel={t`Saving...`}
        back={t`Back`}
        fallback={t(ABSENCE_FAILED)}
        onSave={save}
        onBack={clearAffected}
        onClose={onClose}
      />
    );
  }

  const timeField = (name: 'fromTime' | 'toTime') => {
    const field = form.field(name);
    return { ...TIME_INPUT, ...field, onBlur: () => field.onChange(normalizeTime(field.value)) };
  };
  return (
    <Dialog
      title={absence ? t`Change time off` : t`Add time off`}
      onClose={onClose}
      actions={
        <>
          <Button type="submit" form={formId} busy={form.busy} busyLabel={t`Saving...`}>
            <Trans>Save time off</Trans>
          </Button>
          {absence && (
            <Button variant="danger" onClick={remove}>
              <Trans>Remove time off</Trans>
            </Button>
          )}
          <Button variant="secondary" onClick={onClose}>
            <Trans>Go back</Trans>
          </Button>
        </>
      }
    >
      <ErrorSummary form={form} />
      <Stack id={formId} as="form" noValidate onSubmit={form.onSubmit}>
        <Checkbox {...form.field('wholeDays')} label={t`Whole days`} optional="unmarked" />
        <Grid rowGap={3} className={styles.moment}>
          <TextInput
            {...form.field('fromDate')}
            label={t`First day`}
            type="date"
            min={absence ? undefined : today}
            onChange={(day) =>
              form.setAll({
                fromDate: day,
                // Move the end along if it would be before the start.
                ...(isDate(day) && values.toDate < day ? { toDate: day } : {}),
              })
            }
          />
          {!values.wholeDays && <TextInput {...timeField('fromTime')} label={t`From`} />}
        </Grid>
        <Grid rowGap={3} className={styles.moment}>
          <TextInput
            {...form.field('toDate')}
            label={t`Last day`}
            type="date"
            min={values.fromDate || today}
          />
          {!values.wholeDays && <TextInput {...timeField('toTime')} label={t`Until`} />}
        </Grid>
        <p className="muted small">
          <Trans>All times are in {zone}.</Trans>
        </p>
        <TextInput
          {...form.field('reason')}
          label={t`Reason`}
          hint={t(REASON_VISIBILITY)}
          optional
          maxLength={200}
        />
      </Stack>
    </Dialog>
  );
}
