import { queryOptions } from '@tanstack/react-query';
import { type BodyOf, call } from './client';

/** When a doctor can be booked: hours, blocked time, absences. */

export const scheduleQuery = queryOptions({
  queryKey: ['schedule'],
  queryFn: ({ signal }) =>
    call('GET /doctors/schedule', { signal }).then(({ schedule }) => schedule),
});

/** Preview a change of the schedule. */
export const previewSchedule = (body: BodyOf<'PUT /doctors/schedule'>) =>
  call('PUT /doctors/schedule', { query: { preview: true }, body });

/** Change the schedule; every appointment that it leaves outside the hours needs a decision. */
export const saveSchedule = (body: BodyOf<'PUT /doctors/schedule'>) =>
  call('PUT /doctors/schedule', { body });

/** Ask whether a time can be booked and, as its doctor, why not. */
export const explainTime = (doctorId: string, time: { date: string; time: string }) =>
  call('GET /doctors/{id}/slots/explain', { path: { id: doctorId }, query: time });

export type BlockBody = BodyOf<'POST /doctors/schedule/blocked'>;

export const blockTime = (body: BlockBody) => call('POST /doctors/schedule/blocked', { body });

export const unblockTime = (id: string) =>
  call('DELETE /doctors/schedule/blocked/{id}', { path: { id } });

export type AbsenceBody = BodyOf<'POST /doctors/schedule/absences'>;

/** Preview what time off would affect, or save it: a new absence, or the one with this id. */
export const saveAbsence = (id: string | undefined, body: AbsenceBody, preview = false) => {
  const query = preview ? { preview } : undefined;
  return id
    ? call('PUT /doctors/schedule/absences/{id}', { path: { id }, query, body })
    : call('POST /doctors/schedule/absences', { query, body });
};

export const removeAbsence = (id: string) =>
  call('DELETE /doctors/schedule/absences/{id}', { path: { id } });
