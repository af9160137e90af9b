import { useSignal } from '@preact/signals'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { say } from '../../parts/overlay/toasts.tsx'
import { Button } from '../../parts/show/button.tsx'
import { attempt } from '../../parts/show/failures.ts'
import { lazily } from '../../parts/show/lazily.tsx'
import { Loaded } from '../../parts/show/skeleton.tsx'
import type { Schemas } from '../../platform/client.ts'
import { draft } from '../../platform/drafts.ts'
import { nameOf } from '../../platform/language.ts'
import { isReceiver, me } from '../../platform/session.ts'
import { ownApproval, reviewOf } from '../my-access/data.ts'
import { sendReply, threadOf } from '../notes/data.ts'
import { acting, claim, complete, incoming, prepare } from '../orders/data.ts'
import { t } from './texts.ts'

/** The button for the next step of an order on the receiver's board. */
function OrderAnswer({ id, answered }: { id: number; answered: () => void }) {
  const order = incoming.data?.find((one) => one.id === id)
  const step = order?.next.find((one) => one === 'received' || one === 'preparing' || one === 'completed')
  if (!order || !step) return null
  const { text, run } = {
    received: { text: t.claim, run: claim },
    preparing: { text: t.prepare, run: prepare },
    completed: { text: t.complete, run: complete },
  }[step]
  return (
    <Button
      isBusy={acting.value.has(id)}
      onClick={() => {
        answered()
        run(order)
      }}
    >
      {text}
    </Button>
  )
}

/**
 * The recipient of a reply, and the last text of the conversation. `to` is undefined for a reply to the note's owner; the result is
 * undefined if the owner has nobody to answer.
 */
function partnerIn({ senderUserId, sender, replies }: Schemas['NoteThread']) {
  const mine = me.value?.id
  if (senderUserId !== mine) return { to: undefined, person: sender, last: replies.at(-1)?.content }
  const reply = replies.findLast((one) => one.senderUserId !== mine)
  return reply?.sender ? { to: reply.sender.id, person: reply.sender, last: reply.content } : undefined
}

function ReplyForm({ thread, done }: { thread: Schemas['NoteThread']; done: () => void }) {
  // A conversation from the cache may be older than the notification, so the recipient is settled only when the person types. From then on,
  // nobody else's reply changes it.
  const settled = useRef<ReturnType<typeof partnerIn>>(undefined)
  const partner = settled.current ?? partnerIn(thread)
  const kept = useMemo(() => draft(`reply:${thread.id}:${partner?.to ?? ''}`, ''), [thread.id, partner?.to])
  const form = useRef<HTMLFormElement>(null)
  const isBusy = useSignal(false)
  useLayoutEffect(() => form.current?.querySelector('textarea')?.focus(), [!partner])
  if (!partner) return <p class="quiet small">{t.nobodyToAnswer}</p>
  async function send() {
    const typed = kept.value.peek()
    const content = typed?.trim()
    if (!content || isBusy.value) return
    isBusy.value = true
    await attempt(
      sendReply(thread.id, content, partner?.to).then(async () => {
        say({ text: t.replied })
        if (await kept.drop(typed)) done()
      }),
    )
    isBusy.value = false
  }
  return (
    <form
      ref={form}
      class="notifications-reply"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <p class="quiet small notifications-last" dir="auto">
        {partner.last ?? thread.content}
      </p>
      <textarea
        class="input"
        dir="auto"
        rows={2}
        maxLength={5000}
        aria-label={t.yourReply}
        placeholder={t.yourReply}
        aria-keyshortcuts="Control+Enter"
        value={kept.value.value ?? ''}
        onInput={(event) => {
          settled.current = partner
          kept.value.value = event.currentTarget.value
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
        }}
      />
      <Button kind="main" type="submit" icon="reply" isBusy={isBusy.value}>
        {t.sendReply(nameOf(partner.person))}
      </Button>
    </form>
  )
}

function NoteAnswer({ id, answered }: { id: number; answered: () => void }) {
  const isOpen = useSignal(false)
  const opener = useRef<HTMLDivElement>(null)
  const done = () => {
    isOpen.value = false
    requestAnimationFrame(() => opener.current?.querySelector('button')?.focus())
  }
  return (
    <div ref={opener} class="notifications-note">
      {isOpen.value ? (
        <Loaded of={threadOf(id)}>{(thread) => <ReplyForm thread={thread} done={done} />}</Loaded>
      ) : (
        <Button
          icon="reply"
          onClick={() => {
            answered()
            isOpen.value = true
          }}
        >
          {t.reply}
        </Button>
      )}
    </div>
  )
}

const Deciding = lazily(async () => (await import('./deciding.tsx')).Deciding)

/** The decision on a request for access, opened by a button while it waits for the person. */
function AccessAnswer({ id, answered }: { id: number; answered: () => void }) {
  const isOpen = useSignal(false)
  const opener = useRef<HTMLDivElement>(null)
  const waits = reviewOf(0).data?.items.some((one) => one.id === id && !ownApproval(one))
  if (!waits && !isOpen.value) return null
  const done = () => {
    const row = opener.current?.closest('.notification')
    isOpen.value = false
    // The focused button is gone after the decision.
    requestAnimationFrame(() => row?.querySelector<HTMLElement>('a')?.focus())
  }
  return (
    <div ref={opener} class="notifications-note">
      {isOpen.value ? (
        <Deciding id={id} done={done} />
      ) : (
        <Button
          onClick={() => {
            answered()
            isOpen.value = true
          }}
        >
          {t.decide}
        </Button>
      )}
    </div>
  )
}

/** The action that a notification offers in place; most offer no action. */
export function Answer({ type, id, answered }: { type: string | null; id: number | null; answered: () => void }) {
  if (!id) return null
  if (type === 'order' && isReceiver.value) return <OrderAnswer id={id} answered={answered} />
  if (type === 'access_request') return <AccessAnswer id={id} answered={answered} />
  return type === 'note' ? <NoteAnswer id={id} answered={answered} /> : null
}
