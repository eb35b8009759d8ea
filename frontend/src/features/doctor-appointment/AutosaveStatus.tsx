import { useSyncExternalStore } from 'react';
import { inZone } from '@/lib/dates';
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
            Try now
          </Button>
        )}
        {status.state === 'kept' && status.savedAt && (
          <Button variant="quiet" onClick={onDiscard}>
            Throw away
          </Button>
        )}
      </Inline>
    </>
  );
}

function statusMessage({ state, savedAt, error }: AutosaveState, timeZone: string): string {
  switch (state) {
    case 'kept':
      return savedAt ? `Draft saved ${inZone(savedAt, timeZone).time}` : '';
    case 'typing':
    case 'saving':
      return 'Saving the draft…';
    case 'offline':
      return 'Not saved yet: no connection. It is kept here.';
    case 'refused':
      return `Not saved: ${error}`;
    case 'conflict':
      return 'Not saved yet: there is another version.';
  }
}
