import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { plus } from '../../../parts/forms/calendar/days.ts'
import { Button } from '../../../parts/show/button.tsx'
import { meaningOf, report } from '../../../parts/show/failures.ts'
import { Icon } from '../../../parts/show/icon.tsx'
import { Segments } from '../../../parts/show/segments.tsx'
import { resource } from '../../../platform/cache.ts'
import { longDay } from '../../../platform/dates.ts'
import { formatNumber, type Language, language } from '../../../platform/language.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { at } from '../../../platform/router.ts'
import { officeDay } from '../shared/office.ts'
import { SMALLEST } from './choosing.ts'
import { type Fields, preview } from './data.ts'
import { t } from './texts.ts'

/** The preview is requested this long after the last choice. */
const SETTLED_MS = 250

/** The days with meetings of the half-year before today and the half-year after it. */
const daysAround = (today: string) => resource('/executive-meetings/dates', { query: { from: plus(today, -183), to: plus(today, 183) } })
/** The first day from today on that has meetings, or else the last day before it, or else today. */
const dayShown = (today: string, all: readonly { date: string }[]) =>
  all.find(({ date }) => date >= today)?.date ?? all.at(-1)?.date ?? today

/** A text that says why there is no preview. */
function why(failure: unknown) {
  if (!(failure instanceof Refusal && failure.code === 'too_much_to_print')) return meaningOf(failure)
  const [size, largest] = [Number(failure.body['fontSize']), Number(failure.body['largestFontSize'])]
  return largest < SMALLEST ? t.tooLongAnyway : t.tooLong(formatNumber(size), formatNumber(largest))
}

interface Shown {
  url: string
  page: number
  pages: number
}

/** A page of the day that `dayShown` returns, rendered by the program that makes the PDF. */
export function Preview({ settings }: { settings: Fields }) {
  const chosen = useSignal<Language | undefined>(undefined)
  const page = useSignal(1)
  const tries = useSignal(0)
  const shown = useSignal<Shown | undefined>(undefined)
  const failure = useSignal<unknown>(undefined)
  const isComing = useSignal(true)
  const inLanguage = chosen.value ?? language.value
  const today = officeDay()
  const days = daysAround(today)
  const date = dayShown(today, days.data ?? [])
  const isKnown = days.data !== undefined || days.error !== undefined
  useEffect(() => {
    if (!isKnown) return
    const aborting = new AbortController()
    isComing.value = true
    async function ask() {
      try {
        const { svg, ...where } = await preview({ date, language: inLanguage, settings, page: page.value }, aborting.signal)
        if (shown.peek()) URL.revokeObjectURL(shown.peek()!.url)
        shown.value = { ...where, url: URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' })) }
        failure.value = undefined
      } catch (thrown) {
        if (aborting.signal.aborted) return
        report(thrown)
        failure.value = thrown
      }
      isComing.value = false
    }
    const timer = setTimeout(ask, shown.peek() ? SETTLED_MS : 0)
    return () => {
      clearTimeout(timer)
      aborting.abort()
    }
  }, [isKnown, date, inLanguage, JSON.stringify(settings), page.value, tries.value])
  useEffect(
    () => () => {
      if (shown.peek()) URL.revokeObjectURL(shown.peek()!.url)
    },
    [],
  )
  const { pages = 1, page: here = 1, url } = shown.value ?? {}
  const number = (of: number) => formatNumber(of)
  return (
    <section class="fonts-preview" aria-label={t.preview}>
      <div class="fonts-head">
        <p class="quiet small" role="status">
          {failure.value || !url ? '' : t.pageOf(number(here), number(pages))}
        </p>
        <Segments
          label={t.language}
          of={(['ar', 'en'] as const).map((one) => [one, t.languages[one]] as const)}
          value={inLanguage}
          choose={(one) => {
            chosen.value = one
          }}
        />
        {pages > 1 && (
          <>
            <Button
              icon="arrow-left"
              aria-label={t.before}
              disabled={here <= 1}
              onClick={() => {
                page.value = here - 1
              }}
            />
            <Button
              icon="arrow-right"
              aria-label={t.after}
              disabled={here >= pages}
              onClick={() => {
                page.value = here + 1
              }}
            />
          </>
        )}
        <a class="button" href={at(`/meetings/archives?date=${date}`)}>
          <Icon name="printer" />
          {t.print}
        </a>
      </div>
      <div class="fonts-desk" aria-busy={isComing.value}>
        {failure.value ? (
          <div class="fonts-failure" role="alert">
            <p>{why(failure.value)}</p>
            <Button onClick={() => tries.value++}>{t.again}</Button>
          </div>
        ) : url ? (
          <img src={url} alt={t.sheet(longDay(date, 'UTC'), number(here))} />
        ) : (
          <p class="fonts-failure" role="status">
            {t.arranging}
          </p>
        )}
      </div>
    </section>
  )
}
