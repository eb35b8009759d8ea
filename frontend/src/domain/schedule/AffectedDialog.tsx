import { Plural } from '@lingui/react/macro';
import type { ComponentProps } from 'react';
import { messageOf } from '@/api/errors';
import { Dialog } from '@/ui/Dialog';
import { toast } from '@/ui/toasts';
import { AffectedAppointments } from './AffectedAppointments';

type AffectedProps = ComponentProps<typeof AffectedAppointments>;

interface Props extends Omit<AffectedProps, 'children' | 'heading' | 'onRefused'> {
  title: string;
  /** The affected period as text. */
  period: string;
  onClose: () => void;
}

/** A dialog to decide about the appointments within a period that will be blocked. */
export function AffectedDialog({ title, period, onClose, ...props }: Props) {
  const count = props.affected.length;
  return (
    <Dialog title={title} onClose={onClose}>
      <AffectedAppointments
        {...props}
        heading="h3"
        onRefused={(error) => {
          props.onBack();
          toast.error(messageOf(error, props.fallback));
        }}
      >
        <p>
          <Plural
            value={count}
            one={`# appointment falls within ${period}. Nothing is saved yet. Decide what happens to it.`}
            other={`# appointments fall within ${period}. Nothing is saved yet. Decide what happens to each.`}
          />
        </p>
      </AffectedAppointments>
    </Dialog>
  );
}
