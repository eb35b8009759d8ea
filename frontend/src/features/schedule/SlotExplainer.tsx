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

/** Explain why a time can or cannot be booked, with the server's answer. */
export function SlotExplainer({ doctorId, schedule }: { doctorId: string; schedule: Schedule }) {
  const [date, setDate] = useState(today(schedule.timeZone));
  const [time, setTime] = useState('09:00');
  const [error, setError] = useState('');
  const explanation = useMutation({ mutationFn: (slot: Slot) => explainTime(doctorId, slot) });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const tidy = normalizeTime(time);
    setTime(tidy);
    if (!isDate(date) || parseMinute(tidy) === null || tidy === '24:00') {
      setError('Enter a date and a time, like 09:00.');
      return;
    }
    setError('');
    explanation.mutate({ date, time: tidy });
  };
  const slot = explanation.data && explanation.variables;
  return (
    <Card as="section" aria-labelledby="why" gap={4}>
      <h2 id="why" className="subheading">
        Why is a time not free?
      </h2>
      <p className="muted">Check any date and time against your saved schedule.</p>
      <Inline as="form" gap={4} align="end" noValidate onSubmit={onSubmit}>
        <TextInput
          name="why.date"
          label="Date"
          type="date"
          value={date}
          onChange={setDate}
          optional="unmarked"
        />
        <TextInput
          name="why.time"
          label="Time"
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
          busyLabel="Asking..."
        >
          Ask
        </Button>
      </Inline>
      <div role="status">
        {!error && slot && explanation.data && (
          <p className={styles.summary}>
            <strong>{formatDayTime(slot.date, slot.time)}: </strong>
            {explanation.data.open
              ? 'free. Patients can book it.'
              : unavailableReason(explanation.data.reason ?? '', slot, schedule)}
          </p>
        )}
        {explanation.isError && <p>{messageOf(explanation.error, 'We could not find out')}</p>}
      </div>
    </Card>
  );
}
