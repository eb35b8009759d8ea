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
  const [isChanging, setChanging] = useState(false);
  if (!isChanging && !form.errors.email && !form.errors.currentPassword) {
    return (
      <Inline>
        <span>
          You sign in as <strong>{email}</strong>.
        </span>
        <Button variant="quiet" onClick={() => setChanging(true)}>
          Change email
        </Button>
      </Inline>
    );
  }
  return (
    <>
      <TextInput
        {...form.field('email')}
        label="Email address"
        hint="We’ll email you there. Until you confirm the address, you sign in with the old one."
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
      />
      <PasswordInput
        {...form.field('currentPassword')}
        label="Current password"
        hint="Needed only for a new email address."
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
          Keep {email}
        </Button>
      </div>
    </>
  );
}
