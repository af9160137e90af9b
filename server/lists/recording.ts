/** Records changes, and takes back what people may no longer hold, with the lists of this folder. */

import { unentitledIn } from '../platform/changes/deletion-hooks.ts'
import { recorder } from '../platform/changes/record.ts'
import { entriesEvent } from '../record/audit/news.ts'
import { eventPayloads } from '../site/events/shapes.ts'
import { noticeWriter } from '../work/notifications/notices.ts'
import { changeKinds } from './changes.ts'
import { deletionHooks } from './deletion-hooks.ts'
import { templates } from './notices/notices.ts'

export const record = recorder({ changeKinds, events: eventPayloads, writeNotices: noticeWriter(templates), entriesEvent })

/** Takes back what people may no longer hold. */
export const unentitled = unentitledIn(deletionHooks)
