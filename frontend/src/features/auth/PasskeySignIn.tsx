import { useMutation } from '@tanstack/react-query';
import type { SignedIn } from '@/api/calls';
import { messageOf } from '@/api/errors';
import { askForPasskey, logInWithPasskey } from '@/api/secondSignIn';
import type { Role } from '@/api/types';
import { NoPasskey, signWithPasskey } from '@/lib/passkey';
import { Button } from '@/ui/Button';
import { notify } from '@/ui/notices';
import styles from './auth.module.css';

interface Props {
  role: Role;
  onSignedIn: (answer: SignedIn) => void;
}

/** Sign in without a password: the device finds the passkey and asks who holds it. */
export default function PasskeySignIn({ role, onSignedIn }: Props) {
  const signIn = useMutation({
    mutationFn: async () => {
      const { ticket, options } = await askForPasskey();
      return logInWithPasskey({ ticket, role, passkey: await signWithPasskey(options) });
    },
    onSuccess: onSignedIn,
    onError: (error) =>
      notify.error(error instanceof NoPasskey ? error.message : messageOf(error, 'Login failed')),
  });
  return (
    <div className={styles.passkey}>
      <Button
        variant="secondary"
        wide
        busy={signIn.isPending}
        busyLabel="Waiting for your passkey..."
        onClick={() => signIn.mutate()}
      >
        Sign in with a passkey
      </Button>
    </div>
  );
}
