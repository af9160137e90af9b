import './presence.css'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { answer, api, type Schemas } from '../../../platform/client.ts'
import { isolated, nameOf } from '../../../platform/language.ts'
import { onEvent } from '../../../platform/live.ts'
import { Avatar } from '../avatar.tsx'
import { t } from './texts.ts'

/** Another person who has the same record open; `editing`: with unsaved changes. */
export type Present = Schemas['PersonPresent']

const nobody: readonly Present[] = []
/** How often a page renews its presence. Without renewal, the portal drops it after 45 seconds. */
const AGAIN_MS = 20_000
/** The most faces shown. The number of further people follows them. */
const FACES = 4

/** The kinds of things with presence: a record of the administration, a meeting, or a day of meetings. */
type Kind = Schemas['RecordPresence']['targetType'] | 'meeting' | 'meeting_day'

function beThere(kind: Kind, at: number | string, editing: boolean) {
  if (kind === 'meeting') return api.PUT('/executive-meetings/presence', { body: { meetingId: Number(at), editing } })
  if (kind === 'meeting_day') return api.PUT('/executive-meetings/presence', { body: { date: String(at), editing } })
  return api.PUT('/admin/presence', { body: { targetType: kind, targetId: Number(at), editing } })
}

/**
 * Reports that the person has a record or a day open; `at` is the id of the record or the date. Returns the other people who have it open.
 */
export function usePresence(kind: Kind, at: number | string, editing: boolean) {
  const place = `${kind} ${at}`
  const others = useSignal<{ place: string; people: readonly Present[] }>({ place, people: [] })
  useEffect(() => {
    let isCurrent = true
    const renew = () => {
      if (document.visibilityState === 'hidden') return
      answer(beThere(kind, at, editing)).then(
        (found) => {
          if (isCurrent) others.value = { place, people: found }
        },
        // A report that fails does no harm: the next one follows soon.
        () => {},
      )
    }
    renew()
    const timer = setInterval(renew, AGAIN_MS)
    return () => {
      isCurrent = false
      clearInterval(timer)
    }
  }, [kind, at, editing])
  useEffect(
    () =>
      onEvent('presence_changed', ({ targetType, targetId, date, people }) => {
        if (targetType === kind && (targetId ?? date) === at) others.value = { place, people }
      }),
    [kind, at],
  )
  return others.value.place === place ? others.value.people : nobody
}

/** The faces of other people who have the record open. A blue face means that the person has unsaved changes. */
export function Faces({ of }: { of: readonly Present[] }) {
  if (of.length === 0) return null
  const shown = of.slice(0, FACES)
  const names = shown.map(({ user, editing }) => (editing ? t.alsoEditing : t.alsoHere)(isolated(nameOf(user))))
  const all = [...names, ...(of.length > FACES ? [t.othersHere(of.length - FACES)] : [])]
  return (
    <span class="faces" role="img" aria-label={all.join(t.comma)}>
      {shown.map(({ user, editing }) => (
        <span key={user.id} class="faces-one" data-editing={editing || undefined}>
          <Avatar person={user} size={32} />
        </span>
      ))}
    </span>
  )
}
