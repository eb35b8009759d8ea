import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '@/api/errors';
import { removeAbsence } from '@/api/schedule';
import type { Absence } from '@/api/types';
import { absenceText } from '@/domain/schedule/absence';
import { invalidateSchedule } from '@/domain/schedule/invalidateSchedule';
import { Button } from '@/ui/Button';
import { toast } from '@/ui/toasts';
import styles from './schedule.module.css';

interface Props {
  absences: Absence[];
  onChange: (absence: Absence) => void;
}

/** Upcoming absences; each can be edited or removed. */
export function AbsenceList({ absences, onChange }: Props) {
  const { t } = useLingui();
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: ({ _id }: Absence) => removeAbsence(_id),
    onSuccess: () => toast.success(t`Time off removed. Patients can book these times again.`),
    onError: (error) => toast.error(messageOf(error, t`We couldn’t remove the time off`)),
    onSettled: () => invalidateSchedule(client),
  });
  if (absences.length === 0) return null;
  return (
    <ul className={styles.entries} aria-label={t`Time off`}>
      {absences.map((absence) => {
        const when = absenceText(absence);
        return (
          <li key={absence._id} className={styles.entry}>
            <div>
              <strong>{when}</strong>
              {absence.reason && <p className="muted">{absence.reason}</p>}
            </div>
            <div className={styles.entryActions}>
              <Button variant="quiet" onClick={() => onChange(absence)}>
                <Trans>
                  Change <span className="visually-hidden">{when}</span>
                </Trans>
              </Button>
              <Button
                variant="quiet"
                busy={remove.isPending && remove.variables._id === absence._id}
                busyLabel={t`Removing...`}
                onClick={() => remove.mutate(absence)}
              >
                <Trans>
                  Remove <span className="visually-hidden">{when}</span>
                </Trans>
              </Button>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
