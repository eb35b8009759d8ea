import { Skeleton, Skeletons } from '@/ui/Skeleton';
import tiles from '../SlotTiles.module.css';
import styles from './SlotPicker.module.css';

export function SlotPickerSkeleton() {
  return (
    <Skeletons count={1}>
      <div className={styles.picker}>
        <div className={styles.days}>
          {Array.from({ length: 10 }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: identical bars have no other name.
            <Skeleton key={index} height={82} />
          ))}
        </div>
        <Skeleton width="60%" height={28} />
        <div className={tiles.tiles}>
          {Array.from({ length: 6 }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: identical bars have no other name.
            <Skeleton key={index} height={48} />
          ))}
        </div>
      </div>
    </Skeletons>
  );
}
