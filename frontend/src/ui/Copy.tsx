import { useState } from 'react';
import { Button } from './Button';
import { notify } from './notices';

/** Copy a text; `what` names it for people who don't see it beside the button. */
export function Copy({ text, what }: { text: string; what: string }) {
  const [done, setDone] = useState(false);
  return (
    <Button
      variant="quiet"
      onClick={async () => {
        try {
          await navigator.clipboard.writeText(text);
          setDone(true);
        } catch {
          notify.error(`The ${what} could not be copied`);
        }
      }}
    >
      {done ? 'Copied' : 'Copy'}
      <span className="visually-hidden"> the {what}</span>
    </Button>
  );
}
