import { Trans, useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import { DOCUMENT_KINDS } from '@/lib/documentRules';
import { formatFileSize } from '@/lib/fileSize';
import { formatFacts } from '@/lib/formatList';
import { Button } from '@/ui/Button';
import { Field, fieldAria } from '@/ui/Field';
import { Toolbar } from '@/ui/Toolbar';
import styles from './verification.module.css';

interface Props {
  name: string;
  value: File | null;
  error?: string;
  onChange: (file: File | null) => void;
  /** The document already uploaded with the application. */
  currentDocument?: string;
}

/** One file as evidence; the server inspects its content. */
export function DocumentField({ value, onChange, currentDocument, ...rest }: Props) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  const field = {
    ...rest,
    label: t`Document`,
    hint: currentDocument
      ? t`Your license or a letter from the authority: PDF, JPEG, PNG or WebP, up to 10 MB. Digital signatures in a PDF will be lost. A new document replaces ${currentDocument}.`
      : t`Your license or a letter from the authority: PDF, JPEG, PNG or WebP, up to 10 MB. Digital signatures in a PDF will be lost.`,
    optional: true,
  };
  const fileName = value?.name;
  return (
    <Field {...field}>
      <input
        {...fieldAria(field)}
        ref={input}
        type="file"
        accept={DOCUMENT_KINDS.join(',')}
        className={styles.fileInput}
        onChange={({ target }) => onChange(target.files?.[0] ?? null)}
      />
      {value && (
        <Toolbar as="p" gap={2} className={styles.selectedFile}>
          <span>{formatFacts([value.name, formatFileSize(value.size)])}</span>
          <Button
            variant="quiet"
            onClick={() => {
              if (input.current) input.current.value = '';
              onChange(null);
              input.current?.focus();
            }}
          >
            <Trans>
              Remove<span className="visually-hidden"> {fileName}</span>
            </Trans>
          </Button>
        </Toolbar>
      )}
    </Field>
  );
}
