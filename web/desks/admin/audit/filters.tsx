import { DaysPick } from '../../../parts/lists/filters/days-pick.tsx'
import { Pick, Picks, SearchPick } from '../../../parts/lists/filters/picks.tsx'
import { day, id, oneOf, text } from '../../../parts/lists/filters/reading.ts'
import { useFilters } from '../../../parts/lists/filters/use-filters.ts'
import { SearchField } from '../../../parts/lists/search-field.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { recordTypes } from '../../../parts/show/log/sentence.tsx'
import { isKnown, both as ofActions, sentences } from '../../../parts/show/log/sentences.ts'
import { nameOfType } from '../../../parts/show/log/written.ts'
import { matches } from '../../../platform/folded.ts'
import { formatNumber, nameOf } from '../../../platform/language.ts'
import { type Filters, findPeople, person } from './data.ts'
import { t } from './texts.ts'

const kinds = { q: text, action: text, actor: id, type: text, id, from: day, to: day, forced: oneOf('true') }

/** The filters of the address as the portal accepts them, and a function that changes them. */
export function useLogFilters() {
  const { values, set } = useFilters(kinds)
  const { q, action, actor, type, id: record, from, to, forced } = values
  const filters: Filters = {
    ...(q && { q }),
    ...(action && { action: [action] }),
    ...(actor && { actorUserId: actor }),
    ...(type && { targetType: type }),
    ...(record && { targetId: record }),
    ...(from && { from }),
    ...(to && { to }),
    ...(forced && { forcedOnly: true }),
  }
  return { filters, set }
}
type Set = ReturnType<typeof useLogFilters>['set']

/** The sentence of an action, with an ellipsis in place of each name. */
const spoken = (sentence: string) => sentence.replaceAll(/\s*\{\w+\}/g, ' …').trim()
const nameOfAction = (action: string) => (isKnown(action) ? spoken(sentences[action]) : action)
const isAction = (action: string, typed: string) =>
  matches(typed, action, ...(isKnown(action) ? [ofActions.ar[action], ofActions.en[action]] : []))

export function FilterBar({ filters, set, actions }: { filters: Filters; set: Set; actions: string[] }) {
  const { actorUserId, action: [action] = [], targetType, targetId, from, to, forcedOnly } = filters
  const actor = actorUserId ? person(actorUserId).data : undefined
  const none = { q: undefined, action: undefined, actor: undefined, type: undefined, id: undefined, from: undefined, to: undefined }
  return (
    <search class="audit-filters" aria-label={t.filters}>
      <SearchField label={t.search} value={filters.q ?? ''} change={(q) => set({ q: q || undefined })} />
      <Picks clear={Object.keys(filters).length > 0 ? () => set({ ...none, forced: undefined }) : undefined}>
        <SearchPick
          label={t.actor}
          all={t.anyActor}
          chosen={actorUserId ? (actor ? nameOf(actor) : formatNumber(actorUserId)) : undefined}
          find={findPeople}
          id={(one) => one.id}
          choose={(one) => set({ actor: one?.id })}
        >
          {(one) => nameOf(one)}
        </SearchPick>
        <SearchPick
          label={t.action}
          all={t.anyAction}
          chosen={action && nameOfAction(action)}
          find={(typed) => actions.filter((one) => isAction(one, typed))}
          id={(one) => one}
          choose={(one) => set({ action: one })}
        >
          {nameOfAction}
        </SearchPick>
        <Pick
          label={t.type}
          all={t.anyType}
          value={targetType}
          choices={recordTypes().map(([value, text]) => ({ value, text }))}
          choose={(type) => set({ type, id: undefined })}
        />
        {targetId && (
          <button type="button" class="pick pick-on" onClick={() => set({ id: undefined })}>
            <span>{t.only(nameOfType(targetType ?? ''), formatNumber(targetId, { useGrouping: false }))}</span>
            <Icon name="x" size={16} />
          </button>
        )}
        <DaysPick from={from} to={to} change={({ from, to }) => set({ from, to })} />
        <button
          type="button"
          class={forcedOnly ? 'pick pick-on' : 'pick'}
          aria-pressed={forcedOnly ?? false}
          onClick={() => set({ forced: forcedOnly ? undefined : 'true' })}
        >
          {t.forced}
        </button>
      </Picks>
    </search>
  )
}
