import { Plural, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { User } from '@/api/types';
import { genderLabel } from '@/domain/genderLabel';
import { WeeklyHours } from '@/domain/WeeklyHours';
import { addressLines } from '@/lib/contact';
import { formatDate } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { ROLE_LABELS } from '@/lib/roles';
import { specializationLabel } from '@/lib/specializations';
import { Avatar } from '@/ui/Avatar';
import { Badge } from '@/ui/Badge';
import { Card } from '@/ui/Card';
import { Grid } from '@/ui/Grid';
import { Inline } from '@/ui/Inline';
import { Link } from '@/ui/Link';
import styles from './profile.module.css';

/** The whole profile as a list of facts. */
export function ProfileView({ user }: { user: User }) {
  const { t } = useLingui();
  const { email } = user;
  const years = user.role === 'doctor' ? user.experience : 0;
  return (
    <Card gap={5}>
      <Inline gap={4} className={styles.person}>
        <Avatar name={user.name} src={user.profilePicture} size={96} />
        <div>
          <h2>{user.name}</h2>
          <div className="muted">{user.emailConfirmed ? t`${email}, confirmed` : email}</div>
          <Badge tone="primary">{t(ROLE_LABELS[user.role])}</Badge>
        </div>
      </Inline>
      <dl>
        <Fact name={t`Phone`}>{user.phone}</Fact>
        <Fact name={t`Gender`}>{genderLabel(user.gender)}</Fact>
        <Fact name={t`Date of birth`}>{user.dateOfBirth && formatDate(user.dateOfBirth)}</Fact>
        {user.role === 'patient' && (
          <>
            <Fact name={t`Address`}>{addressLines(user.address).join('\n')}</Fact>
            <Fact name={t`Blood group`}>{user.bloodGroup}</Fact>
          </>
        )}
        {user.role === 'doctor' && (
          <>
            <Fact name={t`Specialization`}>{specializationLabel(user.specialization)}</Fact>
            <Fact name={t`Experience`}>
              <Plural value={years} one="# year" other="# years" />
            </Fact>
            <Fact name={t`License number`}>{user.licenseNumber}</Fact>
            <Fact name={t`Consultation fee`}>
              {formatMoney(user.consultationFee, user.currency)}
            </Fact>
            <Fact name={t`Hospital`}>
              {[user.hospital.name, ...addressLines(user.hospital.address), user.hospital.phone]
                .filter(Boolean)
                .join('\n')}
            </Fact>
            <Fact name={t`Working hours`}>
              <WeeklyHours hours={user.weeklyHours} />
              <Link href={paths.doctorSchedule}>{t`Your schedule`}</Link>
            </Fact>
            <Fact name={t`Time zone`}>{user.timeZone}</Fact>
            <Fact name={t`Appointments`}>
              {user.instantConfirmation ? t`Confirmed instantly` : t`You confirm each one`}
            </Fact>
            <Fact name={t`Bio`}>{user.bio}</Fact>
          </>
        )}
      </dl>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  const { t } = useLingui();
  return (
    <Grid rowGap={1} className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children || <span className="muted">{t`Not given`}</span>}</dd>
    </Grid>
  );
}
