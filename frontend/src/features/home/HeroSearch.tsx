import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { FEATURED_DOCTORS_QUERY } from '@/api/prefetch';
import { doctorsQuery } from '@/api/queries';
import { paths } from '@/lib/paths';
import { specializationLabel } from '@/lib/specializations';
import { Button } from '@/ui/Button';
import { Grid } from '@/ui/Grid';
import { SearchIcon } from '@/ui/pageIcons';
import { TextInput } from '@/ui/TextInput';
import styles from './HomePage.module.css';

/** The main search of the home page: specialization and city. */
export function HeroSearch() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [search, setSearch] = useState('');
  const [city, setCity] = useState('');
  // From a doctor on this page, so that searching for the example has a result.
  const { data } = useQuery(doctorsQuery(FEATURED_DOCTORS_QUERY));
  const example = data?.doctors.find(
    ({ specialization, hospital }) => specialization !== 'Other' && hospital.address.city,
  );
  const exampleSpecialty = example && specializationLabel(example.specialization);
  const exampleCity = example?.hospital.address.city;
  const go = (event: FormEvent) => {
    event.preventDefault();
    navigate(paths.findDoctors({ search: search.trim(), city: city.trim() }));
  };
  return (
    <search>
      {/* An address of its own, for a search before the page's code is here. */}
      <Grid as="form" className={styles.search} action={paths.findDoctors()} onSubmit={go}>
        <TextInput
          name="search"
          label={t`Doctor or specialty`}
          value={search}
          onChange={setSearch}
          placeholder={exampleSpecialty && t`e.g. ${exampleSpecialty}`}
          optional="unmarked"
          enterKeyHint="search"
        />
        <TextInput
          name="city"
          label={t`City`}
          optional="unmarked"
          value={city}
          onChange={setCity}
          placeholder={exampleCity && t`e.g. ${exampleCity}`}
          autoComplete="address-level2"
          enterKeyHint="search"
        />
        <Button type="submit" icon={<SearchIcon />} wide>
          <Trans>Find a doctor</Trans>
        </Button>
      </Grid>
    </search>
  );
}
