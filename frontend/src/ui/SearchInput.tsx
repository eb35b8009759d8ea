import type { ComponentProps } from 'react';
import { MAX_SEARCH_LENGTH } from '@/lib/search';
import { TextInput } from './TextInput';

type Props = Pick<
  ComponentProps<typeof TextInput>,
  'label' | 'hint' | 'value' | 'onChange' | 'placeholder'
> & {
  /** The target of a keyboard shortcut. */
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
      maxLength={MAX_SEARCH_LENGTH}
      autoComplete="off"
      enterKeyHint="search"
    />
  );
}
