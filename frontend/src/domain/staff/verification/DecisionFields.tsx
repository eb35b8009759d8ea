import { Banner } from '@/ui/Banner';
import { CheckboxGroup } from '@/ui/CheckboxGroup';
import { Textarea } from '@/ui/Textarea';
import { CHECKLIST_KEYS, CHECKLIST_LABELS, type DecisionAction, missingEvidenceText } from './case';
import { LicenseFields } from './LicenseFields';
import type { DecisionState } from './useDecision';

const OPTIONS = CHECKLIST_KEYS.map((value) => ({ value, label: CHECKLIST_LABELS[value] }));

interface Props {
  decision: DecisionState;
  /** The possible decisions. */
  actions: readonly DecisionAction[];
}

/** The checklist, corrections of the license, and the reason. */
export function DecisionFields({ decision: { form, missing }, actions }: Props) {
  return (
    <>
      {actions.includes('approve') && (
        <>
          <CheckboxGroup
            {...form.field('checklist')}
            label="What you have checked"
            optional="unmarked"
            options={OPTIONS}
          />
          <LicenseFields form={form} />
          {missing.length > 0 && (
            <>
              <Banner tone="warning">
                The application does not show {missingEvidenceText(missing)}. Ask for it, or add it
                above. To approve anyway, give a reason.
              </Banner>
              <Textarea
                {...form.field('approvalReason')}
                label="Reason to approve without it"
                hint="Kept on the case. Only staff can read it."
                optional="unmarked"
                maxLength={500}
                rows={2}
              />
            </>
          )}
        </>
      )}
      <Textarea
        {...form.field('note')}
        label="Note"
        hint="Only staff can read it."
        optional
        maxLength={2000}
        rows={2}
      />
      {actions.includes('reject') && (
        <Textarea
          {...form.field('reason')}
          label="Reason for rejecting"
          hint="Needed to reject. The doctor will read it and can apply again."
          optional="unmarked"
          maxLength={500}
          rows={3}
        />
      )}
    </>
  );
}
