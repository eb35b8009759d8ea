import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Grid } from '@/ui/Grid';
import { PersonIcon, RecordIcon, SearchIcon } from '@/ui/pageIcons';
import styles from './PatientDashboardPage.module.css';

const ACTIONS = [
  {
    Icon: SearchIcon,
    title: msg`Find doctors`,
    text: msg`Verified doctors with real-time availability.`,
    href: paths.findDoctors(),
    action: msg`Book Now`,
    variant: 'primary',
  },
  {
    Icon: RecordIcon,
    title: msg`Medical records`,
    text: msg`What your doctors found and prescribed.`,
    href: paths.patientRecords,
    action: msg`View Records`,
    variant: 'secondary',
  },
  {
    Icon: PersonIcon,
    title: msg`Your profile`,
    text: msg`Your details and how to reach you.`,
    href: paths.editProfile,
    action: msg`Edit Profile`,
    variant: 'secondary',
  },
] as const;

/** Links to frequent tasks. */
export function QuickActions() {
  const { t } = useLingui();
  return (
    <Grid as="ul" className={styles.quickActions}>
      {ACTIONS.map(({ Icon, title, text, href, action, variant }) => (
        <Card as="li" tight key={title.id} gap={2} className={styles.quickAction}>
          <Icon size={28} />
          <h2 className={styles.quickActionTitle}>{t(title)}</h2>
          <p className="muted small">{t(text)}</p>
          <LinkButton variant={variant} href={href} wide>
            {t(action)}
          </LinkButton>
        </Card>
      ))}
    </Grid>
  );
}
