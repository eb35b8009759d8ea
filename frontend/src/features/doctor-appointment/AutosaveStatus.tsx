import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useSyncExternalStore } from 'react';
import { formatTime, inZone } from '@/lib/dates';
import { Button } from '@/ui/Button';
import { Inline } from '@/ui/Inline';
import { CheckIcon, WarningIcon } from '@/ui/icons';
import styles from './appointment.module.css';
import type { AutosaveState, DraftAutosave } from './draftAutosave';

interface Props {
  autosave: DraftAutosave;
  timeZone: string;
  onDiscard: () => void;
}

/** The state of autosave, beside the buttons. */
export function AutosaveStatus({ autosave, timeZone, onDiscard }: Props) {
  const status = useSyncExternalStore(autosave.subscribe, autosave.getState);
  const message = statusMessage(status, timeZone);
  const hasProblem = status.state === 'offline' || status.state === 'refused';
  return (
    <>
      {/* Not each save is worth saying aloud, but the loss of the connection is. */}
      <span role="status" className="visually-hidden">
        {hasProblem ? message : ''}
      </span>
      <Inline
        gap={2}
        wrap={false}
        className={styles.saveStatus}
        data-says={message ? '' : undefined}
        data-trouble={hasProblem ? '' : undefined}
      >
        {hasProblem && <WarningIcon size={20} />}
        {status.state === 'kept' && status.savedAt && <CheckIcon size={20} />}
        <span className={styles.saveStatusText}>{message}</span>
        {status.state === 'offline' && (
          <Button variant="quiet" onClick={() => autosave.flush()}>
            <Trans>Try now</Trans>
          </Button>
        )}
        {status.state === 'kept' && status.savedAt && (
          <Button variant="quiet" onClick={onDiscard}>
            <Trans>Discard draft</Trans>
          </Button>
        )}
      </Inline>
    </>
  );
}

const draftSavedText = (time: string) => t`Draft saved ${time}`;

function statusMessage({ state, savedAt, error }: AutosaveState, timeZone: string): string {
  switch (state) {
    case 'kept':
      if (!savedAt) return '';
      return draftSavedText(formatTime(inZone(savedAt, timeZone).time));
    case 'typing':
    case 'saving':
      return t`Saving the draft…`;
    case 'offline':
      return t`Not saved yet: no connection. We’ll keep trying.`;
    case 'refused':
      return t`Not saved: ${error}`;
    case 'conflict':
      return t`Not saved yet: there’s another version.`;
  }
}
