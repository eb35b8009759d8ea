import { Banner } from '@/ui/Banner';
import { CheckboxGroup } from '@/ui/CheckboxGroup';
import { Textarea } from '@/ui/Textarea';
import { CHECK_KEYS, CHECKS, listMissing, type Wish } from './case';
import { LicenseFields } from './LicenseFields';
import type { DecisionState } from './useDecision';

const OPTIONS = CHECK_KEYS.map((value) => ({ value, label: CHECKS[value] }));

interface Props {
  decision: DecisionState;
  /** Which decisions can be made here. */
  wishes: readonly Wish[];
}

/** What staff have checked, what they correct, and why. */
export function DecisionFields({ decision: { form, missing }, wishes }: Props) {
  return (
    <>
      {wishes.includes('approve') && (
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
                The application does not show {listMissing(missing)}. Ask for it, or add it above.
                To approve anyway, give a reason.
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
      {wishes.includes('reject') && (
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
