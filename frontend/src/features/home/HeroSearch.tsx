import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { paths } from '@/lib/paths';
import { Button } from '@/ui/Button';
import { SearchIcon } from '@/ui/icons';
import { TextInput } from '@/ui/inputs';
import styles from './HomePage.module.css';

/** The first thing to do here: what kind of doctor, and where. */
export function HeroSearch() {
  const navigate = useNavigate();
  const [search, setSearch] = useState('');
  const [city, setCity] = useState('');
  const go = (event: FormEvent) => {
    event.preventDefault();
    navigate(paths.findDoctors({ search: search.trim(), city: city.trim() }));
  };
  return (
    <search>
      {/* An address of its own, for whoever searches before the page's code is here. */}
      <form className={styles.search} action={paths.findDoctors()} onSubmit={go}>
        <TextInput
          name="search"
          label="Doctor or specialization"
          value={search}
          onChange={setSearch}
          placeholder="e.g. Cardiology"
          optional="unmarked"
          enterKeyHint="search"
        />
        <TextInput
          name="city"
          label="City"
          optional="unmarked"
          value={city}
          onChange={setCity}
          placeholder="e.g. Boston"
          autoComplete="address-level2"
          enterKeyHint="search"
        />
        <Button type="submit" icon={<SearchIcon />} wide>
          Find a doctor
        </Button>
      </form>
    </search>
  );
}
