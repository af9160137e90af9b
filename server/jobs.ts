/** Every job of the portal, listed by hand, and when the regular ones run (UTC). */
import { followAccessRequests } from './access-requests/jobs.ts'
import { closeAccessReview, watchAccessReviews } from './access-reviews/jobs.ts'
import { forgetAppOpensFrom } from './apps/jobs.ts'
import { noteSeal, sealLedger } from './audit/jobs.ts'
import { makePdfArchive } from './executive-meetings/schedules/jobs.ts'
import { expireGrants } from './grants/jobs.ts'
import { answerForgottenPassword, forgetOldSessions, mailInvitation } from './identity/accounts/jobs.ts'
import { noticeMailer } from './identity/accounts/send-mail.ts'
import { forgetUnprovenSecrets } from './identity/factors/jobs.ts'
import { forgetProviderNotes, watchProviders } from './identity/providers/jobs.ts'
import { remindOfEnrolment } from './identity/settings/jobs.ts'
import { remindOfTokens } from './identity/tokens/jobs.ts'
import { templates } from './notices.ts'
import { forgetReadNotifications } from './notifications/jobs.ts'
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
  remind_of_enrolment: remindOfEnrolment,
  follow_access_requests: followAccessRequests,
  close_access_review: closeAccessReview,
  watch_access_reviews: watchAccessReviews,
  watch_providers: watchProviders,
  forget_provider_notes: forgetProviderNotes,
  remind_of_tokens: remindOfTokens,
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
*/10 * * * * remind_of_enrolment
* * * * * follow_access_requests
* * * * * watch_access_reviews
* * * * * watch_providers
*/10 * * * * forget_provider_notes
*/10 * * * * remind_of_tokens
`

declare module './platform/registry.ts' {
  interface Registry {
    jobs: typeof jobs
  }
}
