import { Card } from '@/ui/Card';
import { Skeleton, Skeletons } from '@/ui/Skeleton';

/** Cards that are on their way. */
export function CardSkeletons() {
  return (
    <Skeletons count={4}>
      <Card>
        <div className="stack">
          <div className="row">
            <Skeleton width={72} height={72} />
            <div className="stack" data-gap="2">
              <Skeleton width={190} height={24} />
              <Skeleton width={130} height={18} />
            </div>
          </div>
          <Skeleton width="80%" height={18} />
          <Skeleton width="55%" height={18} />
          <Skeleton height={72} />
          <Skeleton height={48} />
        </div>
      </Card>
    </Skeletons>
  );
}
