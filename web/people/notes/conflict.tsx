import { say } from '../../parts/overlay/toasts.tsx'
import { Button } from '../../parts/show/button.tsx'
import { sayFailure } from '../../parts/show/failures.ts'
import type { Draft } from '../../platform/drafts.ts'
import { go } from '../../platform/router.ts'
import { changeNote, createNote, type Note, ownNote } from './data.ts'
import { isSame, type Typed, textOf } from './editing.ts'
import { t as words } from './open-texts.ts'
import { Prose } from './prose.tsx'
import { t } from './texts.ts'

/**
 * Shows the text saved elsewhere beside the one typed here, and lets the person choose one or keep both. The choice of one can be undone.
 */
export function Conflict({ note, kept, save }: { note: Note; kept: Draft<Typed | null>; save: () => Promise<boolean> }) {
  /** Offers undo until the person types something else, which undo would overwrite. */
  function offer(text: string, undo: () => void) {
    const chosen = kept.value.peek()
    const takeOff = say({ text, undo })
    const stop = kept.value.subscribe((now) => {
      if (!now || (chosen && isSame(now, chosen))) return
      takeOff()
      stop()
    })
  }
  async function keepMine() {
    const theirs = textOf(note)
    const mine = kept.value.peek()
    if (!mine) return
    kept.value.value = { ...mine, from: theirs }
    if (!(await save())) return
    const version = kept.value.peek()?.version
    const bringBack = () => void changeNote(ownNote(note.id).peek() ?? note, theirs, version).catch(sayFailure)
    offer(words.keptMine, bringBack)
  }
  function takeTheirs() {
    const mine = kept.value.peek()
    kept.drop()
    offer(words.tookTheirs, () => {
      kept.value.value = mine
    })
  }
  async function keepBoth() {
    const mine = kept.value.peek()
    if (!mine) return
    const { color, folderId, labelIds } = note
    await createNote({ title: mine.title, content: mine.content, color, folderId, labelIds }).then((made) => {
      kept.drop(mine)
      say({ text: words.keptBoth, act: { text: t.open, run: () => go(`/notes/${made.id}`) } })
    }, sayFailure)
  }
  return (
    <section class="notes-conflict" role="alert">
      <h2>{words.conflict}</h2>
      <p class="quiet small">{words.conflictHint}</p>
      <blockquote>
        {note.title && (
          <p dir="auto">
            <strong>{note.title}</strong>
          </p>
        )}
        <Prose text={note.content} />
      </blockquote>
      <div class="notes-choose">
        <Button kind="main" onClick={keepBoth}>
          {words.keepBoth}
        </Button>
        <Button onClick={keepMine}>{words.keepMine}</Button>
        <Button onClick={takeTheirs}>{words.takeTheirs}</Button>
      </div>
    </section>
  )
}
