import { DaysPick } from '../../../parts/lists/filters/days-pick.tsx'
import { Pick, Picks, SearchPick } from '../../../parts/lists/filters/picks.tsx'
import { day, id, oneOf } from '../../../parts/lists/filters/reading.ts'
import { useFilters } from '../../../parts/lists/filters/use-filters.ts'
import { Icon } from '../../../parts/show/icon.tsx'
import { nameOfType } from '../../../parts/show/log/written.ts'
import { matches } from '../../../platform/folded.ts'
import { formatNumber, nameOf } from '../../../platform/language.ts'
import { calledOf, people } from '../shared/people.ts'
import { type Filters, kinds, logPage, typeOf } from './data.ts'
import { both, t } from './texts.ts'

type Action = keyof typeof both.ar.actions
const actions = Object.keys(both.ar.actions) as Action[]

/** The filters in the address, as the API takes them, and the controls that change them. */
export function useLogFilters() {
  const { values, set } = useFilters({ kind: oneOf(...kinds), id, action: oneOf(...actions), actor: id, from: day, to: day })
  const { kind, id: record, action, actor, from, to } = values
  const filters: Filters = {
    ...(kind && { entityKind: kind }),
    ...(kind && record && { entityId: record }),
    ...(action && { action }),
    ...(actor && { actorUserId: actor }),
    ...(from && { from }),
    ...(to && { to }),
  }
  return { filters, set }
}
type Set = ReturnType<typeof useLogFilters>['set']

const none = { kind: undefined, id: undefined, action: undefined, actor: undefined, from: undefined, to: undefined }
const findPeople = async (typed: string) =>
  (await people.load()).filter((one) => matches(typed, one.username, one.displayNameAr ?? '', one.displayNameEn ?? ''))

export function FilterBar({ filters, set }: { filters: Filters; set: Set }) {
  const { entityKind, entityId, action, actorUserId, from, to } = filters
  const actors = logPage(filters).data?.entries.map(({ actor }) => actor) ?? []
  return (
    <search aria-label={t.filters}>
      <Picks clear={Object.keys(filters).length > 0 ? () => set(none) : undefined}>
        <SearchPick
          label={t.actor}
          all={t.anyActor}
          chosen={actorUserId === undefined ? undefined : calledOf(actorUserId, ...actors)}
          find={findPeople}
          id={(one) => one.id}
          choose={(one) => set({ actor: one?.id })}
        >
          {(one) => nameOf(one)}
        </SearchPick>
        <Pick
          label={t.kind}
          all={t.anyKind}
          value={entityKind}
          choices={kinds.map((kind) => ({ value: kind, text: t.kinds[kind] }))}
          choose={(kind) => set({ kind, id: undefined })}
        />
        {entityKind && entityId && (
          <button type="button" class="pick pick-on" onClick={() => set({ id: undefined })}>
            <span>{t.only(nameOfType(typeOf[entityKind]), formatNumber(entityId, { useGrouping: false }))}</span>
            <Icon name="x" size={16} />
          </button>
        )}
        <Pick
          label={t.action}
          all={t.anyAction}
          value={action as Action | undefined}
          choices={actions.map((one) => ({ value: one, text: t.actions[one] }))}
          choose={(one) => set({ action: one })}
        />
        <DaysPick from={from} to={to} change={({ from, to }) => set({ from, to })} />
      </Picks>
    </search>
  )
}
