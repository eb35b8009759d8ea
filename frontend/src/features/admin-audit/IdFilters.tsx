import { useState } from 'react';
import styles from '@/domain/staff/table.module.css';
import type { AuditQuery } from '@/lib/paths';
import { Disclosure } from '@/ui/Disclosure';
import { TextInput } from '@/ui/inputs';
import { useTyped } from '@/ui/useTyped';
import { isId } from './query';

interface Props {
  query: AuditQuery;
  onChange: (part: AuditQuery) => void;
}

/** Ids to paste: from a message of an error, a log or another row. */
export function IdFilters({ query, onChange }: Props) {
  // Open from the start when one is in use; folding it later is up to the person.
  const [open] = useState(Boolean(query.agent || query.entity || query.requestId));
  const [agent, setAgent] = useTyped(query.agent, (text) => {
    if (!text || isId(text)) onChange({ agent: text });
  });
  const [entity, setEntity] = useTyped(query.entity, (text) => onChange({ entity: text }));
  const [request, setRequest] = useTyped(query.requestId, (text) => onChange({ requestId: text }));
  const wrong = agent !== '' && !isId(agent.trim());
  return (
    <Disclosure summary="Look for an id" open={open}>
      <div className={styles.filters}>
        <TextInput
          name="agent"
          label="Who acted"
          error={wrong ? 'Paste a whole id' : undefined}
          optional="unmarked"
          autoComplete="off"
          spellCheck={false}
          maxLength={36}
          value={agent}
          onChange={setAgent}
        />
        <TextInput
          name="entity"
          label="Acted on"
          optional="unmarked"
          autoComplete="off"
          spellCheck={false}
          maxLength={36}
          value={entity}
          onChange={setEntity}
        />
        <TextInput
          name="requestId"
          label="Request"
          optional="unmarked"
          autoComplete="off"
          spellCheck={false}
          maxLength={32}
          value={request}
          onChange={setRequest}
        />
      </div>
    </Disclosure>
  );
}
