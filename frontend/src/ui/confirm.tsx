import { useLingui } from '@lingui/react/macro';
import { type ReactNode, useSyncExternalStore } from 'react';
import { Button } from './Button';
import { Dialog } from './Dialog';
import { registerDialogs } from './dialogHost';

interface Question {
  title: string;
  body?: ReactNode;
  /** The verb on the button: "Cancel appointment", never "OK". */
  action: string;
  /** The label of the cancel button: "Keep appointment". */
  dismiss?: string;
  tone?: 'primary' | 'danger';
}

let currentQuestion: (Question & { answer: (isConfirmed: boolean) => void }) | null = null;
const listeners = new Set<() => void>();

function ask(next: typeof currentQuestion) {
  currentQuestion = next;
  for (const listener of listeners) listener();
}

/** Ask for confirmation; resolves to whether the user confirmed. */
export function confirm(question: Question): Promise<boolean> {
  currentQuestion?.answer(false);
  return new Promise((resolve) => {
    ask({
      ...question,
      answer: (isConfirmed) => {
        ask(null);
        resolve(isConfirmed);
      },
    });
  });
}

const current = () => currentQuestion;

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Renders the dialog of the current question. */
function ConfirmDialog() {
  const { t } = useLingui();
  const question = useSyncExternalStore(subscribe, current, current);
  if (!question) return null;
  return (
    <Dialog
      role="alertdialog"
      title={question.title}
      onClose={() => question.answer(false)}
      actions={
        <>
          <Button
            variant={question.tone === 'danger' ? 'danger' : 'primary'}
            onClick={() => question.answer(true)}
          >
            {question.action}
          </Button>
          <Button variant="secondary" onClick={() => question.answer(false)}>
            {question.dismiss ?? t`Go back`}
          </Button>
        </>
      }
    >
      {question.body && <div>{question.body}</div>}
    </Dialog>
  );
}

registerDialogs(ConfirmDialog);
