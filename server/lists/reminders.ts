/** The reminders of every feature, listed by hand, in the order in which they are sent. */

import { grantReminders } from '../access/grants/reminders.ts'
import { accessRequestReminders } from '../access/requests/reminders.ts'
import { accessReviewReminders } from '../access/reviews/reminders.ts'
import { sourceReminders } from '../identity/scim/reminders.ts'
import { enrolmentReminders } from '../identity/settings/reminders.ts'
import { tokenReminders } from '../identity/tokens/reminders.ts'
import type { Reminders } from '../platform/jobs/reminders.ts'
import { approvalReminders, orderReminders } from '../work/orders/reminders.ts'
import { serviceTeamReminders } from '../work/service-teams/reminders.ts'

export const reminders: readonly Reminders[] = [
  ...grantReminders,
  accessRequestReminders,
  ...accessReviewReminders,
  enrolmentReminders,
  tokenReminders,
  ...sourceReminders,
  serviceTeamReminders,
  orderReminders,
  approvalReminders,
]
