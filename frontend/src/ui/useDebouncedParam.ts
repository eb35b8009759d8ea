import { useEffect, useRef, useState } from 'react';

const DELAY_MS = 250;

/**
 * A text input that follows the URL and updates it after a pause. The update never overwrites newer
 * input.
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
      const trimmed = text.trim();
      if (trimmed === latest.current.current) return;
      echoes.current.push(trimmed);
      latest.current.commit(trimmed || undefined);
    }, DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);

  return [text, setText];
}
