import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useEffect, useRef } from 'react';
import { formatDayTime } from '@/lib/dates';
import { Button } from '@/ui/Button';
import { markTitleAsError } from '@/ui/documentTitle';
import { Inline } from '@/ui/Inline';
import { Stack } from '@/ui/Stack';
import { type Slot, viewerTime } from './freeSlots';
import styles from './SlotUnavailable.module.css';
import type { UnavailableSlot } from './unavailableSlot';

const TITLES: Record<string, MessageDescriptor> = {
  slot_taken: msg`Sorry, this time was just taken`,
  time_not_offered: msg`Sorry, this time is no longer available`,
  patient_busy: msg`You already have an appointment at this time`,
};

interface Props {
  unavailable: Pick<UnavailableSlot, 'code' | 'message' | 'alternatives'>;
  timeZone: string;
  /** What this means for the request. */
  children: ReactNode;
  onChoose: (slot: Slot) => void;
  onMore: () => void;
  /** Appears without an action of the user, so it must not take the focus. */
  isInline?: boolean;
}

/** Explain why a time cannot be booked, and offer the nearest free times. */
export function SlotUnavailable({
  unavailable,
  timeZone,
  children,
  onChoose,
  onMore,
  isInline,
}: Props) {
  const { t } = useLingui();
  const title = TITLES[unavailable.code];
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: announce each new time.
  useEffect(() => {
    if (isInline) return;
    markTitleAsError(true);
    box.current?.focus();
    return () => markTitleAsError(false);
  }, [unavailable, isInline]);

  return (
    <Stack
      ref={box}
      gap={3}
      className={styles.panel}
      role={isInline ? 'status' : 'alert'}
      tabIndex={-1}
    >
      <h2 className="subheading">{title ? t(title) : unavailable.message}</h2>
      <p>{children}</p>
      {unavailable.alternatives.length > 0 && (
        <>
          <p className="strong">
            <Trans>Nearest openings:</Trans>
          </p>
          <Inline as="ul" gap={2} align="stretch">
            {unavailable.alternatives.map(({ date, time }) => {
              const own = viewerTime({ date, time }, timeZone);
              const dayTime = formatDayTime(date, time);
              return (
                <li key={date + time}>
                  <Button variant="secondary" onClick={() => onChoose({ date, time })}>
                    {own ? t`${dayTime} (${own} your time)` : dayTime}
                  </Button>
                </li>
              );
            })}
          </Inline>
        </>
      )}
      <Button variant="quiet" className={styles.more} onClick={onMore}>
        <Trans>Show all openings</Trans>
      </Button>
    </Stack>
  );
}
