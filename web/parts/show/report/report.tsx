import './report.css'
import { formatNumber, inLanguage } from '../../../platform/language.ts'
import { LinesChart } from '../chart/lines-chart.tsx'
import { Empty } from '../empty.tsx'
import { Failed } from '../failed.tsx'
import { Icon } from '../icon.tsx'
import { Skeleton } from '../skeleton.tsx'
import { type Figures, fileOf, type ReportFilter, reportOf, share, workingTime } from './data.ts'
import { t } from './texts.ts'

interface ReportProps {
  filter: ReportFilter
  /** Whether a table replaces the chart. */
  isTable: boolean
  change: (isTable: boolean) => void
}

const nameOf = ({ serviceNameAr, serviceNameEn }: { serviceNameAr: string; serviceNameEn: string }) =>
  inLanguage(serviceNameAr, serviceNameEn)

interface Column {
  name: string
  text: (figures: Figures) => string
  hint?: (figures: Figures) => string
  /** For a column that is usually empty: whether the total figures have something to show in it. Otherwise the column is left out. */
  isRare?: (figures: Figures) => boolean
  isBad?: (figures: Figures) => boolean
}
const outOf = ({ count, base }: Figures['completedInTime']) => (base ? t.outOf(formatNumber(count), formatNumber(base)) : '')
const p90 = (minutes: number | null) => (minutes === null ? '' : t.p90(workingTime(minutes)))
const columns = (): Column[] => [
  { name: t.placed, text: ({ placed }) => formatNumber(placed) },
  { name: t.completed, text: ({ completed }) => formatNumber(completed) },
  { name: t.cancelled, text: ({ cancelled }) => formatNumber(cancelled) },
  { name: t.denied, text: ({ denied }) => formatNumber(denied), isRare: ({ denied }) => denied > 0 },
  { name: t.lapsed, text: ({ lapsed }) => formatNumber(lapsed), isRare: ({ lapsed }) => lapsed > 0 },
  { name: t.reopened, text: ({ reopened }) => formatNumber(reopened) },
  { name: t.open, text: ({ open }) => formatNumber(open) },
  { name: t.late, text: ({ late }) => formatNumber(late), isBad: ({ late }) => late > 0 },
  { name: t.received, text: ({ receivedInTime }) => share(receivedInTime), hint: ({ receivedInTime }) => outOf(receivedInTime) },
  { name: t.done, text: ({ completedInTime }) => share(completedInTime), hint: ({ completedInTime }) => outOf(completedInTime) },
  {
    name: t.toReceive,
    text: ({ medianMinutesToReceive }) => workingTime(medianMinutesToReceive),
    hint: ({ p90MinutesToReceive }) => p90(p90MinutesToReceive),
  },
  {
    name: t.toComplete,
    text: ({ medianMinutesToComplete }) => workingTime(medianMinutesToComplete),
    hint: ({ p90MinutesToComplete }) => p90(p90MinutesToComplete),
  },
]

function Cells({ figures, columns }: { figures: Figures; columns: Column[] }) {
  return columns.map(({ name, text, hint, isBad }) => (
    <td key={name} data-name={name} data-kind={isBad?.(figures) ? 'bad' : undefined} title={hint?.(figures) || undefined}>
      {text(figures) || <span class="quiet">–</span>}
    </td>
  ))
}

/** A chart of the orders placed on each day, and a table of the services with their figures and downloads. */
export function Report({ filter, isTable, change }: ReportProps) {
  const report = reportOf(filter)
  const { data, error } = report
  if (!data) return error ? <Failed title={t.failed} failure={error} retry={() => report.refresh()} /> : <Skeleton count={2} height={10} />
  const { total, services } = data
  if (total.placed === 0)
    return (
      <Empty icon="chart-line" title={t.empty}>
        {t.emptyHint}
      </Empty>
    )
  const shown = columns().filter(({ isRare }) => !isRare || isRare(total))
  return (
    <div class="report">
      <LinesChart
        sentence={`${t.days}. ${t.sentence(total.placed, formatNumber(total.completed), formatNumber(total.late))}`}
        label={t.placed}
        points={total.byDay.map(({ day, placed }) => ({ day, value: placed }))}
        isTable={isTable}
        change={change}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it */}
      <div class="report-table card" role="region" aria-label={t.table} tabIndex={0}>
        <table>
          <caption class="unseen">{t.table}</caption>
          <thead>
            <tr>
              <th scope="col">{t.service}</th>
              {shown.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
              <th scope="col">{t.file}</th>
            </tr>
          </thead>
          <tbody>
            {services.map((service) => (
              <tr key={service.serviceId}>
                <th scope="row">
                  <bdi>{nameOf(service)}</bdi>
                </th>
                <Cells figures={service} columns={shown} />
                <td data-name={t.file}>
                  <a
                    class="button"
                    data-kind="plain"
                    data-shape="round"
                    aria-label={t.fileOf(nameOf(service))}
                    href={fileOf(service.serviceId, filter)}
                    download
                  >
                    <Icon name="download" size={18} />
                  </a>
                </td>
              </tr>
            ))}
          </tbody>
          {services.length > 1 && (
            <tfoot>
              <tr>
                <th scope="row">{t.all}</th>
                <Cells figures={total} columns={shown} />
                <td />
              </tr>
            </tfoot>
          )}
        </table>
      </div>
      <p class="quiet small">{t.timesHint}</p>
    </div>
  )
}
