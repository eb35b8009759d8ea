import type { ApprovalState } from '@/api/types';
import { Banner, type Tone } from '@/ui/Banner';

const NOTES: Record<ApprovalState, { tone: Tone; title: string; text: string } | null> = {
  approved: null,
  pending: {
    tone: 'info',
    title: 'Waiting for approval',
    text: 'We are checking your licence. Until then patients cannot find or book you; you can complete your profile meanwhile.',
  },
  rejected: {
    tone: 'warning',
    title: 'Not approved',
    text: 'We could not verify your details. Correct them in your profile, or contact us.',
  },
  revoked: {
    tone: 'warning',
    title: 'Approval withdrawn',
    text: 'Patients cannot find or book you at present. Visits that stand go on as planned.',
  },
};

/** What a doctor who is not approved should know. */
export function ApprovalNote({ approval }: { approval: { state: ApprovalState; reason: string } }) {
  const note = NOTES[approval.state];
  if (!note) return null;
  return (
    <Banner tone={note.tone} title={note.title}>
      <p>{note.text}</p>
      {approval.reason && <p>The reason given: {approval.reason}</p>}
    </Banner>
  );
}
