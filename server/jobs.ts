/** Every job of the portal, listed by hand, and when the regular ones run (UTC). */
import { followAccessRequests } from './access-requests/jobs.ts'
import { closeAccessReview, watchAccessReviews } from './access-reviews/jobs.ts'
import { answerForgottenPassword, forgetOldSessions, mailInvitation } from './accounts/jobs.ts'
import { forgetProviderNotes, watchProviders } from './accounts/providers/jobs.ts'
import { noticeMailer } from './accounts/sending.ts'
import { forgetAppOpensFrom } from './apps/jobs.ts'
import { noteSeal, sealLedger } from './audit/jobs.ts'
import { makePdfArchive } from './executive-meetings/schedules/jobs.ts'
import { forgetUnprovenSecrets } from './factors/jobs.ts'
import { expireGrants } from './grants/jobs.ts'
import { templates } from './notices.ts'
import { forgetReadNotifications } from './notifications/jobs.ts'
import { reminding } from './platform/jobs/reminders.ts'
import {
  forgetDeletions,
  forgetExpiredLimits,
  forgetIdempotencyKeys,
  forgetOldEvents,
  forgetUsedOnce,
  freeLostJobs,
  prepareMonths,
} from './platform/jobs/upkeep.ts'
import { forgetPresences } from './presence/jobs.ts'
import { sendPush } from './push/jobs.ts'
import { reminders } from './reminders.ts'
import { sweepObjects } from './storage/jobs.ts'
import { noteHealth } from './system/jobs.ts'

export const jobs = {
  answer_forgotten_password: answerForgottenPassword,
  mail_invitation: mailInvitation,
  mail_notice: noticeMailer(templates),
  send_push: sendPush,
  make_pdf_archive: makePdfArchive,
  forget_app_opens: forgetAppOpensFrom,
  forget_old_events: forgetOldEvents,
  forget_old_sessions: forgetOldSessions,
  forget_unproven_secrets: forgetUnprovenSecrets,
  forget_read_notifications: forgetReadNotifications,
  sweep_objects: sweepObjects,
  forget_deletions: forgetDeletions,
  forget_expired_limits: forgetExpiredLimits,
  forget_idempotency_keys: forgetIdempotencyKeys,
  forget_used_once: forgetUsedOnce,
  prepare_months: prepareMonths,
  free_lost_jobs: freeLostJobs,
  forget_presences: forgetPresences,
  seal_ledger: sealLedger,
  note_seal: noteSeal,
  note_health: noteHealth,
  expire_grants: expireGrants,
  follow_access_requests: followAccessRequests,
  close_access_review: closeAccessReview,
  watch_access_reviews: watchAccessReviews,
  watch_providers: watchProviders,
  forget_provider_notes: forgetProviderNotes,
  remind: reminding(reminders),
}

export const schedule = `
*/10 * * * * forget_old_events
7 * * * * forget_old_sessions
*/10 * * * * forget_unproven_secrets
37 * * * * forget_read_notifications
22 * * * * sweep_objects
* * * * * forget_deletions
*/15 * * * * forget_expired_limits
*/10 * * * * forget_idempotency_keys
*/10 * * * * forget_used_once
12 3 * * * prepare_months
* * * * * free_lost_jobs
*/10 * * * * forget_presences
* * * * * seal_ledger
5 0 * * * note_seal
*/10 * * * * note_health
* * * * * expire_grants
* * * * * follow_access_requests
* * * * * watch_access_reviews
* * * * * watch_providers
*/10 * * * * forget_provider_notes
* * * * * remind
`

declare module './platform/registry.ts' {
  interface Registry {
    jobs: typeof jobs
  }
}
