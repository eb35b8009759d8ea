import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from './Button';
import { toast } from './toasts';

/** Copy a text; `label` names it for screen readers. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { t } = useLingui();
  const [done, setDone] = useState(false);
  return (
    <Button
      variant="quiet"
      onClick={async () => {
        try {
          await navigator.clipboard.writeText(text);
          setDone(true);
        } catch {
          toast.error(t`We couldn’t copy this. Please select the text and copy it.`);
        }
      }}
    >
      {done ? (
        <Trans>
          Copied<span className="visually-hidden">: {label}</span>
        </Trans>
      ) : (
        <Trans>
          Copy<span className="visually-hidden">: {label}</span>
        </Trans>
      )}
    </Button>
  );
}
