import { useLingui } from '@lingui/react/macro';
import { languageName, switchLanguage } from '@/lib/languages';
import { Select } from '@/ui/Select';
import { toast } from '@/ui/toasts';

/** The choice of the interface's language. */
export function LanguageMenu({ languages }: { languages: readonly string[] }) {
  const { i18n, t } = useLingui();
  const change = (language: string) =>
    switchLanguage(language).catch(() =>
      toast.error(t`We couldn’t load that language. Please try again.`),
    );
  return (
    <Select
      name="language"
      label={t`Language`}
      optional="unmarked"
      options={languages.map((value) => ({ value, label: languageName(value), lang: value }))}
      value={i18n.locale}
      onChange={change}
    />
  );
}
