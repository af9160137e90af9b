import { useMemo } from 'preact/hooks'
import { useSaving } from '../../parts/forms/saving.ts'
import { Avatar } from '../../parts/show/avatar.tsx'
import { Button } from '../../parts/show/button.tsx'
import { Empty } from '../../parts/show/empty.tsx'
import { Icon } from '../../parts/show/icon.tsx'
import { ago } from '../../platform/ago.ts'
import type { Schemas } from '../../platform/client.ts'
import { exactly } from '../../platform/dates.ts'
import { draft } from '../../platform/drafts.ts'
import { nameOf } from '../../platform/language.ts'
import { at, queryValue, setQuery } from '../../platform/router.ts'
import { me } from '../../platform/session.ts'
import { counted } from './counts.ts'
import { type Person, type Status, sendReply, type Thread } from './data.ts'
import { t as words } from './open-texts.ts'
import { Prose } from './prose.tsx'
import { StatusChip } from './received.tsx'
import { t } from './texts.ts'

type Reply = Schemas['NoteReply']

/** The name of a person in a conversation. Deleted people have none. */
const nameOfSender = (person: Person | null | undefined) => (person ? nameOf(person) : t.former)

function Replies({ replies }: { replies: Reply[] }) {
  const mine = me.value?.id
  return (
    <ol class="notes-replies" aria-label={words.conversation} aria-live="polite" aria-relevant="additions">
      {replies.map((reply) => (
        <li key={reply.id} data-mine={reply.senderUserId === mine || undefined}>
          <p class="small quiet notes-by">
            <bdi>{reply.senderUserId === mine ? words.you : nameOfSender(reply.sender)}</bdi>
            <time dateTime={reply.createdAt} title={exactly(reply.createdAt)}>
              {ago(reply.createdAt)}
            </time>
          </p>
          <Prose text={reply.content} />
        </li>
      ))}
    </ol>
  )
}

const show = (id: number) => setQuery({ with: String(id) })

function ReplyForm({ thread, to, label }: { thread: Thread; to?: number; label: string }) {
  const kept = useMemo(() => draft(`reply:${thread.id}:${to ?? ''}`, ''), [thread.id, to])
  const typed = kept.value.value ?? ''
  const { isBusy, problem, run } = useSaving((content: string) => sendReply(thread.id, content, to))
  async function send() {
    const content = typed.trim()
    if (content !== '' && (await run(content))) kept.drop(typed)
  }
  return (
    <form
      class="notes-reply"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <textarea
        class="input"
        dir="auto"
        rows={2}
        aria-label={label}
        placeholder={label}
        maxLength={5000}
        aria-keyshortcuts="Control+Enter"
        // Otherwise the first reply of a recipient higher up in the list would replace the conversation while the owner types.
        onFocus={() => to && show(to)}
        value={typed}
        onInput={(event) => (kept.value.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          event.stopPropagation()
          send()
        }}
      />
      <Button kind="main" type="submit" icon="reply" isBusy={isBusy}>
        {words.sendReply}
      </Button>
      <p class="error small" role="alert">
        {problem}
      </p>
    </form>
  )
}

/** The conversation as a recipient sees it: only their own exchange with the owner. */
export function ReceivedThread({ thread }: { thread: Thread }) {
  return (
    <section class="notes-thread" aria-label={words.conversation}>
      <h2>{words.conversation}</h2>
      {!thread.isAdmin && <p class="quiet small">{words.onlyYou}</p>}
      {thread.replies.length === 0 && <p class="quiet">{words.noReplies}</p>}
      <Replies replies={thread.replies} />
      {!thread.isAdmin && <ReplyForm thread={thread} label={words.replyTo(nameOf(thread.sender))} />}
    </section>
  )
}

interface Party {
  id: number
  person: Person | undefined
  status: Status | undefined
  replies: Reply[]
}

/** All people who have the note, and deleted people who replied to it. */
function partiesOf({ recipients, replies, senderUserId }: Thread): Party[] {
  const other = (reply: Reply) => (reply.senderUserId === senderUserId ? reply.recipientUserId : reply.senderUserId)
  const known = recipients.map(({ recipientUserId, recipient, status }) => ({ id: recipientUserId, person: recipient, status }))
  const former = [...new Set(replies.map(other))]
    .filter((id) => !known.some((one) => one.id === id))
    .map((id) => ({ id, person: undefined, status: undefined }))
  return [...known, ...former].map((one) => ({ ...one, replies: replies.filter((reply) => other(reply) === one.id) }))
}

/** The conversation as the owner sees it: all recipients with their statuses, and the exchange with one of them. */
export function OwnThread({ thread }: { thread: Thread }) {
  const parties = partiesOf(thread)
  if (parties.length === 0)
    return (
      <section class="notes-thread" aria-label={words.conversation}>
        <Empty
          icon="send"
          title={words.notSent}
          act={
            <Button icon="send" aria-haspopup="dialog" onClick={() => setQuery({ send: '1' })}>
              {t.send}
            </Button>
          }
        >
          {words.notSentHint}
        </Empty>
      </section>
    )
  const wanted = Number(queryValue('with'))
  const shown = parties.find(({ id }) => id === wanted) ?? parties.find(({ replies }) => replies.length > 0) ?? parties[0]!
  const name = nameOfSender(shown.person)
  return (
    <section class="notes-thread" aria-label={t.recipients}>
      <h2>{t.recipients}</h2>
      <ul class="notes-people">
        {parties.map(({ id, person, status, replies }) => (
          <li key={id}>
            {person ? <Avatar person={person} size={32} /> : <Icon name="user" />}
            <a
              href={at(`/notes/${thread.id}?with=${id}`)}
              aria-current={id === shown.id ? 'true' : undefined}
              onClick={(event) => {
                event.preventDefault()
                show(id)
              }}
            >
              <bdi>{nameOfSender(person)}</bdi>
              {replies.length > 0 && <span class="small quiet">{counted.replies(replies.length)}</span>}
            </a>
            {status && <StatusChip status={status} />}
          </li>
        ))}
      </ul>
      <h3>{words.conversationWith(name)}</h3>
      {shown.replies.length === 0 && <p class="quiet">{words.noReplies}</p>}
      <Replies key={shown.id} replies={shown.replies} />
      {shown.person ? (
        <ReplyForm
          key={shown.id}
          thread={thread}
          to={shown.id}
          label={shown.replies.some(({ senderUserId }) => senderUserId === shown.id) ? words.replyTo(name) : words.messageTo(name)}
        />
      ) : (
        <p class="quiet small">{words.goneRecipient}</p>
      )}
    </section>
  )
}
