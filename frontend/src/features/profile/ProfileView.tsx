import type { ReactNode } from 'react';
import type { User } from '@/api/types';
import { WeeklyHours } from '@/domain/WeeklyHours';
import { addressLines } from '@/lib/contact';
import { formatDate } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { capitalize } from '@/lib/names';
import { paths } from '@/lib/paths';
import { Avatar } from '@/ui/Avatar';
import { Badge } from '@/ui/Badge';
import { Card } from '@/ui/Card';
import { Grid } from '@/ui/Grid';
import { Inline } from '@/ui/Inline';
import { Link } from '@/ui/Link';
import styles from './profile.module.css';

/** The whole profile as a list of facts. */
export function ProfileView({ user }: { user: User }) {
  return (
    <Card gap={5}>
      <Inline gap={4} className={styles.person}>
        <Avatar name={user.name} src={user.profilePicture} size={96} />
        <div>
          <h2>{user.name}</h2>
          <div className="muted">
            {user.email}
            {user.emailConfirmed && ', confirmed'}
          </div>
          <Badge tone="primary">{capitalize(user.role)}</Badge>
        </div>
      </Inline>
      <dl>
        <Fact name="Phone">{user.phone}</Fact>
        <Fact name="Gender">{capitalize(user.gender)}</Fact>
        <Fact name="Date of birth">{user.dateOfBirth && formatDate(user.dateOfBirth)}</Fact>
        {user.role === 'patient' && (
          <>
            <Fact name="Address">{addressLines(user.address).join('\n')}</Fact>
            <Fact name="Blood group">{user.bloodGroup}</Fact>
          </>
        )}
        {user.role === 'doctor' && (
          <>
            <Fact name="Specialization">{user.specialization}</Fact>
            <Fact name="Experience">
              {user.experience} {user.experience === 1 ? 'year' : 'years'}
            </Fact>
            <Fact name="License number">{user.licenseNumber}</Fact>
            <Fact name="Consultation fee">{formatMoney(user.consultationFee, user.currency)}</Fact>
            <Fact name="Hospital">
              {[user.hospital.name, ...addressLines(user.hospital.address), user.hospital.phone]
                .filter(Boolean)
                .join('\n')}
            </Fact>
            <Fact name="Working hours">
              <WeeklyHours hours={user.weeklyHours} />
              <Link href={paths.doctorSchedule}>Your schedule</Link>
            </Fact>
            <Fact name="Time zone">{user.timeZone}</Fact>
            <Fact name="Appointments">
              {user.instantConfirmation ? 'Confirmed instantly' : 'I confirm each one'}
            </Fact>
            <Fact name="Bio">{user.bio}</Fact>
          </>
        )}
      </dl>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Grid rowGap={1} className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children || <span className="muted">Not given</span>}</dd>
    </Grid>
  );
}
