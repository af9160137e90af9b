import { useEffect, useMemo, useRef } from 'preact/hooks'
import { addShortcut } from '../frame/shortcuts.ts'
import { Button } from '../parts/button.tsx'
import { useSaving } from '../parts/saving.ts'
import { say } from '../parts/toasts.tsx'
import { draft } from '../platform/drafts.ts'
import { createNote, type NewNote, type View } from './data.ts'
import { t } from './texts.ts'

const LONGEST_TITLE = 200
const LONGEST = 20_000

/** The first line of what is typed is the title, unless it is too long for one. */
function divided(typed: string) {
  const [first = '', ...rest] = typed.trim().split('\n')
  return first.trim().length > LONGEST_TITLE
    ? { title: '', content: typed.trim() }
    : { title: first.trim(), content: rest.join('\n').trim() }
}

/** One field that makes a note, where the board is: in its folder, with its label. What is typed stays until it is saved. */
export function Capture({ view }: { view: View }) {
  const kept = useMemo(() => draft('note:new', ''), [])
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(
    () =>
      addShortcut({
        codes: ['KeyC'],
        text: () => t.keys.write,
        run: () => {
          scrollTo({ top: 0 })
          field.current?.focus()
        },
      }),
    [],
  )
  const typed = kept.value.value ?? ''
  const isBlank = typed.trim() === ''
  async function create() {
    const place: NewNote = {
      ...(view.folder && view.folder !== 'none' && { folderId: Number(view.folder) }),
      ...(view.label && { labelIds: [Number(view.label)] }),
    }
    await createNote({ ...divided(typed), ...place })
    await kept.drop()
    say({ text: t.written })
  }
  const { isBusy, problem, run } = useSaving(create, { unreached: t.keptHere })
  async function save() {
    if (!isBlank) await run()
    field.current?.focus()
  }
  return (
    <form
      class="notes-capture"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <textarea
        ref={field}
        class="input"
        dir="auto"
        rows={1}
        aria-label={t.write}
        aria-describedby="notes-capture-hint"
        aria-keyshortcuts="Control+Enter"
        placeholder={t.write}
        maxLength={LONGEST}
        value={typed}
        onInput={(event) => (kept.value.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          save()
        }}
      />
      <div class="notes-capture-end" data-open={!isBlank || undefined}>
        <p id="notes-capture-hint" class="quiet small">
          {t.writeHint}{' '}
          <span class="notes-keys">
            <kbd dir="ltr">Ctrl Enter</kbd> {t.toSave}
          </span>
        </p>
        <Button kind="main" type="submit" isBusy={isBusy}>
          {t.save}
        </Button>
      </div>
      <p class="error small" role="alert">
        {problem()}
      </p>
    </form>
  )
}
