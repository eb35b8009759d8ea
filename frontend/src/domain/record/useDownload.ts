import { useMutation } from '@tanstack/react-query';
import { messageOf } from '@/api/errors';
import { toast } from '@/ui/toasts';

/** Save a file on this device, and say so; what went wrong stays until it is read. */
export function useDownload(failure: string) {
  return useMutation({
    mutationFn: (startDownload: () => Promise<void>) => startDownload(),
    onSuccess: () => toast.success('Saved with your downloads'),
    onError: (error) => toast.error(messageOf(error, failure)),
  });
}
