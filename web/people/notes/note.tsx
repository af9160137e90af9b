import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { useTitle } from '../../frame/site.ts'
import { Avatar } from '../../parts/show/avatar.tsx'
import { Button } from '../../parts/show/button.tsx'
import { Empty } from '../../parts/show/empty.tsx'
import { sayFailure } from '../../parts/show/failures.ts'
import { Icon } from '../../parts/show/icon.tsx'
import { Loaded, Skeleton } from '../../parts/show/skeleton.tsx'
import { exactly, shortDay } from '../../platform/dates.ts'
import { nameOf } from '../../platform/language.ts'
import { Refusal } from '../../platform/refusal.ts'
import { at, go, onward } from '../../platform/router.ts'
import { useReadAbout } from '../notifications/data.ts'
import { archiveReceived } from './acts.ts'
import { changeReceived, createNote, knownReceived, nameOfNote, ownNote, type Thread, threadOf } from './data.ts'
import { draftOf, isSame } from './editing.ts'
import { isLeaving } from './later.ts'
import { t as words } from './open-texts.ts'
import { OwnNote } from './own.tsx'
import { Prose } from './prose.tsx'
import { FileDialog, StatusChip } from './received.tsx'
import { t } from './texts.ts'
import { ReceivedThread } from './thread.tsx'

/** Shown for old notifications whose note is gone. */
function NotThere() {
  useTitle(t.gone)
  return (
    <Empty
      icon="sticky-note"
      isPage
      title={t.gone}
      act={
        <a class="button" data-kind="main" href={at('/notes')}>
          {t.mine}
        </a>
      }
    />
  )
}

/** Shows unsaved text of a note that no longer exists. */
function Gone({ id }: { id: number }) {
  const kept = useMemo(() => draftOf(id), [id])
  const typed = kept.value.value
  useTitle(t.gone)
  if (!typed || isSame(typed, typed.sent)) return <NotThere />
  const { title, content } = typed
  const save = () => {
    const goOn = onward()
    createNote({ title, content }).then((made) => {
      kept.drop()
      goOn(`/notes/${made.id}`, { replace: true })
    }, sayFailure)
  }
  return (
    <div class="notes-open">
      <div>
        <h1>{t.gone}</h1>
        <p class="quiet">{words.goneHint}</p>
        <div class="notes-paper" data-color="default">
          <p dir="auto">
            <strong>{title}</strong>
          </p>
          <Prose text={content} />
        </div>
        <Button kind="main" onClick={save}>
          {words.saveAsNew}
        </Button>
      </div>
    </div>
  )
}

/** A note that somebody else wrote, with its conversation. */
function ReadNote({ thread }: { thread: Thread }) {
  const isFiling = useSignal(false)
  const name = nameOfNote(thread)
  useTitle(name)
  const row = thread.isAdmin ? undefined : thread.recipients[0]
  const folderId = (row && knownReceived(row.id)?.folderId) ?? null
  const received = row && { recipientRowId: row.id, id: thread.id, status: row.status, folderId }
  const isArchived = received?.status === 'archived'
  const leave = () => go('/notes/received')
  return (
    <>
      <div class="notes-bar">
        <a class="button" data-kind="plain" href={at('/notes/received')}>
          <Icon name="arrow-left" />
          <span>{t.received}</span>
        </a>
        <span class="grow" />
        {received && (
          <>
            {!isArchived && (
              <Button
                kind="plain"
                icon="mail-dot"
                aria-label={t.markUnread}
                onClick={() => {
                  // Leave first: reloading the open note would mark it as read again.
                  leave()
                  setTimeout(() => changeReceived(received, { status: 'unread' }).catch(sayFailure))
                }}
              />
            )}
            <Button kind="plain" icon="folder" aria-label={t.file} aria-haspopup="dialog" onClick={() => (isFiling.value = true)} />
            <Button
              kind="plain"
              icon={isArchived ? 'archive-restore' : 'archive'}
              aria-label={isArchived ? t.fromArchive : t.toArchive}
              onClick={() => {
                archiveReceived(received)
                if (!isArchived) leave()
              }}
            />
          </>
        )}
      </div>
      <div class="notes-open">
        <article class="notes-paper" data-color={thread.color}>
          {thread.isAdmin && <p class="notes-inspected small">{words.inspected}</p>}
          <p class="notes-sender">
            <Avatar person={thread.sender} />
            <span>
              <bdi>{nameOf(thread.sender)}</bdi>
              <time class="small quiet" dateTime={thread.updatedAt} title={exactly(thread.updatedAt)}>
                {shortDay(thread.updatedAt)}
              </time>
            </span>
            <span class="grow" />
            {row && <StatusChip status={row.status} />}
          </p>
          <h1 dir="auto">{name}</h1>
          {thread.title && <Prose text={thread.content} />}
          {!thread.title && thread.content.length > name.length && <Prose text={thread.content} />}
        </article>
        <ReceivedThread thread={thread} />
      </div>
      {isFiling.value && received && <FileDialog row={received} close={() => (isFiling.value = false)} />}
    </>
  )
}

/** A note by its address, own or received. */
export function NotePage({ id }: { id: number }) {
  useReadAbout('note', id)
  const thread = threadOf(id)
  const { error } = thread
  if (isLeaving('/notes/{id}', id)) return <NotThere />
  if (error instanceof Refusal && error.status === 404) return <Gone id={id} />
  return (
    <Loaded
      of={thread}
      shape={
        <div class="notes-open">
          <Skeleton count={1} height={20} />
          <Skeleton count={3} height={4} />
        </div>
      }
    >
      {(known) => (known.isOwner ? <Own id={id} thread={known} /> : <ReadNote thread={known} />)}
    </Loaded>
  )
}

/** Loads the note as well as its thread, because the owner edits the note. */
const Own = ({ id, thread }: { id: number; thread: Thread }) => (
  <Loaded of={ownNote(id)} shape={<Skeleton count={1} height={20} />}>
    {(note) => <OwnNote note={note} thread={thread} />}
  </Loaded>
)
