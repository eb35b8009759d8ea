import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { messageOf } from '@/api/errors';
import { register } from '@/api/session';
import { useSession } from '@/domain/session/session';
import { paths } from '@/lib/paths';
import { getSiteSettings } from '@/lib/siteSettings';
import { type Form, useForm } from '@/ui/useForm';
import {
  checkRegistration,
  emptyRegistration,
  type Registration,
  type RegistrationRole,
  registrationBody,
} from './registration';
import {
  readRegistrationDraft,
  removeRegistrationDraft,
  useRegistrationDraft,
} from './registrationDraft';

/** The registration form, which starts with what was typed before in this tab. */
export function useRegistrationForm(
  requestedRole: string | null,
  minLength: number,
): Form<Registration> {
  const { t } = useLingui();
  const session = useSession();
  const navigate = useNavigate();
  const [start] = useState(() => ({
    ...emptyRegistration,
    'address.country': getSiteSettings().defaultCountry,
    'hospital.address.country': getSiteSettings().defaultCountry,
    role: (requestedRole === 'doctor' ? 'doctor' : 'patient') as RegistrationRole,
    ...readRegistrationDraft(requestedRole),
  }));
  const form = useForm<Registration>({
    values: start,
    validate: (values) => checkRegistration(values, minLength),
    submit: async (values) => {
      const { token, user } = await register(values.role, registrationBody(values));
      removeRegistrationDraft();
      if (token && user) session.signIn({ token, user });
      else navigate(paths.home);
    },
    message: (error) => messageOf(error, t`Registration failed`),
  });
  useRegistrationDraft(form.values, requestedRole, session.state === 'signed-out');
  return form;
}
