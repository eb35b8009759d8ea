import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { getProfile, previewSchedule, saveSchedule } from '@/api/calls';
import { hasCode, messageOf } from '@/api/errors';
import { forgetVisits, scheduleQuery } from '@/api/queries';
import type { AffectedVisit, Schedule, Week } from '@/api/types';
import { Decisions } from '@/domain/schedule/Decisions';
import { useSession, useUser } from '@/domain/session/session';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { FormSection } from '@/ui/FormSection';
import { notify } from '@/ui/notices';
import { PageHeading } from '@/ui/PageHeading';
import { useForm } from '@/ui/useForm';
import { BlockedHours } from './BlockedHours';
import { checkDraft, draftOf, keepDraft, keptDraft, sameDraft, scheduleOf } from './draft';
import { Rules } from './Rules';
import { SpecialDays } from './SpecialDays';
import styles from './schedule.module.css';
import { useLeaveWarning } from './useLeaveWarning';
import { WeekGrid } from './WeekGrid';
import { WeekList } from './WeekList';
import { WhyNot } from './WhyNot';

/** The schedule with all its parts; saving looks first at the visits that it would strand. */
export function ScheduleEditor({ saved }: { saved: Schedule }) {
  const user = useUser();
  const { setUser } = useSession();
  const client = useQueryClient();
  const [affected, setAffected] = useState<AffectedVisit[] | null>(null);
  const [found] = useState(() => keptDraft(user._id));

  const onSaved = (schedule: Schedule) => {
    client.setQueryData(scheduleQuery.queryKey, schedule);
    form.reset(draftOf(schedule));
    setAffected(null);
    void forgetVisits(client);
    // The profile shows days, hours and zone too.
    getProfile().then(setUser, () => {});
    notify.success('Schedule saved');
  };

  const form = useForm({
    values: found ?? draftOf(saved),
    validate: checkDraft,
    submit: async (draft) => {
      const wanted = scheduleOf(draft);
      const preview = await previewSchedule(wanted);
      if (preview.affected.length > 0) {
        setAffected(preview.affected);
        return;
      }
      try {
        onSaved((await saveSchedule(wanted)).schedule);
      } catch (error) {
        // Somebody booked between the two calls.
        if (!hasCode(error, 'visits_affected')) throw error;
        setAffected((error.data.affected ?? []) as AffectedVisit[]);
      }
    },
    message: (error) => messageOf(error, 'Failed to save the schedule'),
  });
  const { values, set } = form;
  const before = draftOf(saved);
  const unsaved = !sameDraft(values, before);

  useLeaveWarning(unsaved);
  useEffect(() => keepDraft(user._id, unsaved ? values : null), [user._id, unsaved, values]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `set` is made anew at each render and does the same.
  const setWeek = useCallback((week: Week) => set('weeklyHours', week), []);

  if (affected) {
    const wanted = scheduleOf(values);
    const count = affected.length;
    return (
      <Decisions
        affected={affected}
        timeZone={wanted.timeZone}
        action="Save schedule"
        busyLabel="Saving..."
        back="Back to the schedule"
        fallback="Failed to save the schedule"
        onSave={async (visits, reason) =>
          onSaved((await saveSchedule({ ...wanted, visits, reason })).schedule)
        }
        onBack={() => setAffected(null)}
        onRefused={() => {
          setAffected(null);
          form.onSubmit();
        }}
      >
        <PageHeading
          title="Visits outside the new hours"
          lead="Nothing is saved yet. Choose for each what shall become of it; unless you choose otherwise it stays as it is."
        >
          {count === 1 ? '1 visit lies outside' : `${count} visits lie outside`} the new hours
        </PageHeading>
      </Decisions>
    );
  }

  return (
    <div className={styles.page}>
      <ErrorSummary form={form} />
      <PageHeading lead="When patients can book you. All times are on your clinic’s clock.">
        Schedule
      </PageHeading>
      {found && unsaved && (
        <Banner tone="info" title="Your unsaved changes are still here">
          <p>You left this page before you saved them.</p>
        </Banner>
      )}
      <form className="stack" data-gap="6" noValidate onSubmit={form.onSubmit}>
        <FormSection
          title="Weekly hours"
          hint="Leave gaps for breaks. Visits start anew at the beginning of each stretch of hours."
        >
          <div className={styles.week}>
            <WeekGrid week={values.weeklyHours} onChange={setWeek} />
            <WeekList
              week={values.weeklyHours}
              visit={Number(values.visitMinutes)}
              buffer={Number(values.bufferMinutes)}
              errors={form.errors}
              onChange={setWeek}
            />
          </div>
        </FormSection>
        <Rules form={form} />
        <SpecialDays form={form} />
        <BlockedHours form={form} />
        <div className={styles.save} data-unsaved={unsaved ? '' : undefined}>
          <Button type="submit" busy={form.busy} busyLabel="Saving...">
            Save schedule
          </Button>
          {unsaved && (
            <Button variant="secondary" onClick={() => form.reset(before)}>
              Undo changes
            </Button>
          )}
          <span className="muted small">{unsaved ? 'Not saved yet.' : 'Everything is saved.'}</span>
        </div>
      </form>
      <WhyNot doctorId={user._id} schedule={saved} />
    </div>
  );
}
