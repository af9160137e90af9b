import { type Signal, useSignal } from '@preact/signals'
import { DateField } from '../../../parts/forms/calendar/date-field.tsx'
import { useSaving } from '../../../parts/forms/saving.ts'
import { Button } from '../../../parts/show/button.tsx'
import { Segments } from '../../../parts/show/segments.tsx'
import { ago } from '../../../platform/ago.ts'
import { longDay } from '../../../platform/dates.ts'
import { learned } from '../../../platform/hints.ts'
import { formatNumber, type Language, language } from '../../../platform/language.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { at, visit } from '../../../platform/router.ts'
import { officeDay } from '../shared/office.ts'
import { type Archive, lackingOf, print } from './data.ts'
import { t } from './texts.ts'

/** The smallest font size of a sheet. */
const SMALLEST = 8

interface Printing {
  run: (date: string, language: Language) => Promise<boolean>
  isBusy: boolean
  /** A text that says why a day could not be printed, or ''. */
  problem: string
  /** The sheet that was printed last here, until the list contains it. */
  made: Signal<Archive | undefined>
  /** The sheet that could not be printed even after all tries. */
  lost: Signal<Archive | undefined>
}

/** Prints days; `done` gets the archive that is being made, unless the person has left the page. */
export function usePrinting(done: (made: Archive) => void): Printing {
  const made = useSignal<Archive | undefined>(undefined)
  const lost = useSignal<Archive | undefined>(undefined)
  const asked = useSignal('')
  const saving = useSaving(async (date: string, of: Language) => {
    const isThere = visit()
    asked.value = date
    lost.value = undefined
    made.value = await print(date, of)
    learned('meetings/archives')
    if (isThere()) done(made.value)
  })
  const { failure } = saving
  const tooLong = () => {
    const day = longDay(asked.value, 'UTC')
    const { fontSize, largestFontSize } = (failure as Refusal).body
    return Number(largestFontSize) < SMALLEST
      ? t.tooLongAnyway(day)
      : t.tooLong(day, formatNumber(Number(fontSize)), formatNumber(Number(largestFontSize)))
  }
  const problem = failure instanceof Refusal && failure.code === 'too_much_to_print' ? tooLong() : saving.problem
  return {
    run: saving.run,
    isBusy: saving.isBusy,
    problem: problem || (lost.value ? t.lost(longDay(lost.value.date, 'UTC')) : ''),
    made,
    lost,
  }
}

interface FormProps {
  date: string
  choose: (date: string) => void
  printing: Printing
  known: readonly Archive[]
  open: (archive: Archive) => void
}

/** Prints a day, by default in the person's language. */
export function PrintForm({ date, choose, printing, known, open }: FormProps) {
  const chosen = useSignal<Language | undefined>(undefined)
  const inLanguage = chosen.value ?? language.value
  const same = known.find((one) => one.date === date && one.language === inLanguage && !one.stale)
  const lacking = lackingOf(date, inLanguage).data?.letters ?? []
  return (
    <form
      class="card prints-form"
      aria-label={t.newPrint}
      onSubmit={(event) => {
        event.preventDefault()
        printing.run(date, inLanguage)
      }}
    >
      <DateField required label={t.day} value={date} now={officeDay()} change={choose} />
      <div class="field">
        <span class="label" aria-hidden="true">
          {t.language}
        </span>
        <Segments
          label={t.language}
          of={(['ar', 'en'] as const).map((one) => [one, t.languages[one]] as const)}
          value={inLanguage}
          choose={(one) => {
            chosen.value = one
          }}
        />
      </div>
      <Button type="submit" kind="main" icon="printer" isBusy={printing.isBusy}>
        {t.print(longDay(date, 'UTC'))}
      </Button>
      {lacking.length > 0 && (
        <p class="prints-whole" role="status">
          {t.lacking(lacking.join(' '))}
        </p>
      )}
      {same && !printing.problem && (
        <p class="quiet small prints-whole">
          {t.same(ago(same.createdAt))}{' '}
          <button type="button" class="link" onClick={() => open(same)}>
            {t.openSame}
          </button>
        </p>
      )}
      <p class="error prints-whole" role="alert">
        {printing.problem && (
          <>
            {printing.problem} <a href={at('/meetings/archives/fonts')}>{t.fonts}</a>
          </>
        )}
      </p>
    </form>
  )
}
