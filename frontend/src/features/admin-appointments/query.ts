import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { statusLabel } from '@/domain/appointment/StatusBadge';
import { dateParam } from '@/domain/staff/DateRange';
import { formatDate } from '@/lib/dates';
import { SPECIALIZATIONS } from '@/lib/options';
import { type AdminAppointmentsQuery, paths } from '@/lib/paths';
import { choiceParam } from '@/lib/searchParams';
import { specializationLabel } from '@/lib/specializations';

export const STATUS_OPTIONS = [
  { value: 'pending', label: statusLabel({ status: 'pending', attended: null }) },
  { value: 'confirmed', label: statusLabel({ status: 'confirmed', attended: null }) },
  { value: 'unfinished', label: msg`Past, not completed` },
  { value: 'completed', label: statusLabel({ status: 'completed', attended: null }) },
  { value: 'cancelled', label: statusLabel({ status: 'cancelled', attended: null }) },
] as const;
/** Which date the range applies to; by default the appointment's. */
export const DATE_OPTIONS = [
  { value: 'visit', label: msg`Appointment date` },
  { value: 'booked', label: msg`Booking date` },
  { value: 'cancelled', label: msg`Cancellation date` },
] as const;
export const ATTENDANCE_OPTIONS = [
  { value: 'true', label: msg`Patient came` },
  { value: 'false', label: statusLabel({ status: 'completed', attended: false }) },
] as const;

/** Read the query from the URL; invalid values are ignored. */
export function readQuery(params: URLSearchParams) {
  return {
    search: params.get('search')?.trim() || undefined,
    status: choiceParam(
      params,
      'status',
      STATUS_OPTIONS.map(({ value }) => value),
      undefined,
    ),
    specialization: choiceParam(params, 'specialization', SPECIALIZATIONS, undefined),
    city: params.get('city')?.trim().slice(0, 100) || undefined,
    dates: choiceParam(params, 'dates', ['booked', 'cancelled'], undefined),
    attended: choiceParam(params, 'attended', ['true', 'false'], undefined),
    from: dateParam(params, 'from'),
    to: dateParam(params, 'to'),
  } satisfies AdminAppointmentsQuery;
}

const optionLabel = (
  options: readonly { value: string; label: MessageDescriptor }[],
  value: string | undefined,
) => {
  const label = options.find((option) => option.value === value)?.label;
  return label && i18n._(label);
};

function sinceLabel({ dates, from }: AdminAppointmentsQuery): string | undefined {
  const day = from && formatDate(from);
  if (!day) return undefined;
  if (dates === 'booked') return t`Booked from ${day}`;
  return dates === 'cancelled' ? t`Cancelled from ${day}` : t`From ${day}`;
}

function untilLabel({ dates, to }: AdminAppointmentsQuery): string | undefined {
  const day = to && formatDate(to);
  if (!day) return undefined;
  if (dates === 'booked') return t`Booked until ${day}`;
  return dates === 'cancelled' ? t`Cancelled until ${day}` : t`To ${day}`;
}

/** Return a chip for each filter in use. */
export function filterChips(query: AdminAppointmentsQuery) {
  const { search } = query;
  const labels: [keyof AdminAppointmentsQuery, string | undefined][] = [
    ['search', search && t`“${search}”`],
    ['status', optionLabel(STATUS_OPTIONS, query.status)],
    ['attended', optionLabel(ATTENDANCE_OPTIONS, query.attended)],
    ['specialization', query.specialization && specializationLabel(query.specialization)],
    ['city', query.city],
    ['from', sinceLabel(query)],
    ['to', untilLabel(query)],
  ];
  return labels.flatMap(([key, label]) =>
    label ? [{ key, label, href: paths.adminRecords({ ...query, [key]: undefined }) }] : [],
  );
}
