import { type FormEvent, useState } from 'react';
import { isDate, today } from '@/lib/dates';
import { FILTER_SPECIALIZATIONS } from '@/lib/options';
import type { DirectoryQuery } from '@/lib/paths';
import { TEXT_LENGTH } from '@/lib/search';
import { Button } from '@/ui/Button';
import { SearchIcon } from '@/ui/icons';
import { Select, TextInput } from '@/ui/inputs';
import { SearchInput } from '@/ui/SearchInput';
import { useTyped } from '@/ui/useTyped';
import styles from './Filters.module.css';
import { SPANS } from './query';

interface Props {
  query: DirectoryQuery;
  /** `typing` changes come while the person is still writing. */
  onChange: (change: DirectoryQuery, how: 'typing' | 'choice') => void;
  /** The Search button: the answer is here, show it. */
  onSearch: () => void;
}

/** Search, specialization, city and by when. Answers while one types; the button is for those who want one. */
export function Filters({ query, onChange, onSearch }: Props) {
  const [search, setSearch] = useTyped(query.search, (text) =>
    onChange({ search: text }, 'typing'),
  );
  const [city, setCity] = useTyped(query.city, (text) => onChange({ city: text }, 'typing'));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange({ search: search.trim() || undefined, city: city.trim() || undefined }, 'choice');
    onSearch();
  };

  // A specialization outside the short list may come by a link; the select must be able to show it.
  const { specialization = '' } = query;
  const known: readonly string[] = FILTER_SPECIALIZATIONS;
  const options =
    !specialization || known.includes(specialization) ? known : [...known, specialization];

  return (
    <search>
      <form className={styles.filters} onSubmit={submit}>
        <div className={styles.search}>
          <SearchInput label="Name or specialization" value={search} onChange={setSearch} />
        </div>
        <Select
          name="specialization"
          label="Specialization"
          optional="unmarked"
          placeholder="All"
          options={options}
          value={specialization}
          onChange={(value) => onChange({ specialization: value || undefined }, 'choice')}
        />
        <TextInput
          name="city"
          label="City"
          optional="unmarked"
          value={city}
          onChange={setCity}
          maxLength={TEXT_LENGTH}
          autoComplete="address-level2"
          enterKeyHint="search"
        />
        <FreeBy
          value={query.availableBy ?? ''}
          onChange={(value) => onChange({ availableBy: value || undefined }, 'choice')}
        />
        <Button type="submit" icon={<SearchIcon size={20} />} className={styles.button}>
          Search
        </Button>
      </form>
    </search>
  );
}

const A_DATE = 'date';

/** By when a doctor is to be free: a few spans, or a date, which is asked for in a field of its own. */
function FreeBy({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [dating, setDating] = useState(false);
  const isDay = isDate(value);
  // The address bar may change to something else meanwhile.
  const open = isDay || (dating && value === '');
  return (
    <div className={styles.freeBy}>
      <Select
        name="availableBy"
        label="Available by"
        optional="unmarked"
        options={[
          ...SPANS.map(({ value: span, label }) => ({ value: span, label })),
          { value: A_DATE, label: 'A date' },
        ]}
        value={open ? A_DATE : value}
        onChange={(choice) => {
          setDating(choice === A_DATE);
          onChange(choice === A_DATE ? '' : choice);
        }}
      />
      {open && (
        <TextInput
          name="availableByDate"
          label="Date"
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
