import { useSyncExternalStore } from 'react';
import { inZone } from '@/lib/dates';
import { Button } from '@/ui/Button';
import { Inline } from '@/ui/Inline';
import { CheckIcon, WarningIcon } from '@/ui/icons';
import styles from './appointment.module.css';
import type { DraftAutosave, Keeping } from './draftAutosave';

interface Props {
  keeper: DraftAutosave;
  timeZone: string;
  onDiscard: () => void;
}

/** How it stands with what is typed, in a line beside the buttons. */
export function AutosaveStatus({ keeper, timeZone, onDiscard }: Props) {
  const keeping = useSyncExternalStore(keeper.subscribe, keeper.keeping);
  const said = sentence(keeping, timeZone);
  const trouble = keeping.state === 'offline' || keeping.state === 'refused';
  return (
    <>
      {/* Not each save is worth saying aloud, but the loss of the connection is. */}
      <span role="status" className="visually-hidden">
        {trouble ? said : ''}
      </span>
      <Inline
        gap={2}
        wrap={false}
        className={styles.saveStatus}
        data-says={said ? '' : undefined}
        data-trouble={trouble ? '' : undefined}
      >
        {trouble && <WarningIcon size={20} />}
        {keeping.state === 'kept' && keeping.savedAt && <CheckIcon size={20} />}
        <span className={styles.saveStatusText}>{said}</span>
        {keeping.state === 'offline' && (
          <Button variant="quiet" onClick={() => keeper.flush()}>
            Try now
          </Button>
        )}
        {keeping.state === 'kept' && keeping.savedAt && (
          <Button variant="quiet" onClick={onDiscard}>
            Throw away
          </Button>
        )}
      </Inline>
    </>
  );
}

function sentence({ state, savedAt, problem }: Keeping, timeZone: string): string {
  switch (state) {
    case 'kept':
      return savedAt ? `Draft saved ${inZone(savedAt, timeZone).time}` : '';
    case 'typing':
    case 'saving':
      return 'Saving the draft…';
    case 'offline':
      return 'Not saved yet: no connection. It is kept here.';
    case 'refused':
      return `Not saved: ${problem}`;
    case 'conflict':
      return 'Not saved yet: there is another version.';
  }
}
