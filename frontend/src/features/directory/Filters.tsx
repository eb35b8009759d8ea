import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { doctorFiltersQuery } from '@/api/queries';
import { isDate, today } from '@/lib/dates';
import { FILTER_SPECIALIZATIONS } from '@/lib/options';
import type { DirectoryQuery } from '@/lib/paths';
import { MAX_SEARCH_LENGTH } from '@/lib/search';
import { specializationLabel, specializationOptions } from '@/lib/specializations';
import { Button } from '@/ui/Button';
import { SearchIcon } from '@/ui/pageIcons';
import { SearchInput } from '@/ui/SearchInput';
import { Select } from '@/ui/Select';
import { TextInput } from '@/ui/TextInput';
import { useDebouncedParam } from '@/ui/useDebouncedParam';
import styles from './Filters.module.css';
import { AVAILABILITY_SPANS } from './query';

interface Props {
  query: DirectoryQuery;
  /** `typing` changes occur while the user is still typing. */
  onChange: (change: DirectoryQuery, trigger: 'typing' | 'choice') => void;
  /** Called by the Search button: move to the results. */
  onSearch: () => void;
}

/** Search, specialization, city and availability. Applied while typing; the button moves to the results. */
export function Filters({ query, onChange, onSearch }: Props) {
  const { t } = useLingui();
  const [search, setSearch] = useDebouncedParam(query.search, (text) =>
    onChange({ search: text, literal: undefined }, 'typing'),
  );
  const [city, setCity] = useDebouncedParam(query.city, (text) =>
    onChange({ city: text }, 'typing'),
  );

  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange({ search: search.trim() || undefined, city: city.trim() || undefined }, 'choice');
    onSearch();
  };

  const { data: filters } = useQuery(doctorFiltersQuery);
  const example = filters?.example?.specialization;
  const exampleSpecialty = example && specializationLabel(example);
  const exampleCity = filters?.example?.city;
  // A link may contain a specialization without doctors; the select must be able to show it.
  const { specialization = '' } = query;
  const known: readonly string[] = filters?.specializations ?? FILTER_SPECIALIZATIONS;
  const options =
    !specialization || known.includes(specialization) ? known : [...known, specialization];

  return (
    <search>
      <form className={styles.filters} onSubmit={submit}>
        <div className={styles.search}>
          <SearchInput
            label={t`Name or specialization`}
            value={search}
            onChange={setSearch}
            placeholder={exampleSpecialty && t`e.g. ${exampleSpecialty}`}
          />
        </div>
        <Select
          name="specialization"
          label={t`Specialization`}
          optional="unmarked"
          placeholder={t({ message: 'All', context: 'specializations' })}
          options={specializationOptions(options)}
          value={specialization}
          onChange={(value) => onChange({ specialization: value || undefined }, 'choice')}
        />
        <TextInput
          name="city"
          label={t`City`}
          optional="unmarked"
          value={city}
          onChange={setCity}
          placeholder={exampleCity && t`e.g. ${exampleCity}`}
          maxLength={MAX_SEARCH_LENGTH}
          autoComplete="address-level2"
          enterKeyHint="search"
        />
        <AvailableBySelect
          value={query.availableBy ?? ''}
          onChange={(value) => onChange({ availableBy: value || undefined }, 'choice')}
        />
        <Button type="submit" icon={<SearchIcon size={20} />} className={styles.button}>
          <Trans>Search</Trans>
        </Button>
      </form>
    </search>
  );
}

const CUSTOM_DATE = 'date';

/** Availability: one of several spans, or a custom date in a separate field. */
function AvailableBySelect({
  value,
  onChange,
}: {
  value: string;
  onChange: (value: string) => void;
}) {
  const { t } = useLingui();
  const [dating, setDating] = useState(false);
  const isDay = isDate(value);
  // The URL may have changed since.
  const open = isDay || (dating && value === '');
  return (
    <div className={styles.availableBy}>
      <Select
        name="availableBy"
        label={t`Available by`}
        optional="unmarked"
        options={[
          ...AVAILABILITY_SPANS.map(({ value: span, label }) => ({ value: span, label: t(label) })),
          { value: CUSTOM_DATE, label: t`Choose a date` },
        ]}
        value={open ? CUSTOM_DATE : value}
        onChange={(choice) => {
          setDating(choice === CUSTOM_DATE);
          onChange(choice === CUSTOM_DATE ? '' : choice);
        }}
      />
      {open && (
        <TextInput
          name="availableByDate"
          label={t`Date`}
          optional="unmarked"
          type="date"
          min={today()}
          value={value}
          onChange={(day) => {
            setDating(true);
            if (day === '' || (isDate(day) && day >= today())) onChange(day);
          }}
        />
      )}
    </div>
  );
}
