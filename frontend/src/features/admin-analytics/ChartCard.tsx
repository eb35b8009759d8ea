import { Trans, useLingui } from '@lingui/react/macro';
import { Card } from '@/ui/Card';
import { DataTable } from '@/ui/DataTable';
import { Disclosure } from '@/ui/Disclosure';
import { Inline } from '@/ui/Inline';
import styles from './analytics.module.css';
import { BarChart, type Series, type Step } from './chart/BarChart';

interface Props {
  title: string;
  /** What is counted, by which date. */
  note: string;
  /** "Day" or "Week". */
  unit: string;
  steps: Step[];
  series: Series[];
  format: (value: number | null) => string;
  /** Shown instead of a chart without bars. */
  emptyText: string;
  tickUnit?: (max: number) => number;
}

/** A chart with a note and the same data as a table. */
export function ChartCard({
  title,
  note,
  unit,
  steps,
  series,
  format,
  tickUnit,
  emptyText,
}: Props) {
  const { t } = useLingui();
  const values = series.flatMap((each) => each.values);
  const isUnknown = values.every((value) => value === null);
  return (
    <Card as="section" tight gap={3} className={styles.card} aria-label={title}>
      <div>
        <h2 className="subheading">{title}</h2>
        <p className="muted">{note}</p>
      </div>
      {values.some((value) => value) ? (
        <BarChart label={title} steps={steps} series={series} format={format} tickUnit={tickUnit} />
      ) : (
        <Inline as="p" gap={0} wrap={false} className={styles.empty}>
          {isUnknown ? t`There’s no data for this period yet.` : emptyText}
        </Inline>
      )}
      <div className={styles.footer}>
        <Disclosure
          lazy
          summary={
            <Trans>
              Show as table<span className="visually-hidden">: {title}</span>
            </Trans>
          }
        >
          {/* A separate region, so that it can be scrolled by keyboard. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable. */}
          <section className={styles.scroll} tabIndex={0} aria-label={t`${title} as a table`}>
            <DataTable
              caption={title}
              columns={[unit, ...series.map(({ name }) => name)]}
              className={styles.table}
            >
              <tbody>
                {steps.map((step, index) => (
                  <tr key={step.name}>
                    <th scope="row">{step.name}</th>
                    {series.map(({ name, values }) => (
                      <td key={name}>{format(values[index] ?? null)}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </DataTable>
          </section>
        </Disclosure>
      </div>
    </Card>
  );
}
