/** Tells administrators of active sources that are silent, once for each silence, and of those whose calls are refused, once a day. */
import { sql } from 'kysely'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { usualRefusals } from '../../platform/http/source-refusals.ts'
import type { Due, Reminders } from '../../platform/jobs/reminders.ts'

/** The number of refused calls within a day from which administrators are told. */
const MANY = 20

const announcing = (news: 'silent' | 'refused') => async (tx: Tx, due: readonly Due[]) => {
  const ids = due.map(({ subjectId }) => subjectId)
  const sources = await tx.selectFrom('provisioningSources').select(['id', 'name']).where('id', 'in', ids).orderBy('id').execute()
  return sources.map(({ id, name }): Change => ({ kind: 'source.announced', targetId: id, facts: { name, news } }))
}

/** A silence begins with the last call or, before the first one, when a token was made, but not before the source was switched on. */
const silent: Reminders = {
  name: 'source_silent',
  planned: sql`
    select id as subject_id, 0 as object_id, began_at as deadline, 0 as days, began_at + interval '24 hours' as due_at
    from provisioning_sources cross join lateral (
      select greatest(max(coalesce(last_used_at, api_tokens.created_at)), last_call_at, (
          select max(at) from ledger
          where target_type = 'source' and target_id = provisioning_sources.id and kind = 'source.updated'
            and facts #> '{changed,isActive,to}' = 'true')) as began_at
      from api_tokens where api_tokens.user_id = provisioning_sources.user_id having count(*) > 0) as silence
    where is_active`,
  changes: announcing('silent'),
}

const refused: Reminders = {
  name: 'source_refused',
  planned: sql`
    select id as subject_id, 0 as object_id, statement_timestamp() as deadline, 0 as days, statement_timestamp() as due_at
    from provisioning_sources
    where is_active and ${MANY} <= (
        select count(*) from source_refusals
        where source_id = provisioning_sources.id and at > statement_timestamp() - interval '24 hours' and code <> all(${usualRefusals}::text[]))
      and not exists (
        select from reminders
        where kind = 'source_refused' and subject_id = provisioning_sources.id and sent_at > statement_timestamp() - interval '24 hours')`,
  changes: announcing('refused'),
}

export const sourceReminders = [silent, refused]
