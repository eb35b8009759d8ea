import { Card } from '@/ui/Card';
import { Inline } from '@/ui/Inline';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';

/** Placeholders for loading cards. */
export function CardSkeletons() {
  return (
    <Skeletons count={4}>
      <Card>
        <Stack>
          <Inline>
            <Skeleton width={72} height={72} />
            <Stack gap={2}>
              <Skeleton width={190} height={24} />
              <Skeleton width={130} height={18} />
            </Stack>
          </Inline>
          <Skeleton width="80%" height={18} />
          <Skeleton width="55%" height={18} />
          <Skeleton height={72} />
          <Skeleton height={48} />
        </Stack>
      </Card>
    </Skeletons>
  );
}
