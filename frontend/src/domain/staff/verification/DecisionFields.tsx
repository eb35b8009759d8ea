import { Trans, useLingui } from '@lingui/react/macro';
import { Banner } from '@/ui/Banner';
import { CheckboxGroup } from '@/ui/CheckboxGroup';
import { Textarea } from '@/ui/Textarea';
import { CHECKLIST_KEYS, CHECKLIST_LABELS, type DecisionAction, missingEvidenceText } from './case';
import { LicenseFields } from './LicenseFields';
import type { DecisionState } from './useDecision';

interface Props {
  decision: DecisionState;
  /** The possible decisions. */
  actions: readonly DecisionAction[];
}

/** The checklist, corrections of the license, and the reason. */
export function DecisionFields({ decision: { form, missing }, actions }: Props) {
  const { t } = useLingui();
  const evidence = missingEvidenceText(missing);
  return (
    <>
      {actions.includes('approve') && (
        <>
          <CheckboxGroup
            {...form.field('checklist')}
            label={t`What you have checked`}
            optional="unmarked"
            options={CHECKLIST_KEYS.map((value) => ({ value, label: t(CHECKLIST_LABELS[value]) }))}
          />
          <LicenseFields form={form} />
          {missing.length > 0 && (
            <>
              <Banner tone="warning">
                <Trans>
                  The application doesn’t show {evidence}. Ask for it, or add it above. To approve
                  anyway, give a reason.
                </Trans>
              </Banner>
              <Textarea
                {...form.field('approvalReason')}
                label={t`Reason to approve without it`}
                hint={t`We keep it with the application. Only staff can read it.`}
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
        label={t`Note`}
        hint={t`Only staff can read it.`}
        optional
        maxLength={2000}
        rows={2}
      />
      {actions.includes('reject') && (
        <Textarea
          {...form.field('reason')}
          label={t`Reason for rejecting`}
          hint={t`Required to reject. The doctor will read it and can apply again.`}
          optional="unmarked"
          maxLength={500}
          rows={3}
        />
      )}
    </>
  );
}
