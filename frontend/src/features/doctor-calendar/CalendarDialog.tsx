import type { Absence, BlockedTime, Calendar, CalendarAppointment } from '@/api/types';
import { AbsenceDialog } from '@/domain/schedule/AbsenceDialog';
import { formatMinute } from '@/domain/schedule/hours';
import { AppointmentDialog } from './AppointmentDialog';
import { BlockedDialog } from './BlockedDialog';
import { conflictText } from './layout';
import { RescheduleDraggedDialog } from './RescheduleDraggedDialog';
import { TimeDialog } from './TimeDialog';
import type { TimeSelection } from './useTimeForm';

/** The open dialog of the calendar, with its data. */
export type OpenDialog =
  | { kind: 'appointment'; appointment: CalendarAppointment }
  | { kind: 'reschedule'; id: string; date: string; minute: number }
  | { kind: 'blocked'; date: string; blocked: BlockedTime }
  | { kind: 'absence'; absence: Absence }
  | { kind: 'newAbsence'; date: string | undefined }
  | ({ kind: 'time' } & TimeSelection);

interface Props {
  dialog: OpenDialog;
  calendar: Calendar;
  now: number;
  zone: string;
  onClose: () => void;
}

export function CalendarDialog({ dialog, calendar, now, zone, onClose }: Props) {
  switch (dialog.kind) {
    case 'appointment':
      return <AppointmentDialog appointment={dialog.appointment} zone={zone} onClose={onClose} />;
    case 'reschedule':
      return (
        <RescheduleDraggedDialog
          id={dialog.id}
          slot={{ date: dialog.date, time: formatMinute(dialog.minute) }}
          conflict={conflictText(calendar, dialog.date, dialog.minute, now, dialog.id)}
          onClose={onClose}
        />
      );
    case 'blocked':
      return <BlockedDialog date={dialog.date} blockedTime={dialog.blocked} onClose={onClose} />;
    case 'absence':
      return <AbsenceDialog absence={dialog.absence} timeZone={zone} onClose={onClose} />;
    case 'newAbsence':
      return <AbsenceDialog timeZone={zone} date={dialog.date} onClose={onClose} />;
    case 'time':
      return <TimeDialog selection={dialog} calendar={calendar} now={now} onClose={onClose} />;
  }
}
