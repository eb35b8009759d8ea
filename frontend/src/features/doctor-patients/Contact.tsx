import { useState } from 'react';
import type { PatientRow } from '@/api/types';
import { telHref } from '@/lib/contact';
import { Button } from '@/ui/Button';
import { Copy } from '@/ui/Copy';
import { Dialog } from '@/ui/Dialog';
import { MailIcon, PhoneIcon } from '@/ui/icons';
import styles from './patients.module.css';

type Reached = Pick<PatientRow, 'name' | 'email' | 'phone'>;

/** "Contact": how to reach a patient, to press or to copy. */
export function ContactButton({ patient }: { patient: Reached }) {
  const [open, setOpen] = useState(false);
  const { name, email, phone } = patient;
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Contact<span className="visually-hidden"> {name}</span>
      </Button>
      {open && (
        <Dialog title={`Contact ${name}`} onClose={() => setOpen(false)}>
          {!email && !phone ? (
            <p>This account has ended, so there is no address any more.</p>
          ) : (
            <ul className={styles.contact}>
              {phone && (
                <li>
                  <a href={telHref(phone)}>
                    <PhoneIcon size={20} />
                    {phone}
                  </a>
                  <Copy text={phone} what="phone number" />
                </li>
              )}
              {email && (
                <li>
                  <a href={`mailto:${email}`}>
                    <MailIcon size={20} />
                    {email}
                  </a>
                  <Copy text={email} what="e-mail address" />
                </li>
              )}
            </ul>
          )}
        </Dialog>
      )}
    </>
  );
}
