import './style.css'
import { officeToday } from '../../../frame/office.ts'
import { useTitle } from '../../../frame/site.ts'
import { Span } from '../../../parts/forms/calendar/span.tsx'
import { SelectField } from '../../../parts/forms/field.tsx'
import { useFilters } from '../../../parts/lists/filters/use-filters.ts'
import { Hint } from '../../../parts/overlay/hint.tsx'
import { Report } from '../../../parts/show/report/report.tsx'
import { named } from '../../../platform/language.ts'
import { teams } from '../teams/data.ts'
import { daysOf, kinds, MOST, presets } from './data.ts'
import { t } from './texts.ts'

/** The numbers of orders that were placed, and of those that were completed on time, by service and by day. */
export default function ServiceReports() {
  useTitle(t.title)
  const { values, set } = useFilters(kinds)
  const { range, team, as } = values
  const now = officeToday()
  const { days, isValid } = daysOf(values, now)
  const known = teams.data ?? []
  return (
    <>
      <div class="service-reports-head">
        <h1>{t.title}</h1>
        <Span
          presets={presets}
          value={range === 'custom' ? 'custom' : (Number(range ?? 30) as (typeof presets)[number])}
          days={days}
          most={MOST}
          choose={(count) => set({ range: count === 30 ? undefined : (`${count}` as const), from: undefined, to: undefined })}
          change={(next) => set({ range: 'custom', from: next.from || undefined, to: next.to || undefined })}
          max={now}
        />
      </div>
      <Hint of="admin/service-reports">{t.purpose}</Hint>
      {known.length > 0 && (
        <div class="service-reports-filter">
          <SelectField
            label={t.team}
            value={String(team ?? '')}
            choices={[{ value: '', text: t.allTeams }, ...known.map((one) => ({ value: String(one.id), text: named(one) }))]}
            choose={(chosen) => set({ team: Number(chosen) || undefined })}
          />
        </div>
      )}
      {isValid && (
        <Report
          filter={{ ...days, teamId: team }}
          isTable={as === 'table'}
          change={(isTable) => set({ as: isTable ? 'table' : undefined })}
        />
      )}
    </>
  )
}
