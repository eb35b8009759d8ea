import { useLingui } from '@lingui/react/macro';
import type { Doctor } from '@/api/types';
import { formatDate } from '@/lib/dates';
import { specializationLabel } from '@/lib/specializations';
import { Inline } from '@/ui/Inline';
import { VerifiedIcon } from '@/ui/icons';
import styles from './DoctorCredentials.module.css';
import { experienceText } from './doctorFacts';
import { Rating } from './Rating';

/** The main facts beside the picture. */
export function DoctorCredentials({ doctor }: { doctor: Doctor }) {
  const { t } = useLingui();
  const verifiedOn = doctor.verifiedOn && formatDate(doctor.verifiedOn);
  return (
    <>
      <p>
        <span className={styles.credential}>{specializationLabel(doctor.specialization)}</span>
        <span className={styles.dot}> · </span>
        <span className={styles.credential}>{experienceText(doctor)}</span>
      </p>
      <Inline gap={0} className={styles.credentials}>
        <span className={styles.verified}>
          <VerifiedIcon size={20} />
          {verifiedOn ? t`Verified ${verifiedOn}` : t`Verified`}
        </span>
        <Rating value={doctor.rating} />
      </Inline>
    </>
  );
}
