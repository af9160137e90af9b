import { useSignal } from '@preact/signals'
import type { TargetedKeyboardEvent } from 'preact'
import { useEffect } from 'preact/hooks'
import { useTitle } from '../../frame/site.ts'
import { Button } from '../../parts/show/button.tsx'
import { meaningOf } from '../../parts/show/failures.ts'
import { Icon } from '../../parts/show/icon.tsx'
import { exactly, shortDay } from '../../platform/dates.ts'
import { Refusal } from '../../platform/refusal.ts'
import { at, go, queryValue, setQuery } from '../../platform/router.ts'
import { archive, pin, remove } from './acts.ts'
import { Arrange, ColorDialog } from './arrange.tsx'
import { Filed } from './card.tsx'
import { Conflict } from './conflict.tsx'
import { asChanged, type Note, nameOfNote, ownNote, type Thread } from './data.ts'
import { type State, useEditing } from './editing.ts'
import { t as words } from './open-texts.ts'
import { SendDialog } from './send.tsx'
import { t } from './texts.ts'
import { OwnThread } from './thread.tsx'

function Saved({ state }: { state: State }) {
  const isFailure = state instanceof Refusal
  return (
    <p class="notes-state small" role="status" data-state={isFailure ? 'refused' : state}>
      <Icon
        name={state === 'saved' ? 'circle-check' : state === 'saving' ? 'refresh-cw' : state === 'typed' ? 'pencil' : 'circle-alert'}
        size={16}
      />
      <span>{isFailure ? meaningOf(state) : words.state[state]}</span>
    </p>
  )
}

/** Enter moves from the title to the text, because a title has only one line. */
function toText(event: TargetedKeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  event.currentTarget.closest('.notes-paper')!.querySelector<HTMLElement>('.notes-content')!.focus()
}

/** An own note, edited in place. */
export function OwnNote({ note: given, thread }: { note: Note; thread: Thread }) {
  // A note just saved is in the cache before its prop is updated.
  const note = asChanged(ownNote(given.id).peek() ?? given)
  const isShared = thread.recipients.length > 0
  const { text, type, save, state, kept, isBlank, isUnsaved, forget } = useEditing(note, isShared)
  const bind = (name: keyof typeof text) => ({
    value: text[name],
    onInput: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      type({ [name]: name === 'title' ? value.replace(/\n/g, ' ') : value }),
    onBlur: forget,
  })
  const asked = useSignal<'color' | 'place' | undefined>(undefined)
  const close = () => {
    asked.value = undefined
  }
  const isSending = queryValue('send') === '1'
  const name = nameOfNote(text) || t.untitled
  useTitle(name)
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || !(event.key === 'Enter' || event.code === 'KeyS')) return
      if (event.key === 'Enter' && !(event.target as Element).closest('.notes-paper')) return
      event.preventDefault()
      save()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  })
  const leave = () => go('/notes')
  return (
    <>
      <h1 class="unseen">{name}</h1>
      <div class="notes-bar">
        <a class="button" data-kind="plain" href={at('/notes')}>
          <Icon name="arrow-left" />
          <span>{t.mine}</span>
        </a>
        <span class="grow" />
        <Button
          kind="plain"
          icon="pin"
          class="button notes-pin"
          aria-label={t.pin}
          aria-pressed={note.isPinned}
          onClick={() => pin(note)}
        />
        <Button kind="plain" icon="palette" aria-label={t.color} aria-haspopup="dialog" onClick={() => (asked.value = 'color')} />
        <Button kind="plain" icon="folder" aria-label={t.arrange} aria-haspopup="dialog" onClick={() => (asked.value = 'place')} />
        <Button
          kind="plain"
          icon={note.isArchived ? 'archive-restore' : 'archive'}
          aria-label={note.isArchived ? t.fromArchive : t.toArchive}
          onClick={() => {
            archive(note)
            if (!note.isArchived) leave()
          }}
        />
        <Button
          kind="plain"
          icon="trash-2"
          aria-label={t.remove}
          onClick={() => {
            remove(note, isShared)
            leave()
          }}
        />
        <Button icon="send" aria-haspopup="dialog" onClick={() => setQuery({ send: '1' })}>
          {t.send}
        </Button>
      </div>
      <div class="notes-open">
        <div>
          <div class="notes-paper" data-color={note.color}>
            <textarea
              class="notes-title"
              dir="auto"
              rows={1}
              aria-label={t.noteTitle}
              placeholder={t.noteTitle}
              maxLength={200}
              onKeyDown={toText}
              {...bind('title')}
            />
            <textarea
              class="notes-content"
              dir="auto"
              aria-label={t.noteText}
              placeholder={t.write}
              maxLength={20_000}
              {...bind('content')}
            />
            <Filed note={note} />
            <div class="notes-foot small quiet">
              <time dateTime={note.updatedAt} title={exactly(note.updatedAt)}>
                {words.changedAt} {shortDay(note.updatedAt)}
              </time>
              {note.color !== 'default' && (
                <span class="notes-color" data-color={note.color}>
                  {t.colors[note.color]}
                </span>
              )}
            </div>
          </div>
          <div class="notes-saving">
            <Saved state={state} />
            {isShared && isUnsaved && state !== 'conflict' && (
              <>
                <Button kind="main" onClick={save} isBusy={state === 'saving'} aria-keyshortcuts="Control+S" disabled={isBlank}>
                  {words.saveForAll}
                </Button>
                <p class="quiet small">{words.saveForAllHint}</p>
              </>
            )}
          </div>
          {state === 'conflict' && kept.value.value && <Conflict note={note} kept={kept} save={save} />}
        </div>
        <OwnThread thread={thread} />
      </div>
      {asked.value === 'color' && <ColorDialog note={note} close={close} />}
      {asked.value === 'place' && <Arrange note={note} close={close} />}
      {isSending && <SendDialog thread={thread} close={() => setQuery({ send: '' })} />}
    </>
  )
}
