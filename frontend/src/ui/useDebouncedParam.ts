import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 250;

/**
 * Text that follows the address bar and writes to it after a pause. What is being typed is never
 * replaced by the echo of what was written there a moment ago.
 */
export function useDebouncedParam(
  value: string | undefined,
  commit: (text: string | undefined) => void,
): [string, (text: string) => void] {
  const current = value ?? '';
  const [text, setText] = useState(current);
  const echoes = useRef<string[]>([]);
  const latest = useRef({ current, commit });
  useEffect(() => {
    latest.current = { current, commit };
  });

  useEffect(() => {
    const echo = echoes.current.indexOf(current);
    echoes.current.splice(0, echo + 1);
    if (echo < 0) setText(current);
  }, [current]);

  useEffect(() => {
    const timer = setTimeout(() => {
      const wanted = text.trim();
      if (wanted === latest.current.current) return;
      echoes.current.push(wanted);
      latest.current.commit(wanted || undefined);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);

  return [text, setText];
}
