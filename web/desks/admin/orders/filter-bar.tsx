import { Pick, Picks, SearchPick } from '../../../parts/lists/filters/picks.tsx'
import { t as filters } from '../../../parts/lists/filters/texts.ts'
import { utcDay } from '../../../parts/lists/filters/utc-day.ts'
import { SearchField } from '../../../parts/lists/search-field.tsx'
import { Avatar } from '../../../parts/show/avatar.tsx'
import { resource } from '../../../platform/cache.ts'
import { shortDay } from '../../../platform/dates.ts'
import { matches } from '../../../platform/folded.ts'
import { formatNumber, named, nameOf } from '../../../platform/language.ts'
import { type Filters, findReceivers } from './data.ts'
import { t } from './texts.ts'

const spans = ['1', '7', '30'] as const
/** The first of the last `days` days. */
const firstOf = (days: string) => utcDay(Number(days) - 1)

const services = resource('/services')
/** The id as a text, shown while a name is loading or if it is unknown. */
const numbered = (id: number) => formatNumber(id, { useGrouping: false })

interface FilterBarProps {
  filters: Filters
  set: (changed: Partial<Filters>) => void
  /** Clears all filters; undefined if none is set. */
  clear: (() => void) | undefined
}

/** The filters except the state. */
export function FilterBar({ filters: { q = '', receiver, service, from, to }, set, clear }: FilterBarProps) {
  const chosen = service === undefined ? undefined : services.data?.find(({ id }) => id === service)
  const person = receiver === undefined ? undefined : resource('/users/{id}', { path: { id: receiver } }).data
  const span = to ? undefined : spans.find((days) => firstOf(days) === from)
  const written = (day: string | undefined) => (day ? shortDay(day, 'UTC') : '')
  return (
    <div class="all-orders-filters">
      <SearchField label={t.search} value={q} change={(typed) => set({ q: typed || undefined })} />
      <Picks clear={clear}>
        <SearchPick
          label={t.receiver}
          all={t.allReceivers}
          chosen={receiver === undefined ? undefined : person ? nameOf(person) : numbered(receiver)}
          find={findReceivers}
          id={({ user }) => user.id}
          choose={(one) => set({ receiver: one?.user.id })}
        >
          {({ user }) => (
            <>
              <Avatar person={user} size={28} />
              <bdi>{nameOf(user)}</bdi>
            </>
          )}
        </SearchPick>
        <SearchPick
          label={t.service}
          all={t.allServices}
          chosen={service === undefined ? undefined : chosen ? named(chosen) : numbered(service)}
          find={async (typed) => (await services.load()).filter(({ nameAr, nameEn }) => matches(typed, nameAr, nameEn))}
          id={({ id }) => id}
          choose={(one) => set({ service: one?.id })}
        >
          {(one) => <bdi>{named(one)}</bdi>}
        </SearchPick>
        <Pick
          label={t.days}
          all={from || to ? t.chosenDays(written(from), written(to)) : t.allDays}
          value={span}
          choices={spans.map((value) =>
            // “Today” would be wrong while the day in UTC is not the reader's.
            value === '1' ? { value, text: written(firstOf(value)), group: filters.utc } : { value, text: t.lastDays(Number(value)) },
          )}
          choose={(days) => set({ from: days && firstOf(days), to: undefined })}
        />
      </Picks>
    </div>
  )
}
