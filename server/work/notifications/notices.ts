/**
 * The part of `record()`’s statement that writes notifications, the pushes to browsers, the mails and the events that show notifications,
 * and that marks settled notifications as read, with their event.
 */
import { sql } from 'kysely'
import type { Settled } from '../../platform/changes/change-kind.ts'
import type { RelatedType, TemplateName } from '../../platform/changes/listed.ts'
import type { People } from '../../platform/changes/recipients.ts'
import type { EventRows, SentNotice, WriteNotices } from '../../platform/changes/record.ts'
import { type Cte, part } from '../../platform/changes/statement.ts'
import { jsonMoment, jsonObject } from '../../platform/database/json.ts'
import { MAIL_TRIES } from '../../platform/jobs/runner.ts'
import { namingRecord, orderOpeners } from './queries.ts'
import type { NoticeTexts } from './shapes.ts'

type Templates = Record<TemplateName, NoticeTexts>

/** A text in which each `{name}` is replaced by its value. The type of the notice demands all values. */
const fill = (text: string | null, params: Record<string, string>) =>
  text?.replace(/\{(\w+)\}/g, (_, word: string) => params[word]!) ?? null

export const noticeWriter =
  (templates: Templates): WriteNotices =>
  (notices, settled, people) => {
    const parts: Cte[] = []
    const events: EventRows[] = []
    if (notices.length) {
      const addressed = addressNotices(notices, templates, people)
      const living = lockActivePeople(addressed)
      const notified = insertNotifications(addressed, living)
      parts.push(addressed, living, notified, leavePushes(notified))
      if (notices.some(({ template }) => templates[template].mailed)) parts.push(addMails(addressed, living))
      const types = new Set(notices.map(({ relatedType }) => relatedType))
      const openers = types.has('order') ? findOpeners(notified) : null
      if (openers) parts.push(openers)
      events.push(selectCreated(notified, [...types].filter((type) => type !== null).toSorted(), openers))
    }
    if (settled.length) {
      const done = settle(settled)
      parts.push(done)
      events.push(selectRead(done))
    }
    return { parts, events }
  }

const TEXTS = ['type', 'title_ar', 'title_en', 'body_ar', 'body_en', 'related_type', 'related_id', 'template', 'read_at']

/** A row for each recipient of each notice. Notifications of one's own act are read from the start. */
function addressNotices(notices: SentNotice[], templates: Templates, people: People): Cte {
  const lines = notices.map(({ recipients, template, params, ...rest }) => ({
    ...rest,
    template,
    mail: templates[template].mailed ? params : undefined,
    titleAr: fill(templates[template].titleAr, params.ar),
    titleEn: fill(templates[template].titleEn, params.en),
    bodyAr: fill(templates[template].bodyAr, params.ar),
    bodyEn: fill(templates[template].bodyEn, params.en),
    ...people.address(recipients),
  }))
  return part(
    'addressed',
    ['user_id', ...TEXTS, 'mail'],
    sql`
      select person, type, "titleAr", "titleEn", "bodyAr", "bodyEn", "relatedType", "relatedId", template,
        case when person = "authorId" then now() end, mail
      from json_to_recordset(${JSON.stringify(lines)}::json)
        as line (type text, "titleAr" text, "titleEn" text, "bodyAr" text, "bodyEn" text, "relatedType" text, "relatedId" int,
          template text, "authorId" int, mail json, ids int[], query int)
      left join ${people.part.name} on ${people.part.name}.place = line.query
      cross join unnest(coalesce(line.ids, ${people.part.name}.ids)) as person`,
  )
}

/** Skips deleted accounts and programs among the recipients, and locks the rest against deletion until the transaction ends. */
const lockActivePeople = (addressed: Cte) =>
  part(
    'living',
    ['user_id'],
    sql`select id from users where id = any(array(select user_id from ${addressed.name})) and kind = 'person' order by id for key share`,
  )

const NOTIFICATION = ['id', 'user_id', ...TEXTS, 'is_read', 'created_at']
const insertNotifications = (addressed: Cte, living: Cte) =>
  part(
    'notified',
    NOTIFICATION,
    sql`
      insert into notifications (user_id, ${columns(TEXTS)})
      select user_id, ${columns(TEXTS)} from ${addressed.name} join ${living.name} using (user_id)
      returning ${columns(NOTIFICATION)}`,
  )
/** Stores a push to each browser of the people for whom the notification is unread; `push/hand-over.ts` moves it to the job queue. */
const leavePushes = (notified: Cte) =>
  part(
    'pushed',
    [],
    sql`
      insert into pushes (notification_id, subscription_id)
      select ${notified.name}.id, push_subscriptions.id from ${notified.name} join push_subscriptions using (user_id) where not is_read`,
  )

/** Adds the jobs that mail the notices. Such a job ends at once if no mail is set up. */
const addMails = (addressed: Cte, living: Cte): Cte => ({
  ...part(
    'mailed',
    ['job'],
    sql`
      select graphile_worker.add_job('mail_notice', json_build_object('userId', user_id, 'template', template, 'params', mail),
        max_attempts => ${sql.lit(MAIL_TRIES)})
      from ${addressed.name} join ${living.name} using (user_id) where mail is not null`,
  ),
  isCalled: true,
})

const columns = (names: readonly string[]) => sql.join(names.map((name) => sql.id(name)))

/** The recipients who read the order that they are notified of, found once for all recipients of an order. */
const findOpeners = (notified: Cte) =>
  part(
    'openers',
    ['order_id', 'ids'],
    sql`
      select related_id, ${sql.raw(orderOpeners('array_agg(user_id)'))} from ${notified.name} where related_type = 'order' group by related_id`,
  )

/** Events with the notifications as JSON, with their fields in the order of their shape. */
function selectCreated(notified: Cte, types: RelatedType[], openers: Cte | null): EventRows {
  const { access, ...record } = namingRecord({ person: 'user_id', types, openers: 'openers.ids' })
  const notification = jsonObject({
    id: 'id',
    userId: 'user_id',
    type: 'type',
    titleAr: 'title_ar',
    titleEn: 'title_en',
    bodyAr: 'body_ar',
    bodyEn: 'body_en',
    ...record,
    isRead: 'is_read',
    createdAt: jsonMoment('created_at'),
  })
  const withOpeners = openers ? sql`left join ${openers.name} on related_type = 'order' and openers.order_id = related_id` : sql``
  return sql`
    select id::bigint as rank, 'notification_created' as event, json_build_object('notification', ${sql.raw(notification)}) as data,
      array[user_id] as recipients, null::int[] as sessions
    from ${notified.name} ${withOpeners} cross join lateral ${sql.raw(access)} as access`
}

/** Marks settled notifications as read, except those of this very statement, which does not see its own writes. */
const settle = (settled: Settled[]) =>
  part(
    'settled',
    ['id', 'user_id'],
    sql`
      update notifications set read_at = now() where read_at is null and id = any(array(
        select id from notifications where read_at is null and id = any(array(
          select about.id from json_to_recordset(${JSON.stringify(settled)}::json) as line ("relatedType" text, "relatedId" int, template text)
          cross join lateral (
            select id from notifications
            where read_at is null and related_type = line."relatedType" and related_id = line."relatedId"
              and (line.template is null or template = line.template) offset 0) as about))
        order by id for update))
      returning id, user_id`,
  )

const selectRead = (settled: Cte): EventRows => sql`
  select user_id::bigint as rank, 'notifications_read' as event, json_build_object('ids', json_agg(id order by id)) as data,
    array[user_id] as recipients, null::int[] as sessions
  from ${settled.name} group by user_id`
