import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { messageOf } from '@/api/errors';
import { Button } from '@/ui/Button';
import { CalendarIcon } from '@/ui/icons';
import { toast } from '@/ui/toasts';

/** Download an appointment as a calendar file; an updated file replaces the entry. */
export function AddToCalendar({ id }: { id: string }) {
  const { t } = useLingui();
  const save = useMutation({
    mutationFn: async () => {
      // Rarely used, so its code is loaded on click.
      const { download } = await import('@/api/fileTransfer');
      await download(`/appointments/${encodeURIComponent(id)}/calendar.ics`, 'appointment.ics', {
        type: 'text/calendar',
      });
    },
    onSuccess: () => toast.success(t`Downloaded. Open the file to add the appointment.`),
    onError: (error) => toast.error(messageOf(error, t`We couldn’t create the calendar file`)),
  });
  return (
    <Button
      variant="secondary"
      icon={<CalendarIcon size={20} />}
      busy={save.isPending}
      busyLabel={t`Preparing...`}
      onClick={() => save.mutate()}
    >
      <Trans>Add to calendar</Trans>
    </Button>
  );
}
