import { Grid } from '@/ui/Grid';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import tiles from '../SlotTiles.module.css';
import styles from './SlotPicker.module.css';

export function SlotPickerSkeleton() {
  return (
    <Skeletons count={1}>
      <Stack gap={3}>
        <Grid className={styles.days}>
          {Array.from({ length: 10 }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: identical bars have no other key.
            <Skeleton key={index} height={82} />
          ))}
        </Grid>
        <Skeleton width="60%" height={28} />
        <div className={tiles.tiles}>
          {Array.from({ length: 6 }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: identical bars have no other key.
            <Skeleton key={index} height={48} />
          ))}
        </div>
      </Stack>
    </Skeletons>
  );
}
