import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { addShortcut } from '../../frame/shortcuts.ts'
import { useSaving } from '../../parts/forms/saving.ts'
import { say } from '../../parts/overlay/toasts.tsx'
import { Button } from '../../parts/show/button.tsx'
import { sayFailure } from '../../parts/show/failures.ts'
import { Icon } from '../../parts/show/icon.tsx'
import { draft } from '../../platform/drafts.ts'
import { nameOf } from '../../platform/language.ts'
import { go } from '../../platform/router.ts'
import { counted } from './counts.ts'
import { begun, createNote, type NewNote, sendNote, type View } from './data.ts'
import { t } from './texts.ts'

const LONGEST_TITLE = 200
const LONGEST = 20_000

/** The first line becomes the title, unless it is too long for one. */
function divided(typed: string) {
  const [first = '', ...rest] = typed.trim().split('\n')
  return first.trim().length > LONGEST_TITLE
    ? { title: '', content: typed.trim() }
    : { title: first.trim(), content: rest.join('\n').trim() }
}

/** A field that creates a note in the folder and with the label shown. The device stores the typed text until it is saved. */
export function Capture({ view }: { view: View }) {
  const kept = useMemo(() => draft('note:new', ''), [])
  const field = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(
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
  useEffect(() => {
    if (begun.value) field.current?.focus()
  }, [begun.value])
  useEffect(
    () => () => {
      begun.value = undefined
    },
    [],
  )
  const to = begun.value?.to
  const typed = kept.value.value ?? ''
  const isBlank = typed.trim() === ''
  async function create() {
    const place: NewNote = {
      ...(view.folder && view.folder !== 'none' && { folderId: Number(view.folder) }),
      ...(view.label && { labelIds: [Number(view.label)] }),
    }
    const note = await createNote({ ...divided(typed), ...place })
    await kept.drop(typed)
    begun.value = undefined
    if (!to) return say({ text: t.written })
    const act = { text: t.open, run: () => go(`/notes/${note.id}`) }
    await sendNote(note.id, [to]).then((sent) => say({ text: counted.sentTo(sent), act }), sayFailure)
  }
  const { isBusy, problem, run } = useSaving(create, { unreached: t.keptHere })
  async function save() {
    // At once, because somebody may be typing elsewhere by the time of the answer.
    field.current?.focus()
    if (!isBlank) await run()
  }
  return (
    <form
      class="notes-capture"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      {to && (
        <p class="notes-chosen notes-to">
          {t.to}
          <span class="chip" data-kind="on">
            <bdi>{nameOf(to)}</bdi>
            <button
              type="button"
              aria-label={t.without(nameOf(to))}
              onClick={() => {
                begun.value = {}
              }}
            >
              <Icon name="x" size={16} />
            </button>
          </span>
        </p>
      )}
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
          {!to && (
            <span class="notes-keys">
              <kbd dir="ltr">Ctrl Enter</kbd> {t.toSave}
            </span>
          )}
        </p>
        <Button kind="main" type="submit" isBusy={isBusy}>
          {to ? t.send : t.save}
        </Button>
      </div>
      <p class="error small" role="alert">
        {problem}
      </p>
    </form>
  )
}
