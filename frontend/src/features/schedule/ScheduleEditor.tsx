import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { hasCode, messageOf } from '@/api/errors';
import { invalidateAppointments } from '@/api/queries';
import { previewSchedule, saveSchedule, scheduleQuery } from '@/api/schedule';
import { getProfile } from '@/api/session';
import type { Absence, AffectedAppointment, Decision, Schedule, Week } from '@/api/types';
import { AbsenceDialog } from '@/domain/schedule/AbsenceDialog';
import { AffectedAppointments } from '@/domain/schedule/AffectedAppointments';
import { outcomeOf } from '@/domain/schedule/affectedChoices';
import { useSession, useUser } from '@/domain/session/session';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { FormSection } from '@/ui/FormSection';
import { Grid } from '@/ui/Grid';
import { Inline } from '@/ui/Inline';
import { PageHeading } from '@/ui/PageHeading';
import { Stack } from '@/ui/Stack';
import { toast } from '@/ui/toasts';
import { useForm } from '@/ui/useForm';
import { BlockedHours } from './BlockedHours';
import { BookingRules } from './BookingRules';
import { DateOverrides } from './DateOverrides';
import { checkDraft, draftOf, keptDraft, sameDraft, scheduleOf, storeDraft } from './draft';
import { SlotExplainer } from './SlotExplainer';
import styles from './schedule.module.css';
import { useLeaveWarning } from './useLeaveWarning';
import { WeekGrid } from './WeekGrid';
import { WeekList } from './WeekList';

/** The schedule with all its parts; saving looks first at the appointments that it would leave outside. */
export function ScheduleEditor({ saved }: { saved: Schedule }) {
  const user = useUser();
  const { setUser } = useSession();
  const client = useQueryClient();
  const [affected, setAffected] = useState<AffectedAppointment[] | null>(null);
  const [timeOff, setTimeOff] = useState<{ absence?: Absence } | null>(null);
  const [found] = useState(() => keptDraft(user._id));
  // Where one worked before the list of affected appointments took the page's place.
  const place = useRef<number | null>(null);

  const decide = (appointments: AffectedAppointment[]) => {
    place.current = window.scrollY;
    setAffected(appointments);
  };
  useLayoutEffect(() => {
    if (affected) window.scrollTo(0, 0);
    else if (place.current !== null) window.scrollTo(0, place.current);
  }, [affected]);

  const onSaved = (schedule: Schedule, appointments: Record<string, Decision> = {}) => {
    client.setQueryData(scheduleQuery.queryKey, schedule);
    form.reset(draftOf(schedule));
    setAffected(null);
    void invalidateAppointments(client);
    // The profile shows days, hours and zone too.
    getProfile().then(setUser, () => {});
    const outcome = outcomeOf(appointments);
    toast.success(outcome ? `Schedule saved.${outcome}` : 'Schedule saved');
  };

  const form = useForm({
    values: found ?? draftOf(saved),
    validate: checkDraft,
    submit: async (draft) => {
      const wanted = scheduleOf(draft);
      const preview = await previewSchedule(wanted);
      if (preview.affected.length > 0) {
        decide(preview.affected);
        return;
      }
      try {
        onSaved((await saveSchedule(wanted)).schedule);
      } catch (error) {
        // Somebody booked between the two calls.
        if (!hasCode(error, 'visits_affected')) throw error;
        decide((error.data.affected ?? []) as AffectedAppointment[]);
      }
    },
    message: (error) => messageOf(error, 'Failed to save the schedule'),
  });
  const { values, set } = form;
  const before = draftOf(saved);
  const unsaved = !sameDraft(values, before);

  useLeaveWarning(unsaved);
  useEffect(() => storeDraft(user._id, unsaved ? values : null), [user._id, unsaved, values]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `set` is created at each render and does the same.
  const setWeek = useCallback((week: Week) => set('weeklyHours', week), []);

  if (affected) {
    const wanted = scheduleOf(values);
    const count = affected.length;
    return (
      <AffectedAppointments
        affected={affected}
        timeZone={wanted.timeZone}
        action="Save schedule"
        busyLabel="Saving..."
        back="Back to the schedule"
        fallback="Failed to save the schedule"
        onSave={async (appointments, reason) =>
          onSaved(
            (await saveSchedule({ ...wanted, visits: appointments, reason })).schedule,
            appointments,
          )
        }
        onBack={() => setAffected(null)}
        onRefused={() => {
          setAffected(null);
          form.onSubmit();
        }}
      >
        <PageHeading
          title="Appointments outside your new hours"
          lead="Nothing is saved yet. Decide what happens to each appointment."
        >
          {count === 1 ? '1 appointment falls' : `${count} appointments fall`} outside your new
          hours
        </PageHeading>
      </AffectedAppointments>
    );
  }

  return (
    <Stack gap={5}>
      <ErrorSummary form={form} />
      <PageHeading lead="When patients can book you. All times are on your clinic’s clock.">
        Schedule
      </PageHeading>
      {found && unsaved && (
        <Banner tone="info" title="Your unsaved changes are still here">
          <p>You left this page before you saved them.</p>
        </Banner>
      )}
      <Stack as="form" gap={6} noValidate onSubmit={form.onSubmit}>
        <FormSection
          title="Weekly hours"
          hint="Leave gaps for breaks. Slots restart at the beginning of each block. Hours that run past midnight, like 20:00 to 03:00, belong to the day they start on."
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
          absences={saved.absences}
          onTimeOff={(absence) => setTimeOff({ absence })}
        />
        <BlockedHours form={form} />
        <Inline rowGap={2} className={styles.save} data-unsaved={unsaved ? '' : undefined}>
          <Button type="submit" busy={form.busy} busyLabel="Saving...">
            Save schedule
          </Button>
          {unsaved && (
            <Button variant="secondary" onClick={() => form.reset(before)}>
              Undo changes
            </Button>
          )}
          <span className="muted small">{unsaved ? 'Not saved yet.' : 'Everything is saved.'}</span>
        </Inline>
      </Stack>
      {timeOff && (
        <AbsenceDialog
          absence={timeOff.absence}
          timeZone={saved.timeZone}
          onClose={() => setTimeOff(null)}
        />
      )}
      <SlotExplainer doctorId={user._id} schedule={saved} />
    </Stack>
  );
}
