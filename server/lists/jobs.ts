/** Every job of the portal, listed by hand, and when the regular ones run (UTC). */

import { expireGrants } from '../access/grants/jobs.ts'
import { followAccessRequests, tellOfLapses } from '../access/requests/jobs.ts'
import { closeAccessReview, watchAccessReviews } from '../access/reviews/jobs.ts'
import { answerForgottenPassword, mailInvitation } from '../identity/accounts/jobs.ts'
import { noticeMailer } from '../identity/accounts/send-mail.ts'
import { watchProviders } from '../identity/providers/jobs.ts'
import { applyImport, watchImports } from '../people/imports/jobs.ts'
import { cleaningUp } from '../platform/jobs/cleaning.ts'
import { reminding } from '../platform/jobs/reminders.ts'
import { freeLostJobs, prepareMonths } from '../platform/jobs/upkeep.ts'
import { noteSeal, sealLedger } from '../record/audit/jobs.ts'
import { watchAuditStream } from '../record/audit-stream/jobs.ts'
import { watchWebhooks } from '../record/webhooks/jobs.ts'
import { noteHealth } from '../site/system/jobs.ts'
import { forgetAppOpensFrom } from '../work/apps/jobs.ts'
import { layOutCalendars } from '../work/calendars/jobs.ts'
import { makePdfArchive } from '../work/meetings/schedules/jobs.ts'
import { endOrderWaits, followApprovals } from '../work/orders/jobs.ts'
import { sendPush } from '../work/push/jobs.ts'
import { sweepObjects } from '../work/storage/jobs.ts'
import { cleaning } from './cleaning.ts'
import { templates } from './notices/notices.ts'
import { reminders } from './reminders.ts'

export const jobs = {
  answer_forgotten_password: answerForgottenPassword,
  mail_invitation: mailInvitation,
  mail_notice: noticeMailer(templates),
  send_push: sendPush,
  make_pdf_archive: makePdfArchive,
  forget_app_opens: forgetAppOpensFrom,
  sweep_objects: sweepObjects,
  clean_up: cleaningUp(cleaning),
  prepare_months: prepareMonths,
  free_lost_jobs: freeLostJobs,
  seal_ledger: sealLedger,
  note_seal: noteSeal,
  note_health: noteHealth,
  expire_grants: expireGrants,
  follow_access_requests: followAccessRequests,
  tell_of_lapses: tellOfLapses,
  close_access_review: closeAccessReview,
  watch_access_reviews: watchAccessReviews,
  watch_providers: watchProviders,
  watch_webhooks: watchWebhooks,
  watch_audit_stream: watchAuditStream,
  apply_import: applyImport,
  watch_imports: watchImports,
  remind: reminding(reminders),
  lay_out_calendars: layOutCalendars,
  end_order_waits: endOrderWaits,
  follow_order_approvals: followApprovals,
}

export const schedule = `
22 * * * * sweep_objects
*/10 * * * * clean_up
12 3 * * * prepare_months
* * * * * free_lost_jobs
* * * * * seal_ledger
5 0 * * * note_seal
*/10 * * * * note_health
* * * * * expire_grants
* * * * * follow_access_requests
* * * * * watch_access_reviews
* * * * * watch_providers
* * * * * watch_webhooks
* * * * * watch_audit_stream
* * * * * watch_imports
* * * * * end_order_waits
* * * * * follow_order_approvals
* * * * * remind
32 2 * * * lay_out_calendars
`

declare module '../platform/registry.ts' {
  interface Registry {
    jobs: typeof jobs
  }
}
