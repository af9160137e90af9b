import './presence.css'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Avatar } from '../../parts/avatar.tsx'
import { answer, api, type Schemas } from '../../platform/client.ts'
import { isolated, nameOf } from '../../platform/language.ts'
import { hear } from '../../platform/live.ts'
import type { Target } from './directory.ts'
import { t } from './texts.ts'

/** Somebody else who has the same record open; `editing`: with changes that are not saved. */
export type Present = Schemas['PersonPresent']

/** The portal forgets who has not said so again for 45 seconds. */
const AGAIN_MS = 20_000
/** So many faces are shown; of more there is a number. */
const FACES = 4

/** Says that the person has a record open, and answers who else has. */
export function usePresence(targetType: Target, targetId: number, editing: boolean) {
  const others = useSignal<readonly Present[]>([])
  useEffect(() => {
    const tell = () => {
      if (document.visibilityState === 'hidden') return
      answer(api.PUT('/admin/presence', { body: { targetType, targetId, editing } })).then(
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
  }, [targetType, targetId, editing])
  useEffect(
    () =>
      hear('presence_changed', (place) => {
        if (place.targetType === targetType && place.targetId === targetId) others.value = place.people
      }),
    [targetType, targetId],
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
