import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from '@/ui/Button';
import { Inline } from '@/ui/Inline';
import { PasswordInput } from '@/ui/PasswordInput';
import { TextInput } from '@/ui/TextInput';
import type { Form } from '@/ui/useForm';
import { FactorFields, type FactorProofState } from './FactorProof';
import type { PersonValues } from './profileForm';

interface Props {
  form: Pick<Form<Pick<PersonValues, 'email' | 'currentPassword'>>, 'field' | 'setAll' | 'errors'>;
  /** The current address. */
  email: string;
  proof: FactorProofState;
}

/**
 * The sign-in address: read-only until the user asks to change it, which requires the current
 * password.
 */
export function EmailField({ form, email, proof }: Props) {
  const { t } = useLingui();
  const [isChanging, setChanging] = useState(false);
  if (!isChanging && !form.errors.email && !form.errors.currentPassword) {
    return (
      <Inline>
        <span>
          <Trans>
            You sign in as <strong>{email}</strong>.
          </Trans>
        </span>
        <Button variant="quiet" onClick={() => setChanging(true)}>
          {t`Change email`}
        </Button>
      </Inline>
    );
  }
  return (
    <>
      <TextInput
        {...form.field('email')}
        label={t`Email address`}
        hint={t`We’ll email you there. Until you confirm the address, you sign in with the old one.`}
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
      />
      <PasswordInput
        {...form.field('currentPassword')}
        label={t`Current password`}
        hint={t`Needed only for a new email address.`}
        autoComplete="current-password"
        optional="unmarked"
      />
      <FactorFields proof={proof} errors={form.errors} />
      <div>
        <Button
          variant="quiet"
          onClick={() => {
            form.setAll({ email, currentPassword: '' });
            setChanging(false);
          }}
        >
          {t`Keep ${email}`}
        </Button>
      </div>
    </>
  );
}
