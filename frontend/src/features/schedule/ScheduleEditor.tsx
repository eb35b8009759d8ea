import { Plural, useLingui } from '@lingui/react/macro';
import { useCallback, useState } from 'react';
import type { Absence, Schedule, Week } from '@/api/types';
import { AbsenceDialog } from '@/domain/schedule/AbsenceDialog';
import { AffectedAppointments } from '@/domain/schedule/AffectedAppointments';
import { useUser } from '@/domain/session/session';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { FormSection } from '@/ui/FormSection';
import { Grid } from '@/ui/Grid';
import { Inline } from '@/ui/Inline';
import { PageHeading } from '@/ui/PageHeading';
import { Stack } from '@/ui/Stack';
import { BlockedHours } from './BlockedHours';
import { BookingRules } from './BookingRules';
import { DateOverrides } from './DateOverrides';
import { SlotExplainer } from './SlotExplainer';
import styles from './schedule.module.css';
import { useScheduleForm } from './useScheduleForm';
import { WeekGrid } from './WeekGrid';
import { WeekList } from './WeekList';

/** An example of hours past midnight. */
const [nightStart, nightEnd] = ['20:00', '03:00'];

/** The schedule editor; saving first checks for appointments outside the new hours. */
export function ScheduleEditor({ schedule }: { schedule: Schedule }) {
  const { t } = useLingui();
  const user = useUser();
  const { form, isDirty, isRestored, undo, affected, clearAffected, saveWithDecisions } =
    useScheduleForm(schedule);
  const [absenceDialog, setAbsenceDialog] = useState<{ absence?: Absence } | null>(null);
  const { values, set } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `set` is created at each render and does the same.
  const setWeek = useCallback((week: Week) => set('weeklyHours', week), []);

  if (affected) {
    const count = affected.length;
    return (
      <AffectedAppointments
        affected={affected}
        timeZone={values.timeZone}
        action={t`Save schedule`}
        busyLabel={t`Saving...`}
        back={t`Back to the schedule`}
        fallback={t`We couldn’t save the schedule`}
        onSave={saveWithDecisions}
        onBack={clearAffected}
        onRefused={() => {
          clearAffected();
          form.onSubmit();
        }}
      >
        <PageHeading
          title={t`Appointments outside your new hours`}
          lead={t`Nothing is saved yet. Decide what happens to each appointment.`}
        >
          <Plural
            value={count}
            one="# appointment falls outside your new hours"
            other="# appointments fall outside your new hours"
          />
        </PageHeading>
      </AffectedAppointments>
    );
  }

  return (
    <Stack gap={5}>
      <ErrorSummary form={form} />
      <PageHeading lead={t`When patients can book you. All times are in the clinic’s time zone.`}>
        {t`Schedule`}
      </PageHeading>
      {isRestored && isDirty && (
        <Banner tone="info" title={t`Your unsaved changes are still here`}>
          <p>{t`You left this page before saving them.`}</p>
        </Banner>
      )}
      <Stack as="form" gap={6} noValidate onSubmit={form.onSubmit}>
        <FormSection
          title={t`Weekly hours`}
          hint={t`Leave gaps for breaks. Slots restart at the beginning of each block. Hours past midnight, like ${nightStart} to ${nightEnd}, belong to the day they start on.`}
        >
          <Grid gap={6} align="start" className={styles.week}>
            <WeekGrid week={values.weeklyHours} onChange={setWeek} />
            <WeekList
              week={values.weeklyHours}
              appointment={Number(values.visitMinutes)}
              buffer={Number(values.bufferMinutes)}
              errors={form.errors}
              onChange={setWeek}
            />
          </Grid>
        </FormSection>
        <BookingRules form={form} />
        <DateOverrides
          form={form}
          absences={schedule.absences}
          onTimeOff={(absence) => setAbsenceDialog({ absence })}
        />
        <BlockedHours form={form} />
        <Inline rowGap={2} className={styles.save} data-unsaved={isDirty ? '' : undefined}>
          <Button type="submit" busy={form.busy} busyLabel={t`Saving...`}>
            {t`Save schedule`}
          </Button>
          {isDirty && (
            <Button variant="secondary" onClick={undo}>
              {t`Undo changes`}
            </Button>
          )}
          <span className="muted small">{isDirty ? t`Not saved yet.` : t`All changes saved.`}</span>
        </Inline>
      </Stack>
      {absenceDialog && (
        <AbsenceDialog
          absence={absenceDialog.absence}
          timeZone={schedule.timeZone}
          onClose={() => setAbsenceDialog(null)}
        />
      )}
      <SlotExplainer doctorId={user._id} schedule={schedule} />
    </Stack>
  );
}
