/** The text of an own note while it is typed: stored on the device until it is saved, and never saved over a change made elsewhere. */
import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { api, ifMatch, isReached, versionOf } from '../../platform/client.ts'
import { draft } from '../../platform/drafts.ts'
import { Refusal, Unreached } from '../../platform/refusal.ts'
import { type Note, ownNote, showNote } from './data.ts'

export interface Text {
  title: string
  content: string
}

/** The typed text, and the version it is based on. */
export interface Typed extends Text {
  /** The saved note when typing began, or when it was last saved, with its version. */
  from: Text
  version?: string | undefined
  /** The text sent in the last save. It may differ from `from`, because the portal trims it. */
  sent: Text
  /** A text that was sent but not answered: the portal may have saved it. */
  tried?: Text | undefined
}

export const textOf = ({ title, content }: Text): Text => ({ title, content })
export const isSame = (one: Text, other: Text) => one.title === other.title && one.content === other.content
/** Whether the portal may lack the typed text. */
const isUnsaved = (typed: Typed) => typed.tried !== undefined || !isSame(typed, typed.sent)
/** Whether a saved note has a typed text, as the portal trims it. */
const hasText = (note: Text, typed: Text | undefined) =>
  typed !== undefined && isSame(note, { title: typed.title.trim(), content: typed.content.trim() })

const SAVE_AFTER_MS = 1200
const AGAIN_MS = 5000

export const draftOf = (id: number) => draft<Typed | null>(`note:${id}`, null)

export type State = 'saved' | 'typed' | 'saving' | 'unreached' | 'blank' | 'conflict' | Refusal

export function useEditing(note: Note, isShared: boolean) {
  const { id } = note
  const mine = ownNote(id)
  const kept = useMemo(() => draftOf(id), [id])
  const isSaving = useSignal(false)
  const failure = useSignal<'unreached' | Refusal | undefined>(undefined)
  const isBusy = useRef(false)

  const typed = kept.value.value ?? undefined
  const isChanged = typed !== undefined && isUnsaved(typed)
  const isConflict = isChanged && !isSame(note, typed.from) && !hasText(note, typed) && !hasText(note, typed.tried)
  const isBlank = isChanged && typed.title.trim() === '' && typed.content.trim() === ''
  const text: Text = typed && (isChanged || isSame(note, typed.from)) ? typed : note

  const type = (change: Partial<Text>) => {
    failure.value = undefined
    const base =
      isChanged || (typed && isSame(note, typed.from))
        ? typed!
        : { ...textOf(note), from: textOf(note), version: mine.version, sent: textOf(note) }
    kept.value.value = { ...base, ...change }
  }

  /** Saves the text. Returns whether this call saved it; false also if there was nothing to save. */
  async function save(): Promise<boolean> {
    const now = kept.value.peek()
    if (!now || isBusy.current || !isUnsaved(now) || (now.title.trim() === '' && now.content.trim() === '')) return false
    isBusy.current = true
    isSaving.value = true
    failure.value = undefined
    const keep = (change: Partial<Typed>) => {
      const later = kept.value.peek()
      if (later) kept.value.value = { ...later, ...change }
    }
    const end = (saved: Note, version: string | undefined) => {
      keep({ from: textOf(saved), version, sent: textOf(now), tried: undefined })
      showNote(saved)
      return true
    }
    try {
      let { from } = now
      // If an answer was lost, only the note itself shows whether it was saved.
      let version = now.tried ? undefined : now.version
      for (;;) {
        // A note from the cache has no version, and a refused save needs the newest one. If only the colour was changed elsewhere, the
        // texts are equal, and the text is saved.
        if (!version) {
          await mine.refresh()
          if (mine.error) throw mine.error
          version = mine.version
        }
        const there = mine.peek() ?? note
        if (!isSame(there, from)) {
          if (hasText(there, now)) return end(there, version)
          if (!hasText(there, now.tried)) return false
          from = textOf(there)
          keep({ from, version })
        }
        keep({ tried: textOf(now) })
        const saved = await patch(id, now, version).catch((failed) => {
          if (!(failed instanceof Refusal && failed.code === 'changed_meanwhile')) throw failed
          keep({ tried: undefined })
        })
        if (saved) return end(saved.note, saved.version)
        version = undefined
      }
    } catch (failed) {
      failure.value = failed instanceof Refusal ? failed : 'unreached'
      if (!(failed instanceof Refusal || failed instanceof Unreached)) throw failed
      return false
    } finally {
      isBusy.current = false
      isSaving.value = false
    }
  }

  const isHere = isReached.value
  const isLost = failure.value === 'unreached'
  useEffect(() => {
    if (!isChanged || isConflict || isSaving.value || failure.value instanceof Refusal || (isShared && !isLost)) return
    const timer = setTimeout(save, isLost && !isHere ? AGAIN_MS : SAVE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [typed, isConflict, isShared, isHere, isLost, isSaving.value])

  // When the note is closed, drop the draft of a text that is saved.
  const forget = useRef(() => {})
  forget.current = () => {
    if (typed && !isChanged) kept.drop()
  }
  useEffect(() => () => forget.current(), [])

  const state: State = isConflict
    ? 'conflict'
    : isSaving.value
      ? 'saving'
      : (failure.value ?? (isBlank ? 'blank' : isChanged ? 'typed' : 'saved'))
  return { text, type, save, state, kept, isBlank, isUnsaved: isChanged, forget: () => forget.current() }
}

async function patch(id: number, { title, content }: Text, version: string | undefined) {
  const call = api.PATCH('/notes/{id}', { params: { path: { id } }, body: { title, content }, headers: ifMatch(version) })
  const { data, response } = await call
  return { note: data!, version: versionOf(response) }
}
