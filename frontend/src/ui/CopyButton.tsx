import { useState } from 'react';
import { Button } from './Button';
import { toast } from './toasts';

/** Copy a text; `what` names it for screen readers. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [done, setDone] = useState(false);
  return (
    <Button
      variant="quiet"
      onClick={async () => {
        try {
          await navigator.clipboard.writeText(text);
          setDone(true);
        } catch {
          toast.error(`The ${label} could not be copied`);
        }
      }}
    >
      {done ? 'Copied' : 'Copy'}
      <span className="visually-hidden"> the {label}</span>
    </Button>
  );
}
