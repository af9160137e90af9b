import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Combobox } from '../../parts/forms/combobox.tsx'
import { useClosing, useSaving } from '../../parts/forms/saving.ts'
import { Dialog } from '../../parts/overlay/dialog.tsx'
import { say } from '../../parts/overlay/toasts.tsx'
import { Avatar } from '../../parts/show/avatar.tsx'
import { Button } from '../../parts/show/button.tsx'
import { Icon } from '../../parts/show/icon.tsx'
import { answer, api } from '../../platform/client.ts'
import { nameOf } from '../../platform/language.ts'
import { counted } from './counts.ts'
import { type Person, sendNote, type Thread } from './data.ts'
import { t as words } from './open-texts.ts'
import { t } from './texts.ts'

const MOST = 200

/** A dialog that sends a note to chosen people. It marks people who already have the note. */
export function SendDialog({ thread, close }: { thread: Thread; close: () => void }) {
  const chosen = useSignal<Person[]>([])
  const hasIt = (person: Person) => thread.recipients.some(({ recipientUserId }) => recipientUserId === person.id)
  const isChosen = (person: Person) => chosen.value.some(({ id }) => id === person.id)
  const isFull = chosen.value.length >= MOST
  const closing = useClosing(close)
  const { isBusy, problem, run } = useSaving(async () => {
    say({ text: counted.sentTo(await sendNote(thread.id, chosen.value)) })
    closing()
  })
  const find = (typed: string) =>
    answer(api.GET('/notes/recipients', { params: { query: { limit: 20, ...(typed.trim() && { q: typed.trim() }) } } }))
  function choose(person: Person) {
    if (!hasIt(person) && !isChosen(person) && !isFull) chosen.value = [...chosen.value, person]
  }
  const first = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => first.current?.querySelector('input')?.focus(), [])
  return (
    <Dialog
      title={words.sendTitle}
      class="notes-send"
      close={close}
      isUnsaved={() => chosen.value.length > 0}
      end={
        <Button kind="main" icon="send" isBusy={isBusy} disabled={chosen.value.length === 0} onClick={run}>
          {chosen.value.length === 1 ? words.sendToOne(nameOf(chosen.value[0]!)) : counted.sendTo(chosen.value.length)}
        </Button>
      }
    >
      <div ref={first}>
        <Combobox label={words.findPeople} placeholder={words.findPeople} find={find} id={({ id }) => id} choose={choose} eager>
          {(person) => (
            <>
              <Avatar person={person} size={32} />
              <span class="person grow">
                <bdi>{nameOf(person)}</bdi>
                <bdi class="quiet small">{person.username}</bdi>
              </span>
              {(hasIt(person) || isChosen(person)) && <span class="quiet small">{hasIt(person) ? words.hasIt : words.chosen}</span>}
            </>
          )}
        </Combobox>
      </div>
      <ul class="notes-chosen" aria-label={t.to} aria-live="polite">
        {chosen.value.map((person) => (
          <li key={person.id} class="chip" data-kind="on">
            <bdi>{nameOf(person)}</bdi>
            <button
              type="button"
              aria-label={t.without(nameOf(person))}
              onClick={() => (chosen.value = chosen.value.filter(({ id }) => id !== person.id))}
            >
              <Icon name="x" size={16} />
            </button>
          </li>
        ))}
      </ul>
      {isFull && <p class="quiet small">{words.most}</p>}
      {thread.recipients.length > 0 && (
        <p class="quiet small">
          {t.recipients}: {counted.people(thread.recipients.length)}
        </p>
      )}
      <p class="error small" role="alert">
        {problem}
      </p>
    </Dialog>
  )
}
