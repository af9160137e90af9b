import { Pick, Picks, SearchPick } from '../../../parts/lists/filters/picks.tsx'
import { matches } from '../../../platform/folded.ts'
import { me } from '../../../platform/session.ts'
import { meetingOf, titleOf } from '../shared/day.ts'
import { calledOf, people } from '../shared/people.ts'
import type { Filters, Task } from './data.ts'
import { spans } from './due.ts'
import { t } from './texts.ts'

interface BarProps {
  filters: Filters
  set: (changed: Partial<Filters>) => void
  /** Clears all filters; undefined if none is set. */
  clear: (() => void) | undefined
  /** The tasks whose assignees and meetings the filters offer. */
  tasks: readonly Task[]
  isUndone: boolean
}

const titleAt = (id: number) => {
  const { data } = meetingOf(id)
  return data ? titleOf(data) : ''
}

/** The filters of the list except the status. */
export function FilterBar({ filters: { assignee, meeting, due }, set, clear, tasks, isUndone }: BarProps) {
  const assignees = tasks.flatMap(({ assignee }) => assignee ?? [])
  const others = [...new Map([...assignees, ...(people.data ?? [])].map((one) => [one.id, one])).values()].filter(
    ({ id }) => id !== me.value?.id,
  )
  const whose = (id: number) => (id === me.value?.id ? t.me : calledOf(id, ...assignees))
  return (
    <Picks clear={clear}>
      <SearchPick<number | 'nobody'>
        label={t.whose}
        all={t.anybody}
        chosen={assignee === undefined ? undefined : assignee === 'nobody' ? t.nobody : whose(assignee)}
        find={(typed) => {
          const found = others.filter(({ displayNameAr, displayNameEn, username }) =>
            matches(typed, displayNameAr, displayNameEn, username),
          )
          return [...(typed || !me.value ? [] : [me.value.id, 'nobody' as const]), ...found.map(({ id }) => id)]
        }}
        id={(one) => one}
        choose={(one) => set({ assignee: one })}
      >
        {(one) => <bdi>{one === 'nobody' ? t.nobody : whose(one)}</bdi>}
      </SearchPick>
      <SearchPick<number>
        label={t.meeting}
        all={t.anyMeeting}
        chosen={meeting === undefined ? undefined : titleAt(meeting)}
        find={(typed) => [...new Set(tasks.flatMap(({ meetingId }) => meetingId ?? []))].filter((id) => matches(typed, titleAt(id)))}
        id={(one) => one}
        choose={(one) => set({ meeting: one })}
      >
        {(one) => <bdi>{titleAt(one)}</bdi>}
      </SearchPick>
      {isUndone && (
        <Pick
          label={t.when}
          all={t.anyTime}
          value={due}
          choices={spans.map((value) => ({ value, text: t.spans[value] }))}
          choose={(one) => set({ due: one })}
        />
      )}
    </Picks>
  )
}
