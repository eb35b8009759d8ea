import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { staffDoctorsQuery } from '@/api/users';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';

/** A link to the oldest pending application other than the one just decided. */
export function NextCase({ after }: { after: string }) {
  const { data } = useQuery({ ...staffDoctorsQuery({ pageSize: 2 }), staleTime: 0 });
  const next = data?.doctors.find((doctor) => doctor.openCase && doctor._id !== after);
  if (!data) return null;
  const name = next && doctorName(next.name);
  return next ? (
    <LinkButton href={paths.adminDoctor(next._id)}>
      <Trans>Next: {name}</Trans>
    </LinkButton>
  ) : (
    <LinkButton variant="secondary" href={paths.adminDashboard}>
      <Trans>No more applications. Go to the dashboard</Trans>
    </LinkButton>
  );
}
