import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { calendarQuery } from '@/api/doctorDesk';
import type { Calendar } from '@/api/types';
import { AffectedDialog } from '@/domain/schedule/AffectedDialog';
import { REASON_VISIBILITY } from '@/domain/schedule/reasonVisibility';
import { formatDay, formatTime, isDate, zoneLabel } from '@/lib/dates';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { RadioGroup } from '@/ui/RadioGroup';
import { Stack } from '@/ui/Stack';
import { TextInput } from '@/ui/TextInput';
import { freeStarts } from './layout';
import { PatientPicker } from './PatientPicker';
import { TimeFields } from './TimeFields';
import { BLOCK_FAILED, type TimeSelection, type TimeValues, useTimeForm } from './useTimeForm';

interface Props {
  selection: TimeSelection;
  calendar: Calendar;
  now: number;
  onClose: () => void;
}

/** A period of time: block it, or book one of the free times in it for a patient. */
export function TimeDialog({ selection, calendar, now, onClose }: Props) {
  const { t } = useLingui();
  const formId = useId();
  const { form, block, affected, clearAffected } = useTimeForm(selection, onClose);
  const { values } = form;
  const { date } = values;
  const [start, end] = [formatTime(values.start), formatTime(values.end)];
  const dayText = isDate(date) ? formatDay(date) : '';
  const zoneName = zoneLabel(calendar.timeZone);
  const isBlock = values.action === 'block';
  const dayCalendar = useDayCalendar(calendar, values);
  const day = dayCalendar?.days.find((each) => each.date === date);

  if (affected) {
    return (
      <AffectedDialog
        title={t`Appointments during this time`}
        period={t`${start} to ${end}, ${dayText}`}
        affected={affected}
        timeZone={calendar.timeZone}
        action={t`Block this time`}
        busyLabel={t`Blocking...`}
        back={t`Go back`}
        fallback={t(BLOCK_FAILED)}
        onSave={(visits, visitsReason) => block(values, { visits, visitsReason })}
        onBack={clearAffected}
        onClose={onClose}
      />
    );
  }

  return (
    <Dialog
      title={isBlock ? t`Block this time` : t`Book for a patient`}
      onClose={onClose}
      actions={
        isBlock && (
          <>
            <Button type="submit" form={formId} busy={form.busy} busyLabel={t`Blocking...`}>
              <Trans>Block this time</Trans>
            </Button>
            <Button variant="secondary" onClick={onClose}>
              <Trans>Go back</Trans>
            </Button>
          </>
        )
      }
    >
      <ErrorSummary form={form} />
      <Stack id={formId} as="form" noValidate onSubmit={form.onSubmit}>
        <RadioGroup
          name="action"
          label={<span className="visually-hidden">{t`What to do with this time`}</span>}
          value={values.action}
          onChange={(action) => form.set('action', action as TimeValues['action'])}
          options={[
            { value: 'book', label: t`Book for a patient` },
            { value: 'block', label: t`Block this time` },
          ]}
        />
        <TimeFields
          form={form}
          freeStarts={dayCalendar && day ? freeStarts(dayCalendar, day, now) : []}
          today={calendar.today}
        />
        <p className="muted small">
          <Trans>{zoneName}, the clinic’s time.</Trans>
        </p>
        {isBlock && (
          <TextInput
            {...form.field('reason')}
            label={t`Reason`}
            hint={t(REASON_VISIBILITY)}
            optional
            maxLength={200}
          />
        )}
      </Stack>
      {!isBlock && <PatientPicker values={values} calendar={dayCalendar ?? calendar} now={now} />}
    </Dialog>
  );
}

/** Return a calendar with the form's date: the one shown, or for another date one that is loaded. */
function useDayCalendar(calendar: Calendar, { action, date }: TimeValues): Calendar | undefined {
  const isShown = calendar.days.some((day) => day.date === date);
  const { data } = useQuery({
    ...calendarQuery(date, 1),
    enabled: action === 'book' && !isShown && isDate(date),
  });
  return isShown ? calendar : data;
}
