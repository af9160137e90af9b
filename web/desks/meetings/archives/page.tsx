import './style.css'
import { useEffect } from 'preact/hooks'
import { useTitle } from '../../../frame/site.ts'
import { DaysPick } from '../../../parts/lists/filters/days-pick.tsx'
import { Picks } from '../../../parts/lists/filters/picks.tsx'
import { day, id } from '../../../parts/lists/filters/reading.ts'
import { useFilters } from '../../../parts/lists/filters/use-filters.ts'
import { useKept } from '../../../parts/lists/state.ts'
import { Hint } from '../../../parts/overlay/hint.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Empty } from '../../../parts/show/empty.tsx'
import { Failed } from '../../../parts/show/failed.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { Skeleton } from '../../../parts/show/skeleton.tsx'
import { hijriDay, longDay } from '../../../platform/dates.ts'
import type { Language } from '../../../platform/language.ts'
import { PART, useList } from '../../../platform/list.ts'
import { onEvent } from '../../../platform/live.ts'
import { at } from '../../../platform/router.ts'
import { officeDay } from '../shared/office.ts'
import { standing } from '../shared/standing.ts'
import type { Archive } from './data.ts'
import { byDay, newestOf } from './days.ts'
import { PrintForm, usePrinting } from './print-form.tsx'
import { Row, Stale } from './row.tsx'
import { Sheet } from './sheet.tsx'
import { t } from './texts.ts'

/** The schedules as they were printed, and a form that prints a day. */
export default function ArchivesPage() {
  useTitle(t.title)
  const { values, set } = useFilters({ from: day, to: day, date: day, open: id })
  const { from, to, date = officeDay(), open } = values
  const list = useList('/executive-meetings/pdf-archives', { ...(from && { from }), ...(to && { to }) })
  const parts = useKept('parts', 1)
  useEffect(() => list.show(0, parts.value * PART), [parts.value])
  const archives = Array.from({ length: list.length }, (_, index) => list.at(index)).filter((one) => one !== undefined)
  const printing = usePrinting((made) => set({ open: made.id }))
  const { made, lost } = printing
  const opened = archives.find((one) => one.id === open) ?? (made.value?.id === open ? made.value : undefined)
  useEffect(
    () =>
      onEvent('pdf_archive_changed', (event) => {
        if (event.status !== 'removed' || event.id !== open) return
        lost.value = opened
        set({ open: undefined })
      }),
    [open, opened],
  )
  const mayPrint = standing.data?.canMutate
  const again = ({ date, language }: Archive) => printing.run(date, language as Language)
  return (
    <div class="prints">
      <div class="section-head">
        <h1>{t.title}</h1>
        <a class="button" href={at('/meetings/archives/fonts')}>
          <Icon name="settings" />
          {t.fonts}
        </a>
      </div>
      <Hint of="meetings/archives">{t.purpose}</Hint>
      {mayPrint && (
        <PrintForm
          date={date}
          choose={(chosen) => set({ date: chosen })}
          printing={printing}
          known={archives}
          open={(one) => set({ open: one.id })}
        />
      )}
      <div class="prints-body" data-open={open !== undefined || undefined}>
        {open !== undefined && <Sheet key={open} archive={opened} isKnown={list.isKnown} close={() => set({ open: undefined })} />}
        <section class="prints-list" aria-label={t.list}>
          {(from || to || archives.length > 0) && (
            <Picks>
              <DaysPick office={officeDay()} from={from} to={to} change={({ from, to }) => set({ from, to })} />
            </Picks>
          )}
          {list.error ? (
            <Failed title={t.list} failure={list.error} retry={list.refresh} />
          ) : !list.isKnown ? (
            <Skeleton count={4} shape="line" height={3.5} />
          ) : archives.length === 0 ? (
            <Empty icon="printer" title={from || to ? t.noneFound : t.none}>
              {from || to ? undefined : t.noneHint}
            </Empty>
          ) : (
            <Days archives={archives} open={open} choose={(one) => set({ open: one.id })} again={mayPrint ? again : undefined} />
          )}
          {archives.length >= PART && archives.length < list.length && <Button onClick={() => parts.value++}>{t.more}</Button>}
        </section>
      </div>
    </div>
  )
}

interface DaysProps {
  archives: readonly Archive[]
  open: number | undefined
  choose: (archive: Archive) => void
  again: ((archive: Archive) => void) | undefined
}

/** Printed sheets, grouped by the day that they show. */
const Days = ({ archives, open, choose, again }: DaysProps) =>
  [...byDay(archives)].map(([date, of]) => {
    const newest = newestOf(of)
    return (
      <section key={date} aria-label={longDay(date, 'UTC')}>
        <h2 class="prints-day">
          {longDay(date, 'UTC')} <span class="quiet">{hijriDay(date, 'UTC')}</span>
        </h2>
        <ul class="prints-rows">
          {of.map((one) => (
            <li key={one.id}>
              <Row archive={one} isOpen={one.id === open} choose={() => choose(one)} />
              {one.stale && newest.has(one) && <Stale archive={one} again={again && (() => again(one))} />}
            </li>
          ))}
        </ul>
      </section>
    )
  })
