import type { ComponentProps } from 'react';
import { TEXT_LENGTH } from '@/lib/search';
import { TextInput } from './inputs';

type Props = Pick<ComponentProps<typeof TextInput>, 'label' | 'hint' | 'value' | 'onChange'> & {
  /** What a key of the desk looks for. */
  'data-shortcut'?: string;
};

/** Words to search for. */
export function SearchInput(props: Props) {
  return (
    <TextInput
      {...props}
      name="search"
      optional="unmarked"
      type="search"
      maxLength={TEXT_LENGTH}
      autoComplete="off"
      enterKeyHint="search"
    />
  );
}
