import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useEffect, useState } from 'react';
import { configQuery } from '@/api/queries';

interface Props {
  languages: readonly string[];
}

/** The choice of a language, which sites with one language do not load. */
export function LazyLanguageMenu() {
  const languages = useQuery(configQuery).data?.languages ?? [];
  const hasChoice = languages.length > 1;
  const [Menu, setMenu] = useState<ComponentType<Props> | null>(null);
  useEffect(() => {
    if (!hasChoice) return;
    // Without it the page stays usable, in the language that it has.
    import('./LanguageMenu').then((module) => setMenu(() => module.LanguageMenu)).catch(() => {});
  }, [hasChoice]);
  return Menu && <Menu languages={languages} />;
}
