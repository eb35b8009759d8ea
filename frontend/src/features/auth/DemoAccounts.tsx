import type { Config } from '@/api/types';
import { capitalize } from '@/lib/names';
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
  if (accounts.length === 0) return null;
  return (
    <Stack as="section" gap={2} className={styles.demo} aria-labelledby="demo">
      <h2 id="demo" className="subheading">
        Demo credentials
      </h2>
      <p className="muted small">
        This is a demonstration site: nothing here is a real person’s. Try it as any of these.
      </p>
      <Stack as="ul" gap={0} divided>
        {accounts.map((account) => (
          <Toolbar key={account.email} as="li" rowGap={2} gap={4} className={styles.account}>
            <div>
              <strong>{capitalize(account.role)}</strong>
              <div className={styles.credentials}>
                {account.email}
                <br />
                {account.password}
              </div>
            </div>
            <Button variant="secondary" onClick={() => onSelect(account)}>
              Fill in <span className="visually-hidden">as {account.role}</span>
            </Button>
          </Toolbar>
        ))}
      </Stack>
    </Stack>
  );
}
