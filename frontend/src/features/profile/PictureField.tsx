import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { Avatar } from '@/ui/Avatar';
import { Button } from '@/ui/Button';
import { FieldGroup, fieldId } from '@/ui/Field';
import { Inline } from '@/ui/Inline';
import { PictureIcon } from '@/ui/icons';

const MAX_BYTES = 5 * 1024 * 1024;
const TYPES = ['image/jpeg', 'image/png', 'image/webp'];

interface Props {
  /** The name, for initials without a picture. */
  name: string;
  current: string | null;
  file: File | null;
  isRemoved: boolean;
  error?: string;
  onChange: (image: File | null, remove: boolean) => void;
}

/** Select, preview and remove the profile picture. The server inspects the content of the file. */
export function PictureField({ name, current, file, isRemoved, error, onChange }: Props) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  const [refusal, setRefusal] = useState('');
  const preview = usePreview(file);
  const imageUrl = preview ?? (isRemoved ? null : current);

  const choose = (file: File | undefined) => {
    if (!file) return;
    if (!TYPES.includes(file.type)) {
      setRefusal(t`Choose a JPEG, PNG or WebP picture`);
    } else if (file.size > MAX_BYTES) {
      setRefusal(t`The picture must be at most 5 MB`);
    } else {
      setRefusal('');
      onChange(file, false);
    }
  };

  return (
    <FieldGroup
      name="image"
      label={t`Picture`}
      hint={t`JPEG, PNG or WebP, at most 5 MB. Shown as a square. We remove location data.`}
      error={refusal || error}
      optional
    >
      <Inline gap={4}>
        <Avatar name={name} src={imageUrl} size={96} />
        <Inline>
          <input
            ref={input}
            id={`${fieldId('image')}-file`}
            className="visually-hidden"
            type="file"
            accept={TYPES.join(',')}
            tabIndex={-1}
            aria-hidden="true"
            onChange={(event) => {
              choose(event.target.files?.[0]);
              // Selecting the same file again must trigger a change event.
              event.target.value = '';
            }}
          />
          <Button
            variant="secondary"
            icon={<PictureIcon size={20} />}
            onClick={() => input.current?.click()}
          >
            {imageUrl ? t`Change picture` : t`Upload picture`}
          </Button>
          {imageUrl && (
            <Button variant="quiet" onClick={() => onChange(null, current !== null)}>
              {t`Remove picture`}
            </Button>
          )}
        </Inline>
      </Inline>
    </FieldGroup>
  );
}

/** An object URL of the selected file, revoked with the selection. */
function usePreview(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!file) {
      setUrl(null);
      return;
    }
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}
