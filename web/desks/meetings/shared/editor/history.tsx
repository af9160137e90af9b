import { useMemo } from 'preact/hooks'
import { usePages } from '../../../../parts/lists/pages.tsx'
import { type Entry, History } from '../../../../parts/show/history/history.tsx'
import { t as words } from '../../../../parts/show/log/texts.ts'
import { written } from '../../../../parts/show/log/written.ts'
import { Loaded } from '../../../../parts/show/skeleton.tsx'
import { invalidate } from '../../../../platform/cache.ts'
import type { Schemas } from '../../../../platform/client.ts'
import { isolated, listed, nameOf } from '../../../../platform/language.ts'
import { noteOwn } from '../own.ts'
import { puttingBack } from '../putting-back.ts'
import { standing } from '../standing.ts'
import { historyOf } from './data.ts'
import { t } from './texts.ts'

type Change = Schemas['MeetingAuditEntry']

/** The names of fields inside a sentence. Fields without a name are left out. */
const labels = (): Partial<Record<string, string>> => ({
  ...{
    titleAr: t.titleAr,
    titleEn: t.titleEn,
    date: t.date,
    startTime: t.start,
    endTime: t.end,
    locationAr: t.place,
    locationEn: t.placeEn,
  },
  ...{ meetingUrl: t.link, notes: t.notes, isHighlighted: t.highlight, attendees: t.attendees, status: t.status },
})

const labelOf = (field: string) => labels()[field] ?? field

/** A value as comparable text, without ids: attendees get new ids whenever one of them changes. */
const comparable = (value: unknown) => JSON.stringify(value, (key, one) => (key === 'id' ? undefined : one))
const changedFields = ({ before, after }: Change) =>
  Object.keys(labels()).filter((field) => comparable(before?.[field]) !== comparable(after?.[field]))

function entryOf(change: Change): Entry {
  const { id, createdAt, actor, action } = change
  const by = isolated(actor ? nameOf(actor) : t.portal)
  const sentence = t.history[action as keyof typeof t.history] ?? t.history.update
  return { id, createdAt, actor, sentence: sentence(by, listed(changedFields(change).map(labelOf))), isFixed: action !== 'update' }
}

/** The changes that a revert would make, field by field. */
const goingBack = (change: Change) =>
  changedFields(change).flatMap((field) => {
    const [is, was] = [written(field, change.after?.[field]), written(field, change.before?.[field])]
    return is === undefined || was === undefined ? [] : words.goesBack(labelOf(field), is, was)
  })

/** The changes of a meeting, in sentences. */
export function MeetingHistory({ id }: { id: number }) {
  const { first, rows, more } = usePages({
    of: (offset) => historyOf(id, offset),
    rows: ({ entries }) => entries,
    id: (change) => change.id,
  })
  const putBack = useMemo(
    () =>
      puttingBack(labelOf, written, () => {
        noteOwn(id)
        invalidate('/executive-meetings/audit-logs', '/executive-meetings/{id}')
      }),
    [id],
  )
  const withFields = {
    ...putBack,
    preview: async (entry: Entry) => {
      const change = rows.find((one) => one.id === entry.id)
      return { ...(await putBack.preview(entry)), fields: change ? goingBack(change) : [] }
    },
  }
  return (
    <Loaded of={first}>
      {() => (
        <History entries={rows.map(entryOf)} {...(standing.data?.canMutate && { putBack: withFields })}>
          {more}
        </History>
      )}
    </Loaded>
  )
}
