import { useSignal } from '@preact/signals'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { TextArea } from '../../parts/forms/field.tsx'
import { useClosing, useSaving } from '../../parts/forms/saving.ts'
import { Dialog } from '../../parts/overlay/dialog.tsx'
import { say } from '../../parts/overlay/toasts.tsx'
import { Button } from '../../parts/show/button.tsx'
import { attempt } from '../../parts/show/failures.ts'
import { Skeleton } from '../../parts/show/skeleton.tsx'
import { titleOf } from '../../parts/show/title.ts'
import { idempotencyKey } from '../../platform/client.ts'
import { shortDay } from '../../platform/dates.ts'
import { draft } from '../../platform/drafts.ts'
import { inLanguage, isolated } from '../../platform/language.ts'
import { Refusal } from '../../platform/refusal.ts'
import { at, go } from '../../platform/router.ts'
import { Apps } from './apps.tsx'
import { type AccessRequest, ask, type Offer, offerOf, withdraw } from './data.ts'
import { type Duration, DurationField, dayAfter, daysOf, fitting, usual } from './duration.tsx'
import { t } from './texts.ts'

const UNDO_MS = 8000

/** Says that a request was sent, with a link to it and undo. */
function saySent({ id }: AccessRequest, group: string) {
  say({
    about: `access request ${id}`,
    text: t.sent(group),
    act: { text: t.show, run: () => go(`/access/requests/${id}`) },
    undo: async () => {
      if (await attempt(withdraw(id))) say({ about: `access request ${id}`, text: t.withdrawn(group) })
    },
    undoUntil: Date.now() + UNDO_MS,
  })
}

interface Typed {
  reason: string
  duration: Duration
  key: string
}

function Form({ offer, close }: { offer: Offer; close: () => void }) {
  const { groupId, maxDays, reasonRequired } = offer
  // The idempotency key belongs to the typed values, so that the same request is sent only once.
  const fresh = (): Typed => ({ reason: '', duration: usual(maxDays), key: idempotencyKey() })
  const kept = useMemo(() => draft<Typed>(`access:${groupId}`, fresh()), [groupId])
  const form = useRef<HTMLFormElement>(null)
  const isChecked = useSignal(false)
  // The dialog honours `autoFocus` only as it opens, and the offer may arrive later.
  useLayoutEffect(() => form.current?.querySelector('textarea')?.focus(), [])
  const typed = kept.value.value
  const { reason, duration: chosen } = typed ?? fresh()
  const duration = fitting(chosen, maxDays)
  const days = daysOf(duration, maxDays)
  const isMissing = reasonRequired && !reason.trim()
  const change = (part: Partial<Typed>) => {
    kept.value.value = { reason, duration, ...part, key: idempotencyKey() }
  }
  const closing = useClosing(close)
  const saving = useSaving(
    async (sent: Typed) => {
      const text = sent.reason.trim()
      const request = await ask({ groupId, days: days ?? null, ...(text && { reason: text }) }, sent.key)
      if (await kept.drop(sent)) closing()
      saySent(request, isolated(titleOf(offer)))
    },
    { fields: ['reason', 'days'], fieldOf: { reason_required: 'reason' }, unreached: t.unreached },
  )
  const send = () => {
    isChecked.value = true
    if (isMissing) form.current?.querySelector('textarea')?.focus()
    else if (days === undefined) form.current?.querySelector('input')?.focus()
    else {
      // The draft may not be read yet.
      if (!kept.value.peek()) change({})
      saving.run(kept.value.peek()!)
    }
  }
  const refusal = saving.failure instanceof Refusal ? saving.failure : undefined
  const known = refusal?.code === 'already_requested' ? Number(refusal.body['requestId']) : undefined
  return (
    <form
      ref={form}
      class="my-access-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <TextArea
        label={t.reason}
        autoFocus
        {...(reasonRequired ? {} : { optional: t.optional })}
        hint={t.reasonHint}
        error={isChecked.value && isMissing ? t.reasonMissing : saving.error('reason')}
        rows={3}
        maxLength={1000}
        aria-keyshortcuts="Control+Enter"
        value={reason}
        onInput={(event) => change({ reason: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
        }}
      />
      <DurationField
        label={maxDays === null ? t.howLong : t.howLongAtMost(t.days(maxDays))}
        value={duration}
        most={maxDays}
        isChecked={isChecked.value}
        change={(duration) => change({ duration })}
        hint={(days) => (days === null ? t.wouldNotEnd : t.wouldEnd(dayAfter(days)))}
      />
      <p class="error" role="alert">
        {saving.problem || saving.error('days')}{' '}
        {known && (
          <a class="link" href={at(`/access/requests/${known}`)}>
            {t.openRequest}
          </a>
        )}
      </p>
      <Button kind="main" type="submit" icon="send" isBusy={saving.isBusy}>
        {t.send}
      </Button>
    </form>
  )
}

/** Asks to join a group, or to stay in it longer: the reason, and for how long. */
export function AskDialog({ groupId, close }: { groupId: number; close: () => void }) {
  const offer = offerOf(groupId)
  if (!offer)
    return (
      <Dialog title={offer === null ? t.unaskable : t.offers} close={close}>
        {offer === null ? <p>{t.unaskableHint}</p> : <Skeleton count={2} height={4} />}
      </Dialog>
    )
  const { state, memberUntil, requestId, apps } = offer
  const title = isolated(titleOf(offer))
  const note = inLanguage(offer.noteAr, offer.noteEn)
  const isOpen = state === 'open' || (state === 'member' && memberUntil)
  return (
    // A typed reason is stored as a draft, so nothing is ever unsaved.
    <Dialog title={memberUntil ? t.extendTitle(title) : t.askTitle(title)} close={close} isUnsaved={() => false}>
      {note && (
        <p class="quiet" dir="auto">
          {note}
        </p>
      )}
      {apps.length > 0 && <Apps label={t.opens} all={apps} />}
      {memberUntil && <p>{t.memberUntil(shortDay(memberUntil))}</p>}
      {isOpen && <Form key={groupId} offer={offer} close={close} />}
      {state === 'pending' && (
        <p>
          {t.pending}.{' '}
          <a class="link" href={at(`/access/requests/${requestId}`)}>
            {t.openRequest}
          </a>
        </p>
      )}
      {state === 'member' && !memberUntil && <p>{t.member}.</p>}
    </Dialog>
  )
}
