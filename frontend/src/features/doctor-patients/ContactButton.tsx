import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { PatientRow } from '@/api/types';
import { telHref } from '@/lib/contact';
import { Button } from '@/ui/Button';
import { CopyButton } from '@/ui/CopyButton';
import { Dialog } from '@/ui/Dialog';
import { MailIcon, PhoneIcon } from '@/ui/icons';
import { Stack } from '@/ui/Stack';
import styles from './patients.module.css';

type PatientContact = Pick<PatientRow, 'name' | 'email' | 'phone'>;

/** Ways to contact a patient, to click or copy. */
export function ContactButton({ patient }: { patient: PatientContact }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const { name, email, phone } = patient;
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        <Trans>
          Contact<span className="visually-hidden"> {name}</span>
        </Trans>
      </Button>
      {open && (
        <Dialog title={t`Contact ${name}`} onClose={() => setOpen(false)}>
          {!email && !phone ? (
            <p>
              <Trans>This account is closed, so we no longer have contact details.</Trans>
            </p>
          ) : (
            <Stack as="ul" gap={0} divided className={styles.contact}>
              {phone && (
                <li>
                  <a href={telHref(phone)}>
                    <PhoneIcon size={20} />
                    {phone}
                  </a>
                  <CopyButton text={phone} label={t`phone number`} />
                </li>
              )}
              {email && (
                <li>
                  <a href={`mailto:${email}`}>
                    <MailIcon size={20} />
                    {email}
                  </a>
                  <CopyButton text={email} label={t`email address`} />
                </li>
              )}
            </Stack>
          )}
        </Dialog>
      )}
    </>
  );
}
