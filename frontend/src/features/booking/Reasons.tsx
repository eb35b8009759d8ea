import type { Doctor } from '@/api/types';
import { doctorName } from '@/lib/names';
import { Textarea } from '@/ui/inputs';
import type { Booking } from './useBooking';

/** What the doctor should know beforehand. */
export function Reasons({ doctor, booking }: { doctor: Doctor; booking: Booking }) {
  const name = doctorName(doctor.name);
  return (
    <div className="stack" data-gap="5">
      <Textarea
        {...booking.field('symptoms')}
        label="Symptoms"
        hint={`What brings you here, and since when? It helps ${name} prepare. Only you and ${name} read it.`}
        optional
        rows={4}
      />
      <Textarea
        {...booking.field('notes')}
        label="Additional notes"
        hint={`Anything else ${name} should know: medicines, allergies, help you need on the day.`}
        optional
        rows={3}
      />
    </div>
  );
}
