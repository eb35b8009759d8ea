import { Trans } from '@lingui/react/macro';
import type { Doctor } from '@/api/types';
import { formatMoney } from '@/lib/money';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { specializationLabel } from '@/lib/specializations';
import { Avatar } from '@/ui/Avatar';
import { LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Inline } from '@/ui/Inline';
import { PlaceIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import { BriefcaseIcon, BuildingIcon, MoneyIcon } from '@/ui/pageIcons';
import { Stack } from '@/ui/Stack';
import { ConfirmationBadge } from './ConfirmationBadge';
import styles from './DoctorCard.module.css';
import { experienceText, locationText } from './doctorFacts';
import { NextSlots } from './NextSlots';
import { Rating } from './Rating';

/** A doctor in a list: name, place, fee and first free times. */
export function DoctorCard({ doctor, as: Heading = 'h3' }: { doctor: Doctor; as?: 'h2' | 'h3' }) {
  const name = doctorName(doctor.name);
  const fee = formatMoney(doctor.consultationFee, doctor.currency);
  const hospital = doctor.hospital.name;
  const place = locationText(doctor);
  return (
    <Card as="article" className={styles.card}>
      <Stack className={styles.summary}>
        <Inline gap={4} align="start" wrap={false}>
          <Avatar name={doctor.name} src={doctor.profilePicture} size={72} />
          <div className={styles.identity}>
            <Heading className={styles.name}>
              <Link href={paths.doctor(doctor._id)}>{name}</Link>
            </Heading>
            <p>{specializationLabel(doctor.specialization)}</p>
            <Rating value={doctor.rating} />
          </div>
        </Inline>
        <Stack gap={3} align="start">
          <Inline as="ul" gap={0} align="stretch" className={styles.facts}>
            <li>
              <BriefcaseIcon size={20} />
              {experienceText(doctor)}
            </li>
            {place && (
              <li>
                <PlaceIcon size={20} />
                <span>
                  <Trans>
                    <span className="visually-hidden">Location: </span>
                    {place}
                  </Trans>
                </span>
              </li>
            )}
            {hospital && (
              <li>
                <BuildingIcon size={20} />
                <span>
                  <Trans>
                    <span className="visually-hidden">Hospital: </span>
                    {hospital}
                  </Trans>
                </span>
              </li>
            )}
            <li>
              <MoneyIcon size={20} />
              <span>
                <Trans>
                  <span className="visually-hidden">Fee: </span>
                  <strong>{fee}</strong> per appointment
                </Trans>
              </span>
            </li>
          </Inline>
          <ConfirmationBadge instant={doctor.instantConfirmation} />
        </Stack>
      </Stack>
      <Stack className={styles.booking}>
        <NextSlots doctor={doctor} />
        <Inline align="stretch" className={styles.actions}>
          <LinkButton href={paths.book(doctor._id)}>
            <Trans>
              Book Appointment<span className="visually-hidden"> with {name}</span>
            </Trans>
          </LinkButton>
          <LinkButton variant="secondary" href={paths.doctor(doctor._id)}>
            <Trans>
              View Profile<span className="visually-hidden"> of {name}</span>
            </Trans>
          </LinkButton>
        </Inline>
      </Stack>
    </Card>
  );
}
