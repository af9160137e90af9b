import { useSignal } from '@preact/signals'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { TextArea } from '../../parts/forms/field.tsx'
import { useSaving } from '../../parts/forms/saving.ts'
import { say } from '../../parts/overlay/toasts.tsx'
import { Button } from '../../parts/show/button.tsx'
import { Loaded, Skeleton } from '../../parts/show/skeleton.tsx'
import { titleOf } from '../../parts/show/title.ts'
import { draft } from '../../platform/drafts.ts'
import { isolated, listed, named, nameOf } from '../../platform/language.ts'
import { type AccessRequest, approve, deny, draftNameOf, groupIn, isOutdated, requestOf, type Typed } from '../my-access/data.ts'
import { t } from './deciding-texts.ts'
import { t as words } from './texts.ts'

/** The most apps and roles that the sentence names. */
const NAMED = 4

/** A sentence about the apps and roles that an approval would give. */
function gainsOf({ gains }: AccessRequest) {
  const names = gains ? [...gains.apps.map(named), ...gains.roles.map(titleOf)] : []
  return names.length ? t.gains(listed(names.slice(0, NAMED).map(isolated))) : t.gainsNothing
}

function Form({ request, done }: { request: AccessRequest; done: () => void }) {
  const { id, requester, reason, days, mayDecide } = request
  const box = useRef<HTMLDivElement>(null)
  const isDenying = useSignal(false)
  const isMissing = useSignal(false)
  // Shared with the page of the request. A press beside the panel closes it, but the typed note stays.
  const kept = useMemo(() => draft<Typed>(draftNameOf(id), { note: '' }), [id])
  const note = kept.value.value?.note ?? ''
  // Focus the box rather than a button, because a second Enter must not decide.
  useLayoutEffect(() => box.current?.focus(), [])
  const [person, group] = [isolated(nameOf(requester)), isolated(groupIn(request))]
  const saving = useSaving(async (act: () => Promise<AccessRequest>) => {
    const sent = kept.value.peek()
    const { status } = await act()
    // An approval sends no note.
    if (status === 'denied') await kept.drop(sent)
    say({
      about: `access request ${id}`,
      text: (status === 'denied' ? t.denied : status === 'pending' ? t.approvedFirst : t.approved)(person, group),
    })
    done()
  })
  function refuse() {
    const word = note.trim()
    if (isDenying.value && word) return saving.run(() => deny(id, word))
    isMissing.value = isDenying.value
    isDenying.value = true
    requestAnimationFrame(() => box.current?.querySelector('textarea')?.focus())
  }
  return (
    <div ref={box} class="notifications-decide" tabIndex={-1} role="group" aria-label={words.decide}>
      <p class="quiet small notifications-last" dir="auto">
        {reason ?? t.noReason}
      </p>
      <p class="small">
        {days === null ? t.noEnd : t.forDays(days)}. {mayDecide && gainsOf(request)}
      </p>
      {isDenying.value && mayDecide && (
        <TextArea
          label={t.denyWhy}
          rows={2}
          maxLength={1000}
          error={isMissing.value ? t.denyMissing : undefined}
          value={note}
          onInput={(event) => {
            kept.value.value = { ...kept.value.peek(), note: event.currentTarget.value }
            isMissing.value = false
          }}
        />
      )}
      <p class="error small" role="alert">
        {isOutdated(saving.failure) ? t.changedMeanwhile : saving.problem}
      </p>
      {mayDecide ? (
        <div>
          {!isDenying.value && (
            <Button kind="main" icon="check" isBusy={saving.isBusy} onClick={() => saving.run(() => approve(id, {}))}>
              {t.approve}
            </Button>
          )}
          <Button kind="danger" isBusy={saving.isBusy} onClick={refuse}>
            {t.deny}
          </Button>
        </div>
      ) : (
        <p role="status">{t.decidedMeanwhile}</p>
      )}
    </div>
  )
}

/** Decides on a request for access in its notification. */
export const Deciding = ({ id, done }: { id: number; done: () => void }) => (
  <Loaded of={requestOf(id)} shape={<Skeleton count={1} height={4} shape="line" />}>
    {(request) => <Form key={id} request={request} done={done} />}
  </Loaded>
)
