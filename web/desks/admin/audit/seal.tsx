import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { TextField } from '../../../parts/forms/field.tsx'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { copy } from '../../../parts/show/copying.ts'
import { attempt, meaningOf, report } from '../../../parts/show/failures.ts'
import { Icon } from '../../../parts/show/icon.tsx'
import { ago, present } from '../../../platform/ago.ts'
import { formatNumber } from '../../../platform/language.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { health, newestSeal, type Verification, verify } from './data.ts'
import { t } from './texts.ts'

/** Rows that have waited longer for a seal (in ms) are late: a job seals new rows every minute. */
const LATE_MS = 10 * 60_000

const icons = { broken: 'triangle-alert', late: 'triangle-alert', none: 'info', good: 'circle-check' } as const

/**
 * How far the log is sealed. The colour shows whether the log fails its check (`broken`), rows have waited too long (`late`), nothing is
 * sealed yet (`none`), or all is well (`good`).
 */
export function SealState() {
  const ledger = health.data?.ledger
  const sealedAt = newestSeal.data?.at
  const isNone = newestSeal.error instanceof Refusal && newestSeal.error.status === 404
  if (!ledger || !(sealedAt || isNone)) return null
  const isLate = ledger.unsealedSeconds * 1000 > LATE_MS
  const state = ledger.valid === false ? 'broken' : isLate ? 'late' : sealedAt ? 'good' : 'none'
  const text = {
    broken: t.broken,
    late: t.late(ago(new Date(present().getTime() - ledger.unsealedSeconds * 1000))),
    none: t.unsealed,
    good: sealedAt && t.sealed(ago(sealedAt)),
  }
  return (
    <p class="audit-seal" data-state={state}>
      <Icon name={icons[state]} />
      {text[state]}
    </p>
  )
}

/** Opens the check of the whole log. */
export function Verify() {
  const isOpen = useSignal(false)
  return (
    <>
      <Button
        kind="plain"
        onClick={() => {
          isOpen.value = true
        }}
      >
        {t.verify}
      </Button>
      {isOpen.value && (
        <VerifyDialog
          close={() => {
            isOpen.value = false
          }}
        />
      )}
    </>
  )
}

/** Checks the log in portions, optionally against a seal stored elsewhere, and offers the newest seal for copying. */
function VerifyDialog({ close }: { close: () => void }) {
  const checked = useSignal<number | undefined>(undefined)
  const outcome = useSignal<Verification | undefined>(undefined)
  const failure = useSignal('')
  const kept = useSignal('')
  const isStopped = useRef(false)
  const rows = health.data?.ledger.rows
  useEffect(
    () => () => {
      isStopped.current = true
    },
    [],
  )
  async function check() {
    isStopped.current = false
    outcome.value = undefined
    failure.value = ''
    checked.value = 0
    try {
      let from: number | null = 1
      while (from !== null && !isStopped.current) {
        const part: Verification = await verify(from, kept.peek().trim() || undefined)
        checked.value += part.checked
        from = part.nextSeal
        if (from === null) outcome.value = part
      }
    } catch (thrown) {
      report(thrown)
      failure.value = meaningOf(thrown)
    }
    if (!outcome.peek()) checked.value = undefined
  }
  const hand = async () => copy((await newestSeal.load()).seal, t.handed)
  const isRunning = checked.value !== undefined && !outcome.value
  return (
    <Dialog
      title={t.verifyTitle}
      close={close}
      isUnsaved={() => false}
      end={
        <>
          {isRunning ? (
            <Button
              onClick={() => {
                isStopped.current = true
              }}
            >
              {t.stop}
            </Button>
          ) : (
            <Button kind="main" onClick={check}>
              {t.verify}
            </Button>
          )}
          <Button onClick={close}>{t.close}</Button>
        </>
      }
    >
      <p>{t.verifyHint}</p>
      <TextField
        label={t.keptSeal}
        hint={t.keptSealHint}
        dir="ltr"
        spellcheck={false}
        autocomplete="off"
        value={kept.value}
        onInput={(event) => {
          kept.value = event.currentTarget.value
        }}
      />
      {checked.value !== undefined && rows !== undefined && (
        <progress class="audit-progress" value={outcome.value?.valid ? rows : checked.value} max={rows} aria-label={t.verifyTitle} />
      )}
      <p class="audit-seal" role="status" data-state={outcome.value && (outcome.value.valid ? 'good' : 'broken')}>
        {saying()}
      </p>
      <p class="error" role="alert">
        {failure}
      </p>
      <div class="audit-hand">
        <p class="quiet small">{t.handHint}</p>
        <Button icon="copy" onClick={() => attempt(hand())}>
          {t.hand}
        </Button>
      </div>
    </Dialog>
  )

  /** A sentence about the result so far. */
  function saying() {
    if (checked.value === undefined) return
    const count = formatNumber(checked.value)
    if (!outcome.value) return t.verifying(count, rows === undefined ? undefined : formatNumber(rows))
    const { firstMismatch } = outcome.value
    return firstMismatch ? t.mismatch(formatNumber(firstMismatch.id, { useGrouping: false }), t.whats[firstMismatch.what]) : t.valid(count)
  }
}
