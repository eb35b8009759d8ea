import styles from './FromTo.module.css';
import { VisitWhen, type When } from './VisitWhen';

interface Props {
  from: When;
  to: When;
  fromLabel?: string;
  toLabel?: string;
}

/** The time a visit has, and the one it may get. */
export function FromTo({ from, to, fromLabel = 'Now', toLabel = 'New time' }: Props) {
  return (
    <dl className={styles.times}>
      <div>
        <dt>{fromLabel}</dt>
        <dd>
          <VisitWhen visit={from} />
        </dd>
      </div>
      <div data-new="">
        <dt>{toLabel}</dt>
        <dd>
          <VisitWhen visit={to} />
        </dd>
      </div>
    </dl>
  );
}
