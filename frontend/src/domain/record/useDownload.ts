import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { messageOf } from '@/api/errors';
import { toast } from '@/ui/toasts';

/** Download a file and report the result; errors stay until dismissed. */
export function useDownload(failure: string) {
  const { t } = useLingui();
  return useMutation({
    mutationFn: (startDownload: () => Promise<void>) => startDownload(),
    onSuccess: () => toast.success(t`Saved to your downloads`),
    onError: (error) => toast.error(messageOf(error, failure)),
  });
}
