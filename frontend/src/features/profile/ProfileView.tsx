import type { ReactNode } from 'react';
import type { Address, User } from '@/api/types';
import { formatDate } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { capitalize } from '@/lib/names';
import { WEEKDAYS } from '@/lib/options';
import { paths } from '@/lib/paths';
import { Badge } from '@/ui/Badge';
import { Card } from '@/ui/Card';
import { Face } from '@/ui/Face';
import { Link } from '@/ui/Link';
import styles from './profile.module.css';

/** Everything the profile holds, as a list of facts. */
export function ProfileView({ user }: { user: User }) {
  return (
    <Card className={styles.view}>
      <div className={styles.who}>
        <Face name={user.name} src={user.profilePicture} size={96} />
        <div>
          <h2>{user.name}</h2>
          <div className="muted">
            {user.email}
            {user.emailConfirmed && ', confirmed'}
          </div>
          <Badge tone="primary">{capitalize(user.role)}</Badge>
        </div>
      </div>
      <dl className={styles.facts}>
        <Fact name="Phone">{user.phone}</Fact>
        <Fact name="Gender">{capitalize(user.gender)}</Fact>
        <Fact name="Date of birth">{user.dateOfBirth && formatDate(user.dateOfBirth)}</Fact>
        {user.role === 'patient' && (
          <>
            <Fact name="Address">{lines(user.address)}</Fact>
            <Fact name="Blood group">{user.bloodGroup}</Fact>
          </>
        )}
        {user.role === 'doctor' && (
          <>
            <Fact name="Specialization">{user.specialization}</Fact>
            <Fact name="Experience">
              {user.experience} {user.experience === 1 ? 'year' : 'years'}
            </Fact>
            <Fact name="Licence number">{user.licenseNumber}</Fact>
            <Fact name="Consultation fee">{formatMoney(user.consultationFee, user.currency)}</Fact>
            <Fact name="Hospital">
              {[user.hospital.name, ...addressLines(user.hospital.address), user.hospital.phone]
                .filter(Boolean)
                .join('\n')}
            </Fact>
            <Fact name="Working days">{days(user.workingDays)}</Fact>
            <Fact name="Working hours">
              {user.workingHours && `${user.workingHours.start} to ${user.workingHours.end}. `}
              <Link href={paths.doctorSchedule}>Your schedule</Link>
            </Fact>
            <Fact name="Time zone">{user.timeZone}</Fact>
            <Fact name="Bookings">
              {user.instantConfirmation ? 'Confirmed at once' : 'I confirm each one'}
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
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children || <span className="muted">Not given</span>}</dd>
    </div>
  );
}

function addressLines({ street, city, state, zipCode }: Address): string[] {
  return [street, [city, [state, zipCode].filter(Boolean).join(' ')].filter(Boolean).join(', ')];
}

function lines(address: Address): string {
  return addressLines(address).filter(Boolean).join('\n');
}

function days(working: string[]): string {
  return WEEKDAYS.filter((day) => working.includes(day))
    .map(capitalize)
    .join(', ');
}
