import { msg } from '@lingui/core/macro';

/** Who can read why time is blocked or off; the staff site lists it. */
export const REASON_VISIBILITY = msg`Visible to you and our staff. Patients don’t see it.`;
