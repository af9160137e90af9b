/** The recorder of changes, and the hooks for people who lose rights, made with the lists of this folder. */

import { unentitledIn } from '../platform/changes/deletion-hooks.ts'
import { recorder } from '../platform/changes/record.ts'
import { entriesEvent } from '../record/audit/news.ts'
import { eventPayloads } from '../site/events/shapes.ts'
import { noticeWriter } from '../work/notifications/notices.ts'
import { changeKinds } from './changes.ts'
import { deletionHooks } from './deletion-hooks.ts'
import { templates } from './notices/notices.ts'

export const record = recorder({ changeKinds, events: eventPayloads, writeNotices: noticeWriter(templates), entriesEvent })

/** The hooks that take things back from people who have lost the right to them. */
export const unentitled = unentitledIn(deletionHooks)
