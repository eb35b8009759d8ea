import { useRef } from 'react';
import { DOCUMENT_KINDS } from '@/lib/documentRules';
import { formatFileSize } from '@/lib/fileSize';
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
  const input = useRef<HTMLInputElement>(null);
  const field = {
    ...rest,
    label: 'Document',
    hint: `Your license or a letter of the authority: PDF, JPEG, PNG or WebP, at most 10 MB. Digital signatures in a PDF do not survive.${
      currentDocument ? ` A new one replaces ${currentDocument}.` : ''
    }`,
    optional: true,
  };
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
          <span>
            {value.name}, {formatFileSize(value.size)}
          </span>
          <Button
            variant="quiet"
            onClick={() => {
              if (input.current) input.current.value = '';
              onChange(null);
              input.current?.focus();
            }}
          >
            Remove<span className="visually-hidden"> {value.name}</span>
          </Button>
        </Toolbar>
      )}
    </Field>
  );
}
