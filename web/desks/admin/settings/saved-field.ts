import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { say } from '../../../parts/overlay/toasts.tsx'
import { meaningOf, report, sayFailure } from '../../../parts/show/failures.ts'
import { isReached } from '../../../platform/client.ts'
import { draft } from '../../../platform/drafts.ts'
import { learned } from '../../../platform/hints.ts'
import { Unreached } from '../../../platform/refusal.ts'
import { type Field, Overtaken, type Settings, saveField, settings } from './data.ts'
import { t } from './texts.ts'

/** A saved change can be undone for this long. */
const UNDO_MS = 10_000

/** Says that a field was saved, and offers to restore `from`. */
function offerUndo<F extends Field>(field: F, value: Settings[F], from: Settings[F], text: string) {
  learned('admin/settings')
  const undo = () =>
    saveField(field, from, value).then(
      () => say({ text: t.putBack(t[field]), about: field }),
      (failure) => (failure instanceof Overtaken ? say({ text: t.notUndone, kind: 'error', about: field }) : sayFailure(failure)),
    )
  say({ text, about: field, undo, undoUntil: Date.now() + UNDO_MS })
}

/** Saves a choice at once, with undo. */
export async function choose<F extends Field>(field: F, value: Settings[F], text = t.saved(t[field])) {
  const from = settings.peek()?.[field] as Settings[F]
  if (from === value) return
  try {
    await saveField(field, value, from)
    offerUndo(field, value, from, text)
  } catch (failure) {
    if (failure instanceof Overtaken) say({ text: t.notUndone, kind: 'error', about: field })
    else sayFailure(failure)
  }
}

type TextField = 'siteNameAr' | 'siteNameEn' | 'footerTextAr' | 'footerTextEn'

/** A text that is saved when its field loses focus. Until then the device stores it, with the text that it replaces. */
export function useText(field: TextField, saved: string) {
  const kept = useMemo(() => draft<{ typed: string; from: string } | null>(`settings:${field}`, null), [field])
  const isBusy = useSignal(false)
  const failure = useSignal<unknown>(undefined)
  const tried = useRef<string>(undefined)
  const typed = kept.value.value
  const isOvertaken = failure.value instanceof Overtaken

  async function save(from = typed?.from) {
    const value = typed?.typed.trim()
    if (isBusy.peek() || value === undefined || from === undefined) return
    if (value === '' || (value === from && tried.current === undefined)) return leave()
    const former = tried.current
    tried.current = value
    isBusy.value = true
    failure.value = undefined
    try {
      await saveField(field, value, from, former)
      tried.current = undefined
      if (kept.value.peek()?.typed.trim() === value) kept.drop()
      offerUndo(field, value, from, t.saved(t[field]))
    } catch (thrown) {
      if (!(thrown instanceof Overtaken)) report(thrown)
      if (!(thrown instanceof Unreached)) tried.current = undefined
      failure.value = thrown
    } finally {
      isBusy.value = false
    }
  }
  /** Discards the typed text. */
  function leave() {
    failure.value = undefined
    kept.drop()
  }
  useEffect(() => {
    if (isReached.value && failure.peek() instanceof Unreached) save()
  }, [isReached.value])
  const problem = () => {
    if (typed?.typed.trim() === '') return t.missing
    if (isOvertaken) return t.overtaken(saved)
    return failure.value ? meaningOf(failure.value, t.later) : undefined
  }
  return {
    value: typed?.typed ?? saved,
    error: problem(),
    isBusy: isBusy.value,
    isOvertaken,
    type: (text: string) => {
      kept.value.value = text === saved && !typed ? null : { typed: text, from: typed?.from ?? saved }
    },
    save: () => save(),
    /** Overwrites the text that somebody else has saved meanwhile. */
    keepMine: () => save(saved),
    leave,
  }
}
