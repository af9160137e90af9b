import { useSignal } from '@preact/signals'
import { Button } from '../../../parts/button.tsx'
import { type Entry, History } from '../../../parts/history/history.tsx'
import { Loaded } from '../../../parts/skeleton.tsx'
import type { Schemas } from '../../../platform/client.ts'
import { isolated, listed, nameOf } from '../../../platform/language.ts'
import { historyOf } from './data.ts'
import { t } from './texts.ts'

type Change = Schemas['MeetingAuditEntry']

/** What fields are called in a sentence; what none has a name for says nothing. */
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

function changedFields({ before, after }: Change) {
  const named = labels()
  return Object.keys({ ...before, ...after })
    .filter((field) => JSON.stringify(before?.[field]) !== JSON.stringify(after?.[field]))
    .flatMap((field) => named[field] ?? [])
}

function entryOf(change: Change): Entry {
  const { id, createdAt, actor, action } = change
  const by = isolated(actor ? nameOf(actor) : t.portal)
  const told = t.history[action as keyof typeof t.history] ?? t.history.update
  return { id, createdAt, actor, sentence: told(by, listed(changedFields(change))) }
}

/** What became of a meeting, in sentences. */
export function MeetingHistory({ id }: { id: number }) {
  const offsets = useSignal<readonly number[]>([0])
  const pages = offsets.value.map((offset) => historyOf(id, offset))
  const last = pages.at(-1)!
  return (
    <Loaded of={pages[0]!}>
      {() => (
        <History entries={pages.flatMap((page) => page.data?.entries ?? []).map(entryOf)}>
          {last.data?.nextOffset != null && (
            <Button
              isBusy={last.isFetching}
              onClick={() => {
                offsets.value = [...offsets.value, last.data!.nextOffset!]
              }}
            >
              {t.more}
            </Button>
          )}
        </History>
      )}
    </Loaded>
  )
}
