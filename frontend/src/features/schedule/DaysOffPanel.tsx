import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { REASON_VISIBILITY } from '@/domain/schedule/reasonVisibility';
import { Button } from '@/ui/Button';
import { fieldId } from '@/ui/Field';
import { TextInput } from '@/ui/TextInput';
import { checkDaysOff, type Override, type OverrideGroup } from './draft';
import styles from './schedule.module.css';

interface Props {
  daysOff: OverrideGroup;
  otherOverrides: Override[];
  today: string;
  onChange: (from: string, to: string, reason: string) => void;
}

/** Several consecutive days off, edited together. */
export function DaysOffPanel({ daysOff, otherOverrides, today, onChange }: Props) {
  const { t } = useLingui();
  const heading = useRef<HTMLHeadingElement>(null);
  const [from, setFrom] = useState(daysOff.from);
  const [to, setTo] = useState(daysOff.to);
  const [reason, setReason] = useState(daysOff.reason);
  const [errors, setErrors] = useState<{ from?: string; to?: string }>({});
  useEffect(() => heading.current?.focus(), []);
  const change = () => {
    const complaints = checkDaysOff(otherOverrides, from, to, today);
    setErrors(complaints);
    if (complaints.from || complaints.to) {
      document.getElementById(fieldId(complaints.from ? 'off.from' : 'off.to'))?.focus();
      return;
    }
    onChange(from, to, reason.trim());
  };
  return (
    <div className={styles.panel}>
      <h3 ref={heading} tabIndex={-1}>
        {t`Change these days off`}
      </h3>
      <div className={styles.pair}>
        <TextInput
          name="off.from"
          label={t`First day`}
          type="date"
          min={today}
          value={from}
          error={errors.from}
          onChange={setFrom}
          optional="unmarked"
        />
        <TextInput
          name="off.to"
          label={t`Last day`}
          type="date"
          min={from || today}
          value={to}
          error={errors.to}
          onChange={setTo}
          optional="unmarked"
        />
      </div>
      <TextInput
        name="off.reason"
        label={t`Reason`}
        hint={t(REASON_VISIBILITY)}
        optional
        maxLength={200}
        value={reason}
        onChange={setReason}
      />
      <div>
        <Button variant="secondary" onClick={change}>
          {t`Change these days`}
        </Button>
      </div>
    </div>
  );
}
