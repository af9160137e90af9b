import './style.css'
import { useTitle } from '../../../frame/site.ts'
import { type Days, lastDays } from '../../../parts/forms/calendar/days.ts'
import { Span } from '../../../parts/forms/calendar/span.tsx'
import { addressWith } from '../../../parts/lists/filters/address.ts'
import { useFilters } from '../../../parts/lists/filters/use-filters.ts'
import { utcDay } from '../../../parts/lists/filters/utc-day.ts'
import { Hint } from '../../../parts/overlay/hint.tsx'
import { Avatar } from '../../../parts/show/avatar.tsx'
import { Bars } from '../../../parts/show/chart/bars.tsx'
import { LinesChart } from '../../../parts/show/chart/lines-chart.tsx'
import { Empty } from '../../../parts/show/empty.tsx'
import { Failed } from '../../../parts/show/failed.tsx'
import { Skeleton } from '../../../parts/show/skeleton.tsx'
import { today } from '../../../platform/ago.ts'
import { hijriDay, shortDay } from '../../../platform/dates.ts'
import { learned } from '../../../platform/hints.ts'
import { formatNumber, locale, named, nameOf } from '../../../platform/language.ts'
import { go } from '../../../platform/router.ts'
import { changeOf, kinds, lowestOf, MOST, presets, type Stats, statsOf, windowBefore, windowOf } from './data.ts'
import { Openings } from './openings.tsx'
import { type Piece, t } from './texts.ts'
import { AppTile } from './tile.tsx'

/** A day as “Wednesday 11 November”. The year is shown above. */
const dayName = (day: string) =>
  new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long' }).format(new Date(day))

const plain = (pieces: readonly Piece[]) => pieces.map((piece) => (typeof piece === 'string' ? piece : piece[1])).join('')

function Lead({ pieces }: { pieces: readonly Piece[] }) {
  return (
    <p class="stats-lead">
      {pieces.map((piece, index) =>
        typeof piece === 'string' ? (
          piece
        ) : (
          <strong key={index} data-kind={piece[0]}>
            {piece[1]}
          </strong>
        ),
      )}
    </p>
  )
}

function inWords(stats: Stats) {
  const { newUsersInRange, newUsersPrevRange, servicesCreatedInRange, activeServices, inactiveServices } = stats
  const off = inactiveServices ? t.off(inactiveServices) : ''
  return `${t.joined(newUsersInRange)} ${t.joinedBefore(formatNumber(newUsersPrevRange))}${t.comma}${t.added(servicesCreatedInRange)}${t.comma}${t.active(activeServices)}${off}.`
}

interface FiguresProps {
  stats: Stats
  former: Stats | undefined
  isTable: boolean
  change: (isTable: boolean) => void
  open: (what: 'app' | 'user', id: number) => void
}

function Figures({ stats, former, isTable, change, open }: FiguresProps) {
  const { range, rangeDays, rangeFrom, rangeTo, appOpensByDay, appOpensInRange, appOpensPrevRange, topApps, mostActiveUsers } = stats
  const days = (format: typeof shortDay) => t.fromTo(format(rangeFrom, 'UTC'), format(rangeTo, 'UTC'))
  const lead = t.lead(appOpensInRange, rangeDays, range === 'custom', changeOf(appOpensInRange, appOpensPrevRange))
  const lowest = appOpensInRange > 0 ? lowestOf(appOpensByDay, utcDay()) : undefined
  const note = lowest && t.lowest(dayName(lowest.date), lowest.count)
  return (
    <>
      {appOpensInRange > 0 && <Lead pieces={lead} />}
      <p class="quiet stats-days">
        <span>{days(shortDay)}</span> <span class="small">{days(hijriDay)}</span>
        {utcDay() !== today() && <span class="small">{t.utc}</span>}
      </p>
      {appOpensInRange === 0 ? (
        <Empty icon="chart-line" title={t.empty}>
          {t.emptyHint}
        </Empty>
      ) : (
        <LinesChart
          sentence={`${plain(lead)} ${note ?? ''}`}
          label={t.now}
          before={t.before}
          points={appOpensByDay.map(({ date, count }, index) => ({ day: date, value: count, before: former?.appOpensByDay[index]?.count }))}
          isTable={isTable}
          change={change}
        >
          {note}
        </LinesChart>
      )}
      <p class="quiet">{inWords(stats)}</p>
      {appOpensInRange > 0 && (
        <div class="stats-tops">
          <section>
            <h2>{t.topApps}</h2>
            <Bars
              label={t.topApps}
              rows={topApps}
              id={({ appId }) => appId}
              value={({ count }) => count}
              open={({ appId }) => open('app', appId)}
            >
              {(app) => (
                <span class="stats-name">
                  <AppTile app={app} />
                  <bdi>{named(app)}</bdi>
                </span>
              )}
            </Bars>
          </section>
          <section>
            <h2>{t.topPeople}</h2>
            <Bars
              label={t.topPeople}
              rows={mostActiveUsers}
              id={({ userId }) => userId}
              value={({ count }) => count}
              open={({ userId }) => open('user', userId)}
            >
              {(person) => (
                <span class="stats-name">
                  <Avatar person={person} size={28} />
                  <bdi>{nameOf(person)}</bdi>
                </span>
              )}
            </Bars>
          </section>
        </div>
      )}
    </>
  )
}

/** The numbers of app openings and of new people in a window of days, compared with the window before. */
export default function Statistics() {
  useTitle(t.title)
  const { values, set } = useFilters(kinds)
  const { range, from, to, app, user, as } = values
  const window = windowOf(range, from, to)
  const stats = window && statsOf(window)
  const data = stats?.data
  // Loaded only after the numbers of the window itself, which therefore show first.
  const former = data && statsOf(windowBefore(data)).data
  const custom: Days =
    range === 'custom' ? { from: from ?? '', to: to ?? '' } : data ? { from: data.rangeFrom, to: data.rangeTo } : lastDays(30, utcDay())
  const open = (what: 'app' | 'user', id: number) => {
    learned('admin/statistics')
    go(addressWith({ app: '', user: '', [what]: String(id) }))
  }
  return (
    <>
      <div class="stats-head">
        <h1>{t.title}</h1>
        <Span
          presets={presets}
          value={range === 'custom' ? 'custom' : (Number.parseInt(range ?? '30d', 10) as (typeof presets)[number])}
          days={custom}
          most={MOST}
          choose={(count) => set({ range: count === 30 ? undefined : `${count}d`, from: undefined, to: undefined })}
          change={(days) => set({ range: 'custom', from: days.from || undefined, to: days.to || undefined })}
          max={utcDay()}
        />
      </div>
      <Hint of="admin/statistics">{t.purpose}</Hint>
      <div class="beside-page">
        <div class="stats">
          {data ? (
            <Figures
              stats={data}
              former={former}
              isTable={as === 'table'}
              change={(isTable) => set({ as: isTable ? 'table' : undefined })}
              open={open}
            />
          ) : stats?.error ? (
            <Failed title={t.failed} failure={stats.error} retry={() => stats.refresh()} />
          ) : (
            stats && <Skeleton count={2} height={10} />
          )}
        </div>
        {window && app !== undefined && <Openings key={`app ${app}`} of="app" id={app} window={window} />}
        {window && app === undefined && user !== undefined && <Openings key={`user ${user}`} of="user" id={user} window={window} />}
      </div>
    </>
  )
}
