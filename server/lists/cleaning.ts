/**
 * How long the portal keeps temporary rows. A row of the table `name` is deleted once the moment in `column` is longer ago than `after`.
 */
import { forgetUnprovenSecrets } from '../identity/factors/jobs.ts'
import type { Cleaning, OldRows } from '../platform/jobs/cleaning.ts'
import { forgetExcessKeys, forgetOldEvents } from '../platform/jobs/upkeep.ts'
import { forgetOldSecurityEvents } from '../record/audit-stream/jobs.ts'
import { endOldPushes } from '../work/push/jobs.ts'

/** SQL: whether the subject of a reminder goes on. Some subjects last longer than sent reminders are kept. */
const LASTS = `case
  when kind = 'order_due' then exists (select from orders where id = subject_id and status in ('pending', 'received', 'preparing'))
  when kind in ('access_review', 'access_review_unjudged')
    then exists (select from access_reviews where id = subject_id and status = 'open')
  when kind = 'source_silent' then exists (select from provisioning_sources where id = subject_id and is_active)
  else false end`

export const cleaning: readonly (OldRows | Cleaning)[] = [
  { name: 'deletions', column: 'deleted_at', after: '30 seconds' },
  { name: 'presences', column: 'seen_at', after: '10 minutes' },
  { name: 'rate_limits', column: 'expires_at', after: '0' },
  // `until` comes from the clock of an instance, which may be behind: hence the extra hour.
  { name: 'used_once', column: 'until', after: '1 hour' },
  { name: 'provider_tries', column: 'until', after: '0' },
  { name: 'provider_counts', column: 'hour', after: '2 days' },
  { name: 'source_deactivations', column: 'at', after: '2 hours' },
  { name: 'held_deactivations', column: 'at', after: '1 day' },
  { name: 'totp', clean: forgetUnprovenSecrets },
  { name: 'events', clean: forgetOldEvents },
  { name: 'idempotency_keys', column: 'created_at', after: '24 hours' },
  { name: 'excess idempotency_keys', clean: ({ db }) => forgetExcessKeys(db.writes) },
  // Before the sessions: deleting those would delete the subscriptions, too, but record nothing.
  { name: 'push_subscriptions', clean: endOldPushes },
  // Ended sessions stay for a day, so that their streams can give the reason.
  { name: 'sessions', column: 'coalesce(ended_at, expires_at)', after: '1 day' },
  // Counted from when the delivery was due, or was completed or given up.
  { name: 'webhook_deliveries', column: 'coalesce(next_at, settled_at)', after: '30 days' },
  { name: 'security_events', clean: forgetOldSecurityEvents },
  { name: 'user_imports', column: `case when state <> 'applying' then expires_at end`, after: '0' },
  { name: 'devices', column: 'known_at', after: '1 year' },
  // Unread notifications stay.
  { name: 'notifications', column: 'read_at', after: '90 days' },
  // A deleted reminder would be sent again if its subject had not ended. No deadline is more than 400 days after its first reminder, but an
  // order or a review may stay open for longer, and a source may be silent for longer.
  { name: 'reminders', column: 'sent_at', after: '400 days', unless: LASTS },
]
