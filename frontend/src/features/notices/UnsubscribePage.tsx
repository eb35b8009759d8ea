import { useMutation } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { hasCode, messageOf } from '@/api/errors';
import { unsubscribe } from '@/api/links';
import { paths } from '@/lib/paths';
import { Banner } from '@/ui/Banner';
import { Button, LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { PageHeading } from '@/ui/PageHeading';
import styles from './notices.module.css';

/** Where "stop these mails" leads; opening it stops nothing, the button does. */
export default function UnsubscribePage() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  const stop = useMutation({ mutationFn: () => unsubscribe(token) });
  const settings = (
    <LinkButton variant="secondary" href={paths.noticeSettings}>
      Choose what you are told
    </LinkButton>
  );

  if (!token) {
    return (
      <div className={styles.narrow}>
        <PageHeading>This link is not complete</PageHeading>
        <Card className="stack">
          <p>Sign in to choose which e-mails you get.</p>
          <div>{settings}</div>
        </Card>
      </div>
    );
  }
  if (stop.isSuccess) {
    return (
      <div key="done" className={styles.narrow}>
        <PageHeading>You get no more of these e-mails</PageHeading>
        <Card className="stack">
          <p>
            {stop.data.message ||
              'What concerns your account or ends a visit is still told, and so is everything in the page.'}
          </p>
          <p className="muted">You can turn them on again whenever you like.</p>
          <div>{settings}</div>
        </Card>
      </div>
    );
  }
  return (
    <div className={styles.narrow}>
      <PageHeading>Stop these e-mails?</PageHeading>
      <Card className="stack">
        {stop.isError && (
          <div role="alert">
            <Banner tone="error">
              {hasCode(stop.error, 'link_invalid')
                ? 'This link does not work. Sign in to choose which e-mails you get.'
                : messageOf(stop.error, 'We could not stop the e-mails')}
            </Banner>
          </div>
        )}
        <p>
          You get no more e-mails of this kind. What concerns your account, and that a visit does
          not take place, is still told.
        </p>
        <div className="row">
          <Button busy={stop.isPending} busyLabel="Stopping..." onClick={() => stop.mutate()}>
            Stop these e-mails
          </Button>
          {settings}
        </div>
      </Card>
    </div>
  );
}
