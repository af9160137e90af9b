import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId } from 'preact/hooks'
import { formatNumber, isolated } from '../../../platform/language.ts'
import { Button } from '../../show/button.tsx'
import { copy } from '../../show/copying.ts'
import { meaningOf, report } from '../../show/failures.ts'
import { t as words } from '../../texts.ts'
import { type Resolved, sortResolved } from './staged.ts'
import { t } from './texts.ts'

interface PastedProps<Item> {
  texts: readonly string[]
  resolve: (texts: string[]) => Promise<Resolved<Item>[]>
  id: (item: Item) => number
  isIn: (item: Item) => boolean
  add: (items: readonly Item[]) => void
  close: () => void
  children: (item: Item) => ComponentChildren
}

/** How many lines the portal looks up in one call. */
const AT_ONCE = 500
/** The most lines that may be pasted. */
const MOST = 5000
/** The most matches offered for an ambiguous text. */
const OFFERED = 6

/** The result of pasting a list: matches are staged at once, ambiguous texts need a choice, and the rest can be copied. */
export function Pasted<Item>({ texts, resolve, id, isIn, add, close, children }: PastedProps<Item>) {
  const heading = useId()
  const sorted = useSignal<ReturnType<typeof sortResolved<Item>> | undefined>(undefined)
  const problem = useSignal('')
  const isTooLong = texts.length > MOST
  const look = async () => {
    problem.value = ''
    try {
      const all: Resolved<Item>[] = []
      for (let from = 0; from < texts.length; from += AT_ONCE) all.push(...(await resolve(texts.slice(from, from + AT_ONCE))))
      sorted.value = sortResolved(all, id, isIn)
      add(sorted.value.found)
    } catch (failure) {
      report(failure)
      problem.value = meaningOf(failure)
    }
  }
  useEffect(() => {
    if (!isTooLong) look()
  }, [])
  const result = sorted.value
  const counts = result && [
    t.foundCount(formatNumber(result.found.length)),
    ...(result.already.length > 0 ? [t.alreadyCount(formatNumber(result.already.length))] : []),
    ...(result.ambiguous.length > 0 ? [t.ambiguousCount(formatNumber(result.ambiguous.length))] : []),
    ...(result.missing.length > 0 ? [t.missingCount(formatNumber(result.missing.length))] : []),
  ]
  return (
    <section class="set-pasted" aria-labelledby={heading}>
      <div class="set-pasted-head">
        <h2 id={heading}>{t.pasted}</h2>
        <Button kind="plain" icon="x" aria-label={words.close} onClick={close} />
      </div>
      <p role="status">
        {isTooLong ? t.tooMany(formatNumber(MOST)) : (counts?.join(t.comma) ?? (problem.value ? '' : t.looking(texts.length)))}
      </p>
      {problem.value && (
        <p class="error" role="alert">
          {problem} <Button onClick={look}>{words.retry}</Button>
        </p>
      )}
      {result?.ambiguous.map(({ text, matches }) => (
        <fieldset key={text} class="set-which">
          <legend>{t.which(isolated(text))}</legend>
          {matches.slice(0, OFFERED).map((item) => (
            <button
              key={id(item)}
              type="button"
              class="set-choice"
              onClick={() => {
                sorted.value = { ...result, ambiguous: result.ambiguous.filter((one) => one.text !== text) }
                add([item])
              }}
            >
              {children(item)}
            </button>
          ))}
          {matches.length > OFFERED && <p class="quiet small">{t.more}</p>}
        </fieldset>
      ))}
      {result && result.missing.length > 0 && (
        <div class="set-missing">
          <h3>{t.missing}</h3>
          <p class="small" dir="auto">
            {result.missing.join(t.comma)}
          </p>
          <Button icon="copy" onClick={() => copy(result.missing.join('\n'), t.copied)}>
            {t.copy}
          </Button>
        </div>
      )}
    </section>
  )
}
