import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { messageOf } from '@/api/errors';
import { explainTime } from '@/api/schedule';
import type { Schedule } from '@/api/types';
import type { Slot } from '@/domain/freeSlots';
import { normalizeTime, parseMinute } from '@/domain/schedule/hours';
import { TIME_INPUT } from '@/domain/schedule/timeInput';
import { unavailableReason } from '@/domain/schedule/unavailableReason';
import { formatDayTime, isDate, today } from '@/lib/dates';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Inline } from '@/ui/Inline';
import { TextInput } from '@/ui/TextInput';
import styles from './schedule.module.css';

const EXAMPLE_TIME = '09:00';

/** Explain why a time can or cannot be booked, with the server's answer. */
export function SlotExplainer({ doctorId, schedule }: { doctorId: string; schedule: Schedule }) {
  const { t } = useLingui();
  const [date, setDate] = useState(today(schedule.timeZone));
  const [time, setTime] = useState(EXAMPLE_TIME);
  const [error, setError] = useState('');
  const explanation = useMutation({ mutationFn: (slot: Slot) => explainTime(doctorId, slot) });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const tidy = normalizeTime(time);
    setTime(tidy);
    if (!isDate(date) || parseMinute(tidy) === null || tidy === '24:00') {
      setError(t`Enter a date and a time, like ${EXAMPLE_TIME}.`);
      return;
    }
    setError('');
    explanation.mutate({ date, time: tidy });
  };
  const slot = explanation.data && explanation.variables;
  const when = slot && formatDayTime(slot.date, slot.time);
  const answer =
    slot &&
    (explanation.data.open
      ? t`This time is open. Patients can book it.`
      : unavailableReason(explanation.data.reason ?? '', slot, schedule));
  return (
    <Card as="section" aria-labelledby="why" gap={4}>
      <h2 id="why" className="subheading">
        <Trans>Why can’t patients book a time?</Trans>
      </h2>
      <p className="muted">
        <Trans>Check any date and time against your saved schedule.</Trans>
      </p>
      <Inline as="form" gap={4} align="end" noValidate onSubmit={onSubmit}>
        <TextInput
          name="why.date"
          label={t`Date`}
          type="date"
          value={date}
          onChange={setDate}
          optional="unmarked"
        />
        <TextInput
          name="why.time"
          label={t`Time`}
          {...TIME_INPUT}
          onBlur={() => setTime(normalizeTime(time))}
          value={time}
          onChange={setTime}
          error={error}
          optional="unmarked"
        />
        <Button
          type="submit"
          variant="secondary"
          busy={explanation.isPending}
          busyLabel={t`Checking...`}
        >
          <Trans>Check</Trans>
        </Button>
      </Inline>
      <div role="status">
        {!error && when && (
          <p className={styles.summary}>
            <Trans>
              <strong>{when}:</strong> {answer}
            </Trans>
          </p>
        )}
        {explanation.isError && (
          <p>{messageOf(explanation.error, t`We couldn’t check this time`)}</p>
        )}
      </div>
    </Card>
  );
}
