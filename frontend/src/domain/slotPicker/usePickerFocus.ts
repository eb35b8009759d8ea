import { useEffect, useRef, useState } from 'react';

/** Move focus between the days and the times of the chosen day, once what is focused has loaded. */
export function usePickerFocus(selectedDate: string | null) {
  const root = useRef<HTMLDivElement>(null);
  const section = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [target, setTarget] = useState<'days' | { timesOf: string } | null>(null);

  useEffect(() => {
    if (target === null) return;
    if (target === 'days') {
      const days = root.current?.querySelector('[data-days]');
      const button =
        days?.querySelector<HTMLElement>('[aria-pressed="true"], [tabindex="0"]') ??
        days?.querySelector<HTMLElement>('button');
      button?.focus();
    } else {
      // The page may keep the day in the address bar, which changes a moment later.
      if (target.timesOf !== selectedDate) return;
      heading.current?.focus({ preventScroll: true });
      section.current?.scrollIntoView({ block: 'nearest' });
    }
    setTarget(null);
  }, [target, selectedDate]);

  return {
    root,
    section,
    heading,
    focusDays: () => setTarget('days'),
    focusTimesOf: (date: string) => setTarget({ timesOf: date }),
  };
}
