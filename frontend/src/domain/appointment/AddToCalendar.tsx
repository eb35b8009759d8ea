import { useMutation } from '@tanstack/react-query';
import { messageOf } from '@/api/errors';
import { Button } from '@/ui/Button';
import { CalendarIcon } from '@/ui/icons';
import { toast } from '@/ui/toasts';

/** Download an appointment as a calendar file; an updated file replaces the entry. */
export function AddToCalendar({ id }: { id: string }) {
  const save = useMutation({
    mutationFn: async () => {
      // Rarely used, so its code is loaded on click.
      const { download } = await import('@/api/fileTransfer');
      await download(`/appointments/${encodeURIComponent(id)}/calendar.ics`, 'visit.ics', {
        type: 'text/calendar',
      });
    },
    onSuccess: () => toast.success('Saved with your downloads. Open it to add the appointment.'),
    onError: (error) => toast.error(messageOf(error, 'Failed to make the calendar file')),
  });
  return (
    <Button
      variant="secondary"
      icon={<CalendarIcon size={20} />}
      busy={save.isPending}
      busyLabel="Preparing..."
      onClick={() => save.mutate()}
    >
      Add to calendar
    </Button>
  );
}
