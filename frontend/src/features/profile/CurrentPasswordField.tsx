import { useLingui } from '@lingui/react/macro';
import type { ComponentProps } from 'react';
import { useUser } from '@/domain/session/session';
import { PasswordInput } from '@/ui/PasswordInput';

type Props = Omit<ComponentProps<typeof PasswordInput>, 'label' | 'autoComplete'>;

/** The current password, with the username for password managers. */
export function CurrentPasswordField(props: Props) {
  const { t } = useLingui();
  const { email } = useUser();
  return (
    <>
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput {...props} label={t`Your password`} autoComplete="current-password" />
    </>
  );
}
