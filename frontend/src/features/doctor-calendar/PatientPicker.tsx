import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { patientsQuery } from '@/api/doctorDesk';
import type { Calendar } from '@/api/types';
import { formatMinute, normalizeTime, parseMinute } from '@/domain/schedule/hours';
import { isDate } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { Avatar } from '@/ui/Avatar';
import { Banner } from '@/ui/Banner';
import { Inline } from '@/ui/Inline';
import { Link } from '@/ui/Link';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import { TextInput } from '@/ui/TextInput';
import { useDebouncedParam } from '@/ui/useDebouncedParam';
import { conflictText } from './layout';
import styles from './TimeDialog.module.css';
import type { TimeValues } from './useTimeForm';

const PAGE_SIZE = 6;

interface Props {
  values: TimeValues;
  calendar: Calendar;
  now: number;
}

/** The doctor's patients, each linked to the booking form with the time filled in. */
export function PatientPicker({ values, calendar, now }: Props) {
  const { t } = useLingui();
  const [search, setSearch] = useState<string | undefined>();
  const [typed, setTyped] = useDebouncedParam(search, setSearch);
  const { data, isError } = useQuery(patientsQuery({ search, pageSize: PAGE_SIZE }));
  const start = parseMinute(normalizeTime(values.start));
  const conflict =
    start !== null && isDate(values.date) ? conflictText(calendar, values.date, start, now) : null;
  return (
    <Stack>
      {conflict && (
        <Banner tone="warning">
          <p>{conflict}</p>
        </Banner>
      )}
      <TextInput
        name="patient"
        label={t`Patient’s name or email`}
        hint={t`People who have had an appointment with you.`}
        optional="unmarked"
        type="search"
        autoComplete="off"
        maxLength={100}
        value={typed}
        onChange={setTyped}
      />
      {data ? (
        data.patients.length > 0 ? (
          <Stack as="ul" gap={0} divided className={styles.patients} aria-label={t`Patients`}>
            {data.patients.map((patient) => (
              <li key={patient._id}>
                <Inline
                  as={Link}
                  wrap={false}
                  className={styles.patient}
                  href={paths.doctorBook(patient._id, {
                    date: isDate(values.date) ? values.date : undefined,
                    time: start === null ? undefined : formatMinute(start),
                  })}
                >
                  <Avatar name={patient.name} src={patient.profilePicture} size={36} />
                  <Stack as="span" gap={0} className={styles.patientName}>
                    <strong>{patient.name}</strong>
                    {patient.email && <span className="muted small">{patient.email}</span>}
                  </Stack>
                </Inline>
              </li>
            ))}
          </Stack>
        ) : (
          <p>{search ? t`No patients match.` : t`You have no patients yet.`}</p>
        )
      ) : isError ? (
        <p>
          <Trans>We couldn’t load your patients.</Trans>
        </p>
      ) : (
        <Skeletons count={3}>
          <Skeleton height={44} />
        </Skeletons>
      )}
    </Stack>
  );
}
