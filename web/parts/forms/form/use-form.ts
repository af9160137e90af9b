import { batch, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { Resource } from '../../../platform/cache.ts'
import { draft } from '../../../platform/drafts.ts'
import { Refusal, type RefusalCode } from '../../../platform/refusal.ts'
import { visit } from '../../../platform/router.ts'
import { say } from '../../overlay/toasts.tsx'
import { sayFailure } from '../../show/failures.ts'
import { useDrawn, useSaving } from '../saving.ts'
import { isNothing, isSame, meet, reverse, withSent } from './merging.ts'
import { t } from './texts.ts'

/** The values of a record as a form shows them, and the version of the record. */
export interface Opened<V> {
  from: V
  version?: string | undefined
}

type Field<V> = keyof V & string
type TextField<V> = { [K in Field<V>]: V[K] extends string ? K : never }[Field<V>]

export interface Overlap<V> {
  field: Field<V>
  mine: V[Field<V>]
  theirs: V[Field<V>]
  chosen?: 'mine' | 'theirs' | 'own'
}

interface Kept<V> extends Opened<V> {
  mine: Partial<V>
}

export interface FormOptions<V extends object> extends Opened<V> {
  /** Sends the changes. Returns the values as they are now; undefined means that the sent values were saved. */
  save: (changed: Partial<V>, version: string | undefined, all: V) => Promise<Opened<V> | undefined | void>
  /** The fields to which refusals belong, by code, for refusals that do not name a field. */
  fieldOf?: Partial<Record<RefusalCode, Field<V>>>
  /** The message if the portal does not answer. */
  unreached?: string
  /** The key, such as `group:7`, under which the device keeps a draft until it is saved or discarded. */
  draft?: string
  /** Loads the record again after somebody else has changed it. */
  reread?: () => Promise<Opened<V>>
  /** Loads the name of the person who changed the record last. */
  by?: () => Promise<string>
  /**
   * The consequences of saving, as labels of the button: `said` returns the present label (undefined while it may not be pressed), `of` the
   * label for given values. A merge is saved without another press only if both are the same.
   */
  foreseen?: { said: () => string | undefined; of: (values: V, isAnew?: boolean) => Promise<string | undefined> }
  /** Whether the record does not exist yet. Values of `from` that are newer than its draft then replace the draft's without a question. */
  isNew?: boolean
  /** The fields for which the `from` of a new record only suggests values, such as a day. What the person has chosen stays. */
  suggested?: readonly Field<V>[]
  /** Whether the form of a record is sent even without changes. */
  sendsUnchanged?: boolean
  /** Shows a field that is hidden, such as on another tab. */
  reveal?: (field: Field<V>) => void
  /** Called after a save, for example to open the new record. Do so only if `isThere`: the person may have left the page or form since. */
  after?: (isThere: boolean) => void
  /** The text of the toast after a save; '' for none. */
  saidOf?: (changed: Partial<V>) => string
  /** Whether the toast offers to undo the save. */
  canUndo?: boolean
}

/** A `reread` function for a form. `valuesOf` gives the part of the record that the form edits. */
export const rereading =
  <R, V>(record: Resource<R>, valuesOf: (record: R) => V) =>
  async () => {
    await record.refresh()
    return { from: valuesOf(await record.load()), version: record.version }
  }

/**
 * The state of a form that edits a record; its fields are those of `from`. The form follows the record until something is typed. Afterwards
 * it merges other people's changes, and asks only about fields that both sides changed differently. Each record needs its own form: give
 * the component the record's id as its `key`.
 */
export function useForm<V extends object>(options: FormOptions<V>) {
  const latest = useRef(options)
  latest.current = options
  const opened = useSignal<Opened<V>>({ from: options.from, version: options.version })
  const mine = useSignal<Partial<V>>({})
  const overlaps = useSignal<readonly Overlap<V>[]>([])
  const isRestored = useSignal(false)
  const name = useSignal('')
  const isDrawn = useDrawn()
  /** The fields that the person has changed since the changes were last sent. */
  const touched = useRef(new Set<Field<V>>())
  /** The changes that were sent since the last save that was answered. */
  const unanswered = useRef<Partial<V>[]>([])
  /** Whether somebody else has made all the changes that the person had made. */
  const isMadeByOther = useRef(false)
  const fields = Object.keys(options.from) as Field<V>[]
  const kept = useMemo(() => (options.draft ? draft<Kept<V> | null>(`form:${options.draft}`, null) : undefined), [options.draft])
  const keep = () => {
    if (kept && !isNothing(mine.peek())) kept.value.value = { ...opened.peek(), mine: mine.peek() }
    else if (kept?.value.peek()) kept.drop()
  }

  /** Rebases the changes onto the current record. */
  function rebase(now: Opened<V>) {
    const found = meet(withSent(opened.peek().from, unanswered.current, now.from), mine.peek(), now.from)
    const { isNew, suggested = [] } = latest.current
    if (isNew) for (const field of found.overlaps.splice(0)) if (!suggested.includes(field)) delete found.mine[field]
    const standing = overlaps.peek().filter(({ field }) => field in found.mine && !found.overlaps.includes(field))
    const met = found.overlaps.map((field) => ({ field, mine: found.mine[field] as V[Field<V>], theirs: now.from[field] }))
    if (met.length > 0) askWho()
    if (isNothing(found.mine) && !isNothing(mine.peek())) isMadeByOther.current = true
    batch(() => {
      opened.value = now
      mine.value = found.mine
      overlaps.value = [...standing, ...met]
    })
    keep()
  }
  const askWho = async () => {
    name.value = (await latest.current.by?.().catch(() => '')) ?? ''
  }

  useEffect(() => {
    let isFirst = true
    return kept?.value.subscribe((found) => {
      if (found === undefined || !isFirst) return
      isFirst = false
      if (!found || !isNothing(mine.peek()) || !found.mine) return
      const { from, version } = latest.current
      batch(() => {
        opened.value = { from: found.from, version: found.version }
        mine.value = found.mine
        isRestored.value = true
      })
      if (version !== found.version || !isSame(from, found.from)) rebase({ from, version })
    })
  }, [kept])

  const state = JSON.stringify(options.from)
  useEffect(() => {
    if (options.version !== opened.peek().version || !isSame(options.from, opened.peek().from))
      rebase({ from: options.from, version: options.version })
  }, [options.version, state])

  const values = { ...opened.value.from, ...mine.value }
  const all = () => ({ ...opened.peek().from, ...mine.peek() })
  const isChanged = !isNothing(mine.value)
  const foreseenFor = useRef(options.version)
  useLayoutEffect(() => {
    // Updates the preview of the consequences. Before painting, in time for a key that follows at once.
    latest.current.foreseen?.of(values, foreseenFor.current !== options.version)
    foreseenFor.current = options.version
  }, [JSON.stringify(mine.value), state, options.version])

  function set<K extends Field<V>>(field: K, value: V[K]) {
    const { [field]: _, ...rest } = mine.peek()
    touched.current.add(field)
    const isBack = isSame(value, opened.peek().from[field]) && !unanswered.current.some((sent) => field in sent)
    isMadeByOther.current = false
    batch(() => {
      mine.value = isBack ? (rest as Partial<V>) : { ...mine.peek(), [field]: value }
      overlaps.value = overlaps.peek().map((one) => (one.field === field && !one.chosen ? { ...one, chosen: 'own' } : one))
    })
    keep()
  }

  const saving = useSaving(
    async (): Promise<void> => {
      if (overlaps.peek().some(({ chosen }) => !chosen)) return
      const { save, reread, foreseen } = latest.current
      const isThere = visit()
      const said = foreseen?.said()
      let [isAgain, isMerged] = [false, false]
      for (;;) {
        const { from, version } = opened.peek()
        const sent = mine.peek()
        touched.current.clear()
        unanswered.current.push(sent)
        try {
          const now = (await save(sent, version, all())) ?? { from: { ...from, ...sent } }
          // Somebody else’s version may have arrived during the save. Only the portal knows whether that version or the saved one is newer.
          const isOvertaken = [from, now.from].every((one) => !isSame(one, opened.peek().from))
          done(from, sent, now, isMerged)
          if (isOvertaken && reread) reread().then(rebase, () => {})
          return latest.current.after?.(isThere() && isDrawn())
        } catch (failure) {
          if (failure instanceof Refusal && failure.status < 500) unanswered.current.pop()
          if (!(failure instanceof Refusal && failure.code === 'changed_meanwhile' && reread)) throw failure
          const now = await reread()
          isMerged ||= !isSame(withSent(from, unanswered.current, now.from), now.from)
          rebase(now)
          if (overlaps.peek().some(({ chosen }) => !chosen)) return
          if (isNothing(mine.peek())) return end(isThere() && isDrawn())
          if (isAgain) throw failure
          // If the merged changes have consequences other than those shown, they are not saved before another press.
          if (said !== (await foreseen?.of(all(), true))) return
          isAgain = true
          if (isMerged) await askWho()
        }
      }
    },
    { fields, fieldOf: options.fieldOf, unreached: options.unreached },
  )

  /** Ends the form as if it had saved changes that somebody else has made. */
  function end(isThere: boolean) {
    say({ text: t.saved })
    latest.current.after?.(isThere)
  }

  function done(former: V, sent: Partial<V>, now: Opened<V>, isMerged: boolean) {
    // Only fields that were touched since the request was sent can hold unsaved text. A field that was changed back is no longer among the
    // changes, but differs from what was saved. An untouched field may show other people’s changes.
    const shown = all()
    const typedSince = Object.fromEntries(
      [...touched.current]
        .filter((field) => !isSame(shown[field], sent[field]) && !isSame(shown[field], now.from[field]))
        .map((field) => [field, shown[field]]),
    ) as Partial<V>
    isMadeByOther.current = false
    batch(() => {
      opened.value = now
      mine.value = typedSince
      overlaps.value = []
      isRestored.value = false
    })
    keep()
    unanswered.current = []
    const { saidOf, canUndo, save } = latest.current
    const undo = () =>
      void save(reverse(former, sent), now.version, former).then((then) => {
        if (then) rebase(then)
        say({ text: t.takenBack })
      }, sayFailure)
    const said = isMerged ? t.savedTogether(name.peek()) : (saidOf?.(sent) ?? t.saved)
    if (said) say({ text: said, ...(canUndo && { undo }) })
  }

  return {
    values,
    set,
    /** The props that connect a text field to its value and its error. */
    text: (field: TextField<V>) => ({
      name: field,
      value: values[field] as string,
      error: saving.error(field),
      onInput: (event: { currentTarget: { value: string } }) => set(field, event.currentTarget.value as V[typeof field]),
    }),
    /** The props that connect a field for a day or a time to its value and its error. */
    moment: (field: TextField<V>) => ({
      name: field,
      value: values[field] as string,
      error: saving.error(field),
      change: (moment: string) => set(field, moment as V[typeof field]),
    }),
    error: saving.error,
    unfilled: saving.unfilled,
    problem: saving.problem,
    isBusy: saving.isBusy,
    failure: saving.failure,
    isFilled: saving.isFilled,
    isChanged,
    /** As `isChanged`, but up to date even before the page has rendered. */
    hasChanges: () => !isNothing(mine.peek()),
    /** Like `values`, but current even in a callback from an earlier render. */
    now: all,
    changed: mine.value,
    /** Saves the changes. Without changes to a record, nothing is sent. */
    async submit() {
      const { foreseen, version, sendsUnchanged } = latest.current
      const isUnchanged = isNothing(mine.peek()) && overlaps.peek().length === 0
      if (isUnchanged && !sendsUnchanged && (version !== undefined || foreseen)) {
        if (isMadeByOther.current) end(true)
      } else if (!foreseen || foreseen.said() !== undefined) await saving.run()
    },
    discard() {
      batch(() => {
        mine.value = {}
        overlaps.value = []
        isRestored.value = false
      })
      keep()
    },
    /** Whether the changes come from a draft of an earlier visit. */
    isRestored: isRestored.value && isChanged,
    fields,
    isKept: kept !== undefined,
    overlaps: overlaps.value,
    choose({ field, mine: typed, theirs }: Overlap<V>, chosen: 'mine' | 'theirs' | 'own') {
      set(field, chosen === 'theirs' ? theirs : typed)
      overlaps.value = overlaps.peek().map((one) => (one.field === field ? { ...one, chosen } : one))
    },
    /** The name of the person who changed the record since it was opened; '' while it is unknown. */
    changedBy: name.value,
    reveal: options.reveal,
    /** The record that the changes are based on. */
    from: opened.value.from,
  }
}

export type FormState<V extends object> = ReturnType<typeof useForm<V>>
