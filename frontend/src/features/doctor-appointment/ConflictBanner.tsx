import { Trans, useLingui } from '@lingui/react/macro';
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
  const { t } = useLingui();
  const { otherVersion, replacedContent } = useSyncExternalStore(
    autosave.subscribe,
    autosave.getState,
  );
  const [looking, setLooking] = useState(false);
  if (!otherVersion) {
    return (
      replacedContent && (
        <Banner tone="info" title={t`Switched to the other version`}>
          <p>
            <Trans>We’ll keep what you typed until you leave this page.</Trans>
          </p>
          <Button
            variant="secondary"
            className={styles.inBanner}
            onClick={() => autosave.restoreMine()}
          >
            <Trans>Restore my version</Trans>
          </Button>
        </Banner>
      )
    );
  }
  const at =
    otherVersion.kind === 'draft' ? otherVersion.draft.savedAt : otherVersion.record.writtenAt;
  const when = at && formatInstant(at, appointment.timeZone);
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
            ? t`You’re also writing this record in another window`
            : t`This record was changed in another window or by someone else`
        }
      >
        <p>
          {when ? (
            <Trans>Another version was saved on {when}. We’ve kept what you typed here.</Trans>
          ) : (
            <Trans>Another version was saved. We’ve kept what you typed here.</Trans>
          )}
        </p>
        <Button variant="secondary" className={styles.inBanner} onClick={() => setLooking(true)}>
          <Trans>View the other version</Trans>
        </Button>
      </Banner>
      {looking && (
        <Dialog
          title={t`The other version`}
          onClose={() => setLooking(false)}
          actions={
            <>
              <Button onClick={decide(() => autosave.keepMine())}>
                <Trans>Keep my version</Trans>
              </Button>
              <Button variant="secondary" onClick={decide(() => autosave.takeOther())}>
                <Trans>Use the other version</Trans>
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
              ? t`If you keep your version, it replaces the other draft. If you use the other version, you can still restore yours.`
              : t`If you keep your version, save it again. The other version stays among the earlier versions.`}
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
