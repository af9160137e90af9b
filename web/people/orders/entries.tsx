import { exactly, longDay, timeOfDay } from '../../platform/dates.ts'
import { isolated, named, nameOf } from '../../platform/language.ts'
import { at } from '../../platform/router.ts'
import { me } from '../../platform/session.ts'
import type { Entry } from './talk-data.ts'
import { t } from './talk-texts.ts'

const nameIn = (person: Entry['by']) => (person ? isolated(nameOf(person)) : t.portal)

function sentence({ kind, by, to, assignee, team }: Entry) {
  const who = nameIn(by)
  switch (kind) {
    case 'assigned':
      return t.done.assigned(who, nameIn(assignee))
    case 'transferred':
      return t.done.transferred(who, team ? isolated(named(team)) : '')
    case 'moved':
      return to === 'preparing' || to === 'completed' ? t.done[to](who) : t.done.moved(who)
    case 'resumed':
      return t.done.resumed
    case 'message':
    case 'internal_note':
      return ''
    default:
      return t.done[kind](who)
  }
}

function Text({ entry: { by, text, files }, orderId }: { entry: Entry; orderId: number }) {
  return (
    <>
      <p class="small quiet">
        <bdi>{by && by.id === me.value?.id ? t.you : nameIn(by)}</bdi>
      </p>
      {text && (
        <p class="orders-text" dir="auto">
          {text}
        </p>
      )}
      {files.map(({ id, name }) => (
        <a key={id} class="link" href={at(`/api/orders/${orderId}/files/${id}`)} target="_blank" rel="noopener">
          <bdi>{name}</bdi>
        </a>
      ))}
    </>
  )
}

/** Entries of the timeline, the oldest first, grouped under their days. */
export function Entries({ entries, orderId, label }: { entries: readonly Entry[]; orderId: number; label: string }) {
  let day = ''
  return (
    <ol class="orders-entries" aria-label={label} aria-live="polite" aria-relevant="additions">
      {entries.map((entry) => {
        const isText = entry.kind === 'message' || entry.kind === 'internal_note'
        const itsDay = longDay(entry.at)
        const isNewDay = itsDay !== day
        day = itsDay
        return (
          <li key={entry.id} data-kind={entry.kind} data-mine={(isText && entry.by?.id === me.value?.id) || undefined}>
            {isNewDay && <p class="orders-entry-day small quiet">{itsDay}</p>}
            <div class={isText ? 'orders-said' : 'orders-done small'}>
              {isText ? <Text entry={entry} orderId={orderId} /> : <span dir="auto">{sentence(entry)}</span>}
              {entry.reason && <span>{t.because(isolated(entry.reason))}</span>}
              <time class="small quiet" dateTime={entry.at} title={exactly(entry.at)}>
                {timeOfDay(entry.at)}
              </time>
            </div>
          </li>
        )
      })}
    </ol>
  )
}
