/** Notifications as a part of what is recorded: one for each person told, the pushes to their browsers, and the event that shows it. */
import { sql } from 'kysely'
import type { Notice } from '../platform/changes/change-kind.ts'
import type { TemplateName } from '../platform/changes/listed.ts'
import type { People } from '../platform/changes/recipients.ts'
import type { EventRows, WriteNotices } from '../platform/changes/record.ts'
import { type Part, part } from '../platform/changes/statement.ts'
import { jsonMoment, jsonObject } from '../platform/database/json.ts'
import { leavePushes } from '../push/queries.ts'
import type { NoticeTexts } from './shapes.ts'

type Texts = Record<TemplateName, NoticeTexts>

/** A text with its parameters, which the type of the notice demands. */
const fill = (text: string | null, params: Record<string, string>) =>
  text?.replace(/\{(\w+)\}/g, (_, word: string) => params[word]!) ?? null

export const noticeWriter =
  (texts: Texts): WriteNotices =>
  (notices, people) => {
    const told = selectTold(notices, texts, people)
    const living = holdLiving(told)
    const notified = insertNotifications(told, living)
    return { parts: [told, living, notified, leavePushes(notified)], events: selectCreated(notified) }
  }

const TEXTS = ['type', 'title_ar', 'title_en', 'body_ar', 'body_en', 'related_type', 'related_id']

/** A row for each person that each notice tells. */
function selectTold(notices: Notice[], texts: Texts, people: People): Part {
  const lines = notices.map(({ recipients, template, params, ...rest }) => ({
    ...rest,
    titleAr: fill(texts[template].titleAr, params.ar),
    titleEn: fill(texts[template].titleEn, params.en),
    bodyAr: fill(texts[template].bodyAr, params.ar),
    bodyEn: fill(texts[template].bodyEn, params.en),
    ...people.address(recipients),
  }))
  return part(
    'told',
    ['user_id', ...TEXTS],
    sql`
      select unnest(coalesce(line.ids, ${people.part.name}.ids)),
        type, "titleAr", "titleEn", "bodyAr", "bodyEn", "relatedType", "relatedId"
      from json_to_recordset(${JSON.stringify(lines)}::json)
        as line (type text, "titleAr" text, "titleEn" text, "bodyAr" text, "bodyEn" text, "relatedType" text, "relatedId" int, ids int[], query int)
      left join ${people.part.name} on ${people.part.name}.place = line.query`,
  )
}

/** Whoever was deleted meanwhile is told nothing; the others stay until the transaction ends. */
const holdLiving = (told: Part) =>
  part('living', ['user_id'], sql`select id from users where id in (select user_id from ${told.name}) order by id for key share`)

const NOTIFICATION = ['id', 'user_id', ...TEXTS, 'is_read', 'created_at']

const insertNotifications = (told: Part, living: Part) =>
  part(
    'notified',
    NOTIFICATION,
    sql`
      insert into notifications (user_id, ${columns(TEXTS)})
      select user_id, ${columns(TEXTS)} from ${told.name} join ${living.name} using (user_id)
      returning ${columns(NOTIFICATION)}`,
  )

const columns = (names: readonly string[]) => sql.join(names.map((name) => sql.id(name)))

/** A notification as the wire has it, with its fields in the order of their shape. */
const notificationJson = sql.raw(
  jsonObject({
    id: 'id',
    userId: 'user_id',
    type: 'type',
    titleAr: 'title_ar',
    titleEn: 'title_en',
    bodyAr: 'body_ar',
    bodyEn: 'body_en',
    relatedType: 'related_type',
    relatedId: 'related_id',
    isRead: 'is_read',
    createdAt: jsonMoment('created_at'),
  }),
)

const selectCreated = (notified: Part): EventRows => sql`
  select id::bigint as rank, 'notification_created' as event, json_build_object('notification', ${notificationJson}) as data,
    array[user_id] as recipients, null::int[] as sessions
  from ${notified.name}`
