import { afterEach, expect, it } from 'vitest';
import { deleteDraft, readDraft, storeDraft } from './draft';

const draft = { symptoms: 'My knee hurts', notes: '' };
const empty = { symptoms: '', notes: '' };

afterEach(() => deleteDraft('d1'));

it('keeps a draft per doctor and author', () => {
  storeDraft('d1', 'p1', draft);
  expect(readDraft('d1', 'p1')).toEqual(draft);
  expect(readDraft('d2', 'p1')).toEqual(empty);
  expect(readDraft('d1', 'p2')).toEqual(empty);
  expect(readDraft('d1', null)).toEqual(empty);
});

it('gives a visitor’s draft to the next user who signs in, and to nobody else', () => {
  storeDraft('d1', null, draft);
  expect(readDraft('d1', null)).toEqual(draft);
  expect(readDraft('d1', 'p1')).toEqual(draft);
  expect(readDraft('d1', 'p2')).toEqual(empty);
});
