import { useLingui } from '@lingui/react/macro';
import type { NoticeSettings } from '@/api/types';
import { fieldId } from '@/ui/Field';
import { CheckIcon } from '@/ui/icons';
import styles from './notifications.module.css';
import type { Kind, optionalKinds } from './settings';

interface Props {
  kinds: ReturnType<typeof optionalKinds>;
  /** The channels that the server offers. */
  channels: NoticeSettings['offeredChannels'];
  getChannels: (kind: Kind) => string[];
  onChange: (kind: Kind, channels: string[]) => void;
}

/** A checkbox for each kind of notification and channel; the notifications page shows everything. */
export function ChannelTable({ kinds, channels, getChannels, onChange }: Props) {
  const { t } = useLingui();
  const toggle = (kind: Kind, name: string) => {
    const old = getChannels(kind);
    onChange(kind, old.includes(name) ? old.filter((each) => each !== name) : [...old, name]);
  };
  const rows = kinds.map(({ name, label, hint }) => ({
    kind: name,
    kindLabel: t(label),
    hint: hint && t(hint),
  }));
  return (
    <table className={styles.channels}>
      <caption className="subheading">{t`How we notify you`}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">
              {t({ message: 'What', context: 'column of notifications' })}
            </span>
          </th>
          <th scope="col">{t`On this site`}</th>
          {channels.map(({ name, label }) => (
            <th key={name} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ kind, kindLabel, hint }) => (
          <tr key={kind}>
            <th scope="row">
              {kindLabel}
              {hint && <div className="muted small">{hint}</div>}
            </th>
            <td>
              <span className={styles.alwaysOn}>
                <CheckIcon size={20} />
                {t`Always on`}
              </span>
            </td>
            {channels.map(({ name, label }, index) => (
              <td key={name}>
                <label className={styles.checkbox}>
                  <input
                    // The target of the error summary.
                    id={index === 0 ? fieldId(`channels.${kind}`) : undefined}
                    type="checkbox"
                    aria-label={t`${kindLabel}: ${label}`}
                    checked={getChannels(kind).includes(name)}
                    onChange={() => toggle(kind, name)}
                  />
                </label>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
