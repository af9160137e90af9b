import type { ComponentChildren } from 'preact'
import { Calendar } from '../../../parts/forms/calendar/calendar.tsx'
import { isWide } from '../../../parts/show/wide.ts'
import { ago } from '../../../platform/ago.ts'
import { resource } from '../../../platform/cache.ts'
import { isolated, nameOf } from '../../../platform/language.ts'
import { at, go } from '../../../platform/router.ts'
import { type Meeting, titleOf } from '../shared/day.ts'
import { officeDay } from '../shared/office.ts'
import { standing } from '../shared/standing.ts'
import { subjectOf } from '../shared/subject.ts'
import { isMine, mayMove, move, titleOf as taskTitle } from '../tasks/data.ts'
import { marksOf } from './marks.ts'
import { t } from './texts.ts'

const Part = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="day-part">
    <h2>{title}</h2>
    {children}
  </section>
)

function Requests() {
  const waiting = resource('/executive-meetings/requests', { query: { status: 'pending', limit: 3 } }).data
  if (!waiting?.items.length) return null
  return (
    <Part title={t.waits}>
      <ul class="day-asks">
        {waiting.items.map((one) => (
          <li key={one.id}>
            <a class="card" href={at(`/meetings/requests/${one.id}`)}>
              <bdi class="day-name">{subjectOf(one)}</bdi>
              {one.requester && <span class="quiet small">{t.askedBy(isolated(nameOf(one.requester)), ago(one.createdAt))}</span>}
            </a>
          </li>
        ))}
      </ul>
      {waiting.totalCount > waiting.items.length && <a href={at('/meetings/requests')}>{t.allRequests}</a>}
    </Part>
  )
}

function Tasks({ date, day }: { date: string; day: readonly Meeting[] }) {
  const all = resource('/executive-meetings/tasks', { query: { date } }).data?.filter(({ status }) => status !== 'cancelled')
  if (!all?.length) return null
  return (
    <Part title={t.tasks}>
      <ul class="day-tasks">
        {all.map((task) => {
          const meeting = day.find(({ id }) => id === task.meetingId)
          const under = [
            isMine(task) ? t.mine : task.assignee && isolated(nameOf(task.assignee)),
            meeting && t.forMeeting(isolated(titleOf(meeting))),
          ].filter(Boolean)
          const isDone = task.status === 'done'
          return (
            <li key={task.id}>
              <label>
                <input type="checkbox" checked={isDone} disabled={!mayMove(task)} onChange={() => move(task, isDone ? 'open' : 'done')} />
                <span>
                  {isDone ? <s dir="auto">{taskTitle(task)}</s> : <bdi>{taskTitle(task)}</bdi>}
                  {under.length > 0 && <span class="quiet small">{under.join(t.comma)}</span>}
                </span>
              </label>
            </li>
          )
        })}
      </ul>
    </Part>
  )
}

/** The panel beside the running order: the month, the requests that wait for the person, and the tasks of the day. */
export function Aside({ date, day }: { date: string; day: readonly Meeting[] }) {
  return (
    <aside class="day-aside" aria-label={t.month}>
      {isWide.value && <Calendar label={t.month} value={date} now={officeDay()} marks={marksOf} choose={(day) => go(`/meetings/${day}`)} />}
      {standing.data?.canApprove && <Requests />}
      <Tasks date={date} day={day} />
    </aside>
  )
}
