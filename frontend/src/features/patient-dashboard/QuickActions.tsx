import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Grid } from '@/ui/Grid';
import { PersonIcon, RecordIcon, SearchIcon } from '@/ui/icons';
import styles from './PatientDashboardPage.module.css';

const ACTIONS = [
  {
    Icon: SearchIcon,
    title: 'Find doctors',
    text: 'Verified doctors with real-time availability.',
    href: paths.findDoctors(),
    action: 'Book Now',
    variant: 'primary',
  },
  {
    Icon: RecordIcon,
    title: 'Medical records',
    text: 'What your doctors found and prescribed.',
    href: paths.patientRecords,
    action: 'View Records',
    variant: 'secondary',
  },
  {
    Icon: PersonIcon,
    title: 'Your profile',
    text: 'Your details and how to reach you.',
    href: paths.editProfile,
    action: 'Edit Profile',
    variant: 'secondary',
  },
] as const;

/** Links to frequent tasks. */
export function QuickActions() {
  return (
    <Grid as="ul" className={styles.quickActions}>
      {ACTIONS.map(({ Icon, title, text, href, action, variant }) => (
        <Card as="li" tight key={title} gap={2} className={styles.quickAction}>
          <Icon size={28} />
          <h2 className={styles.quickActionTitle}>{title}</h2>
          <p className="muted small">{text}</p>
          <LinkButton variant={variant} href={href} wide>
            {action}
          </LinkButton>
        </Card>
      ))}
    </Grid>
  );
}
