import { useLingui } from '@lingui/react/macro';
import { useLocation } from 'react-router-dom';
import { paths } from '@/lib/paths';
import { PageHeading } from '@/ui/PageHeading';
import { Stack } from '@/ui/Stack';
import { SiteTexts } from './SiteTexts';

/** The imprint or the terms of use. */
export default function SiteTextPage() {
  const { t } = useLingui();
  const isImprint = useLocation().pathname.startsWith(paths.imprint);
  const title = isImprint ? t`Imprint` : t`Terms of Use`;
  return (
    <Stack key={title} gap={6} className="column">
      <PageHeading>{title}</PageHeading>
      <SiteTexts kind={isImprint ? 'imprint' : 'terms'} />
    </Stack>
  );
}
