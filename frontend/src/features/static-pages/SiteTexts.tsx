import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '@/api/errors';
import { siteTextQuery } from '@/api/queries';
import type { Config } from '@/api/types';
import { formatDate } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorState } from '@/ui/ErrorState';
import { Spinner } from '@/ui/Spinner';
import { Stack } from '@/ui/Stack';
import styles from './static.module.css';

const HEADING = /^(##?) (.+)$/gm;
const LINK = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/;

/** A text that staff have written, in each of its languages. */
export function SiteTexts({ kind }: { kind: Config['texts'][number] }) {
  const { t, i18n } = useLingui();
  const { data, error, refetch, isFetching } = useQuery(siteTextQuery(kind));
  if (error instanceof ApiError && error.status === 404) {
    return (
      <EmptyState
        title={t`There’s nothing here yet`}
        action={
          <LinkButton href={paths.home}>
            <Trans>Go to the home page</Trans>
          </LinkButton>
        }
      />
    );
  }
  if (error) {
    return (
      <ErrorState
        title={t`We couldn’t load this text`}
        onRetry={() => void refetch()}
        busy={isFetching}
      />
    );
  }
  if (!data) return <Spinner />;
  return data.texts.map(({ language, text, updatedAt }) => {
    const changedOn = formatDate(updatedAt.slice(0, 10));
    return (
      <Stack key={language} as="article" gap={4} lang={language} className={styles.text}>
        {splitBlocks(text).map((block, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of one text keep their order.
          <Block key={index} block={block} />
        ))}
        <p className="muted" lang={i18n.locale}>
          <Trans>Last changed on {changedOn}</Trans>
        </p>
      </Stack>
    );
  });
}

/** Split a text into headings, lists and paragraphs. */
function splitBlocks(text: string): string[] {
  const apart = text.replace(HEADING, '\n\n$&\n\n');
  return apart.split(/\n\s*\n/).flatMap((block) => block.trim() || []);
}

function Block({ block }: { block: string }) {
  if (block.startsWith('# ')) return <h2>{block.slice(2)}</h2>;
  if (block.startsWith('## ')) return <h3>{block.slice(3)}</h3>;
  const lines = block.split('\n');
  if (!lines.every((line) => line.startsWith('- '))) {
    return (
      <p>
        <Linked text={block} />
      </p>
    );
  }
  return (
    <ul className={styles.list}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above.
        <li key={index}>
          <Linked text={line.slice(2)} />
        </li>
      ))}
    </ul>
  );
}

/** A text whose web addresses are links. */
function Linked({ text }: { text: string }) {
  return text.split(LINK).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above.
      <a key={index} href={part}>
        {part}
      </a>
    ) : (
      part
    ),
  );
}
