import { useLingui } from '@lingui/react/macro';
import { specializationOptions } from '@/lib/specializations';
import { Select } from '@/ui/Select';
import { TextInput } from '@/ui/TextInput';
import { useDebouncedParam } from '@/ui/useDebouncedParam';

interface DoctorQuery {
  specialization?: string;
  city?: string;
}

interface Props extends DoctorQuery {
  /** `replace` while typing: not every letter is a history entry. */
  onChange: (part: DoctorQuery, replace?: boolean) => void;
}

/** Filter appointments by specialization and city. */
export function DoctorFilters({ specialization, city, onChange }: Props) {
  const { t } = useLingui();
  const [typed, setTyped] = useDebouncedParam(city, (text) => onChange({ city: text }, true));
  return (
    <>
      <Select
        name="specialization"
        label={t`Specialization`}
        optional="unmarked"
        placeholder={t({ message: 'All', context: 'specializations' })}
        options={specializationOptions()}
        value={specialization ?? ''}
        onChange={(specialization) => onChange({ specialization: specialization || undefined })}
      />
      <TextInput
        name="city"
        label={t`City`}
        optional="unmarked"
        autoComplete="off"
        maxLength={100}
        value={typed}
        onChange={setTyped}
      />
    </>
  );
}
