import { useMutation } from '@tanstack/react-query';
import { messageOf } from '@/api/errors';
import { notify } from '@/ui/notices';

/** Save a file on this device, and say so; what went wrong stays until it is read. */
export function useDownload(failure: string) {
  return useMutation({
    mutationFn: (fetchIt: () => Promise<void>) => fetchIt(),
    onSuccess: () => notify.success('Saved with your downloads'),
    onError: (error) => notify.error(messageOf(error, failure)),
  });
}
