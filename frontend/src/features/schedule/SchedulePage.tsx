import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { scheduleQuery } from '@/api/schedule';
import { ErrorState } from '@/ui/ErrorState';
import { PageHeading } from '@/ui/PageHeading';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import { ScheduleEditor } from './ScheduleEditor';

export default function SchedulePage() {
  const { t } = useLingui();
  const { data, isLoadingError, isFetching, refetch } = useQuery(scheduleQuery);
  if (data) return <ScheduleEditor schedule={data} />;
  return (
    <Stack gap={5}>
      <PageHeading>{t`Schedule`}</PageHeading>
      {isLoadingError ? (
        <ErrorState
          title={t`We couldn’t load your schedule`}
          onRetry={() => refetch()}
          busy={isFetching}
        />
      ) : (
        <Skeletons count={3}>
          <Skeleton height={240} />
        </Skeletons>
      )}
    </Stack>
  );
}
