import './presence.css'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { answer, api, type Schemas } from '../../platform/client.ts'
import { isolated, nameOf } from '../../platform/language.ts'
import { hear } from '../../platform/live.ts'
import { Avatar } from '../avatar.tsx'
import { t } from './texts.ts'

/** Somebody else who has the same record open; `editing`: with changes that are not saved. */
export type Present = Schemas['PersonPresent']

/** The portal forgets who has not said so again for 45 seconds. */
const AGAIN_MS = 20_000
/** So many faces are shown; of more there is a number. */
const FACES = 4

/** What people are present at: a record of the administration, a meeting, or a day of meetings. */
type Kind = Schemas['RecordPresence']['targetType'] | 'meeting' | 'meeting_day'

function beThere(kind: Kind, at: number | string, editing: boolean) {
  if (kind === 'meeting') return api.PUT('/executive-meetings/presence', { body: { meetingId: Number(at), editing } })
  if (kind === 'meeting_day') return api.PUT('/executive-meetings/presence', { body: { date: String(at), editing } })
  return api.PUT('/admin/presence', { body: { targetType: kind, targetId: Number(at), editing } })
}

/** Says that the person has something open, by its id or of a day by its date, and answers who else has. */
export function usePresence(kind: Kind, at: number | string, editing: boolean) {
  const others = useSignal<readonly Present[]>([])
  useEffect(() => {
    const tell = () => {
      if (document.visibilityState === 'hidden') return
      answer(beThere(kind, at, editing)).then(
        (found) => {
          others.value = found
        },
        // Nothing depends on it.
        () => {},
      )
    }
    tell()
    const timer = setInterval(tell, AGAIN_MS)
    return () => clearInterval(timer)
  }, [kind, at, editing])
  useEffect(
    () =>
      hear('presence_changed', ({ targetType, targetId, date, people }) => {
        if (targetType === kind && (targetId ?? date) === at) others.value = people
      }),
    [kind, at],
  )
  return others.value
}

/** The faces of everyone else who has the record open, at the head of its page; blue: with unsaved changes. */
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
