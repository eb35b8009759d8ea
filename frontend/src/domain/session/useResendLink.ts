import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { resendConfirmationLink } from '@/api/email';
import { hasCode, messageOf } from '@/api/errors';
import type { User } from '@/api/types';
import { toast } from '@/ui/toasts';
import { useSession } from './session';

/**
 * Email the confirmation link again: for the pending address if there is one, else for the current
 * one.
 */
export function useResendLink({ pendingEmail }: User) {
  const { t } = useLingui();
  const { retry } = useSession();
  return useMutation({
    mutationFn: () => resendConfirmationLink(pendingEmail !== null),
    onSuccess: ({ message }) => toast.success(message || t`The link is on its way`),
    onError: (error) => {
      toast.error(messageOf(error, t`We couldn’t send the link`));
      // Confirmed in the meantime, perhaps in another window.
      if (hasCode(error, 'email_confirmed', 'no_pending_email')) retry();
    },
  });
}
