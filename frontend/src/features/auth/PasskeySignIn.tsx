import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { logInWithPasskey, requestPasskeyLogIn } from '@/api/mfaLogin';
import type { SignedIn } from '@/api/session';
import type { Role } from '@/api/types';
import { passkeyErrorMessage } from '@/domain/session/passkeyErrorMessage';
import { signWithPasskey } from '@/lib/passkey';
import { Button } from '@/ui/Button';
import { toast } from '@/ui/toasts';
import styles from './auth.module.css';
import { getWrongRole, SignInAs } from './wrongRole';

interface Props {
  role: Role;
  onSignedIn: (answer: SignedIn) => void;
}

/** Sign in without a password: the device finds the passkey and verifies the user. */
export default function PasskeySignIn({ role, onSignedIn }: Props) {
  const { t } = useLingui();
  const signIn = useMutation({
    mutationFn: async (as: Role) => {
      const { ticket, options } = await requestPasskeyLogIn();
      return logInWithPasskey({ ticket, role: as, passkey: await signWithPasskey(options) });
    },
    onSuccess: onSignedIn,
    onError: (error) => toast.error(passkeyErrorMessage(error, t`Login failed`)),
  });
  const otherRole = getWrongRole(signIn.error);
  return (
    <div className={styles.passkeySection}>
      {otherRole && (
        <SignInAs
          role={otherRole}
          busy={signIn.isPending}
          onClick={() => signIn.mutate(otherRole)}
        />
      )}
      <Button
        variant="secondary"
        wide
        busy={signIn.isPending}
        busyLabel={t`Waiting for your passkey...`}
        onClick={() => signIn.mutate(role)}
      >
        {t`Sign in with a passkey`}
      </Button>
    </div>
  );
}
