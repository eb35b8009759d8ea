import { useMutation } from '@tanstack/react-query';
import { resendConfirmationLink } from '@/api/email';
import { hasCode, messageOf } from '@/api/errors';
import type { User } from '@/api/types';
import { toast } from '@/ui/toasts';
import { useSession } from './session';

/** Have the link mailed once more that confirms a person's address: the new one that waits, else the one in use. */
export function useResendLink({ pendingEmail }: User) {
  const { retry } = useSession();
  return useMutation({
    mutationFn: () => resendConfirmationLink(pendingEmail !== null),
    onSuccess: ({ message }) => toast.success(message || 'The link is on its way'),
    onError: (error) => {
      toast.error(messageOf(error, 'Failed to send the link'));
      // Settled meanwhile, in another window perhaps.
      if (hasCode(error, 'email_confirmed', 'no_pending_email')) retry();
    },
  });
}
