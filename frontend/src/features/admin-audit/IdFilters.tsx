import { useLingui } from '@lingui/react/macro';
import styles from '@/domain/staff/filters.module.css';
import type { AuditQuery } from '@/lib/paths';
import { MAX_SEARCH_LENGTH } from '@/lib/search';
import { Grid } from '@/ui/Grid';
import { TextInput } from '@/ui/TextInput';
import { useDebouncedParam } from '@/ui/useDebouncedParam';

interface Props {
  query: AuditQuery;
  onChange: (part: AuditQuery) => void;
}

/** Filter by actor and subject: by name, or by an id from an error, a log or another row. */
export function IdFilters({ query, onChange }: Props) {
  const { t } = useLingui();
  const [agent, setAgent] = useDebouncedParam(query.agent, (text) => onChange({ agent: text }));
  const [entity, setEntity] = useDebouncedParam(query.entity, (text) => onChange({ entity: text }));
  const [request, setRequest] = useDebouncedParam(query.requestId, (text) =>
    onChange({ requestId: text }),
  );
  return (
    <Grid rowGap={3} align="end" className={styles.filters}>
      <TextInput
        name="agent"
        label={t`Actor`}
        hint={t`Name or ID`}
        optional="unmarked"
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_SEARCH_LENGTH}
        value={agent}
        onChange={setAgent}
      />
      <TextInput
        name="entity"
        label={t`Target`}
        hint={t`Name or ID`}
        optional="unmarked"
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_SEARCH_LENGTH}
        value={entity}
        onChange={setEntity}
      />
      <TextInput
        name="requestId"
        label={t`Request`}
        hint={t`Request ID`}
        optional="unmarked"
        autoComplete="off"
        spellCheck={false}
        maxLength={32}
        value={request}
        onChange={setRequest}
      />
    </Grid>
  );
}
