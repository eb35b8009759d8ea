import { Select, Trans, useLingui } from '@lingui/react/macro';
import type { Config } from '@/api/types';
import { ROLE_LABELS } from '@/lib/roles';
import { Button } from '@/ui/Button';
import { Stack } from '@/ui/Stack';
import { Toolbar } from '@/ui/Toolbar';
import styles from './auth.module.css';

type Account = Config['demoAccounts'][number];

/** Accounts to try the site with; the server names them only on a demonstration site. */
export function DemoAccounts({
  accounts,
  onSelect,
}: {
  accounts: Account[];
  onSelect: (account: Account) => void;
}) {
  const { t } = useLingui();
  if (accounts.length === 0) return null;
  return (
    <Stack as="section" gap={2} className={styles.demo} aria-labelledby="demo">
      <h2 id="demo" className="subheading">
        {t`Demo credentials`}
      </h2>
      <p className="muted small">
        {t`This is a demo site with made-up people. Try it with any of these accounts.`}
      </p>
      <Stack as="ul" gap={0} divided>
        {accounts.map((account) => {
          const { role, email, password } = account;
          return (
            <Toolbar key={email} as="li" rowGap={2} gap={4} className={styles.account}>
              <div>
                <strong>{t(ROLE_LABELS[role])}</strong>
                <div className={styles.credentials}>
                  {email}
                  <br />
                  {password}
                </div>
              </div>
              <Button variant="secondary" onClick={() => onSelect(account)}>
                <Trans>
                  Fill in{' '}
                  <span className="visually-hidden">
                    <Select
                      value={role}
                      _patient="as patient"
                      _doctor="as doctor"
                      other="as admin"
                    />
                  </span>
                </Trans>
              </Button>
            </Toolbar>
          );
        })}
      </Stack>
    </Stack>
  );
}
