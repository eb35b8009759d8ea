import { useState, useSyncExternalStore } from 'react';
import type { Appointment, DraftContent, RecordContent } from '@/api/types';
import { RecordSections } from '@/domain/record/RecordSections';
import { formatInstant } from '@/lib/dates';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import styles from './appointment.module.css';
import type { DraftAutosave } from './draftAutosave';

interface Props {
  autosave: DraftAutosave;
  appointment: Appointment;
}

/** Two versions of one record: the doctor chooses one, and neither is lost. */
export function ConflictBanner({ autosave, appointment }: Props) {
  const { otherVersion, replacedContent } = useSyncExternalStore(
    autosave.subscribe,
    autosave.getState,
  );
  const [looking, setLooking] = useState(false);
  if (!otherVersion) {
    return (
      replacedContent && (
        <Banner tone="info" title="You took the other version">
          <p>What you had typed yourself is kept until you leave this page.</p>
          <Button
            variant="secondary"
            className={styles.inBanner}
            onClick={() => autosave.restoreMine()}
          >
            Take mine back
          </Button>
        </Banner>
      )
    );
  }
  const at =
    otherVersion.kind === 'draft' ? otherVersion.draft.savedAt : otherVersion.record.writtenAt;
  const decide = (resolve: () => void) => () => {
    setLooking(false);
    resolve();
  };
  return (
    <div role="alert">
      <Banner
        tone="warning"
        title={
          otherVersion.kind === 'draft'
            ? 'This appointment is being written in another window too'
            : 'The record was changed in another window or by someone else'
        }
      >
        <p>
          Another version was saved{at && ` ${formatInstant(at, appointment.timeZone)}`}. What you
          typed here is kept.
        </p>
        <Button variant="secondary" className={styles.inBanner} onClick={() => setLooking(true)}>
          Look at the other version
        </Button>
      </Banner>
      {looking && (
        <Dialog
          title="The other version"
          onClose={() => setLooking(false)}
          actions={
            <>
              <Button onClick={decide(() => autosave.keepMine())}>Go on with mine</Button>
              <Button variant="secondary" onClick={decide(() => autosave.takeOther())}>
                Take the other version
              </Button>
            </>
          }
        >
          <RecordSections
            record={toRecord(otherVersion.content)}
            appointmentDate={appointment.appointmentDate}
            reader="doctor"
          />
          <p className="muted small">
            {otherVersion.kind === 'draft'
              ? 'If you go on with yours, it replaces the other draft. If you take the other, yours can be taken back.'
              : 'If you go on with yours, save it again: the other stays among the earlier versions.'}
          </p>
        </Dialog>
      )}
    </div>
  );
}

/** Numbers of a draft may be incomplete. */
function toRecord({ followUpDays, prescription, ...rest }: DraftContent | RecordContent) {
  const number = (text: string | number | null) => {
    const days = Number(text);
    return Number.isInteger(days) && days > 0 ? days : null;
  };
  return {
    ...rest,
    followUpDays: number(followUpDays),
    prescription: {
      notes: prescription.notes,
      items: prescription.items.map((item) => ({ ...item, days: number(item.days) })),
    },
  };
}
