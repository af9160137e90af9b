import { addressWith } from '../../../parts/lists/filters/address.ts'
import { Icon } from '../../../parts/show/icon.tsx'
import { formatNumber, nameOf } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'
import { meetingOf, titleOf as titleOfMeeting } from '../shared/day.ts'
import { dayName, weekday } from '../shared/days.ts'
import { officeDay } from '../shared/office.ts'
import { isMine, mayMove, move, nextOf, quoted, type Task, titleOf } from './data.ts'
import { daysLate, spanOf, spans } from './due.ts'
import { t } from './texts.ts'

const icons = { open: 'circle', in_progress: 'contrast', done: 'circle-check', cancelled: 'circle-x' } as const

/** The button that moves a task to its next status; for people who may not move it, an icon of its status. */
export function StatusButton({ task }: { task: Task }) {
  const { status } = task
  if (!mayMove(task))
    return (
      <span class="tasks-state" data-status={status} role="img" aria-label={t.statuses[status]}>
        <Icon name={icons[status]} size={24} />
      </span>
    )
  return (
    <button
      type="button"
      class="button tasks-state"
      data-kind="plain"
      data-shape="round"
      data-status={status}
      aria-label={t.moves[nextOf(task)](quoted(task))}
      onClick={() => move(task)}
    >
      <Icon name={icons[status]} size={24} />
    </button>
  )
}

/** When a task is due, in words. Done and cancelled tasks are never late. */
export function dueText({ dueDate, status }: Task, today: string) {
  if (!dueDate) return undefined
  const late = status === 'open' || status === 'in_progress' ? daysLate(dueDate, today) : 0
  if (late) return { text: t.late(late), isLate: true }
  if (dueDate === today) return { text: t.dueToday }
  const near = daysLate(today, dueDate)
  return { text: near === 1 ? t.dueTomorrow : spanOf(dueDate, today) === 'week' ? weekday(dueDate) : dayName(dueDate) }
}

function MeetingName({ id }: { id: number }) {
  const meeting = meetingOf(id)
  const name = meeting.data ? titleOfMeeting(meeting.data) : meeting.error ? t.removedMeeting : ''
  return name ? <bdi>{name}</bdi> : null
}

function Row({ task, today, isHere }: { task: Task; today: string; isHere: boolean }) {
  const due = dueText(task, today)
  return (
    <li class="tasks-row" data-status={task.status} data-here={isHere || undefined}>
      <StatusButton task={task} />
      <span class="tasks-what">
        <a href={at(addressWith({ open: String(task.id), new: '' }))} aria-current={isHere ? 'true' : undefined}>
          <bdi>{titleOf(task)}</bdi>
        </a>
        <span class="tasks-under quiet small">
          {due && <span class={due.isLate ? 'tasks-late' : undefined}>{due.text}</span>}
          {task.status === 'in_progress' && <span>{t.statuses.in_progress}</span>}
          {task.assignee && !isMine(task) && <bdi>{nameOf(task.assignee)}</bdi>}
          {task.meetingId !== null && <MeetingName id={task.meetingId} />}
        </span>
      </span>
    </li>
  )
}

interface ListProps {
  tasks: readonly Task[]
  /** The id of the open task. */
  here: number | undefined
  label: string
}

export const Rows = ({ tasks, here, label }: ListProps) => (
  <ul class="tasks-rows" aria-label={label}>
    {tasks.map((task) => (
      <Row key={task.id} task={task} today={officeDay()} isHere={task.id === here} />
    ))}
  </ul>
)

/** Tasks grouped by when they are due. */
export function ByDue({ tasks, here, title }: Omit<ListProps, 'label'> & { title: string }) {
  const today = officeDay()
  if (tasks.length === 0) return null
  return (
    <section class="tasks-section">
      <h2>{title}</h2>
      {spans.map((span) => {
        const some = tasks.filter(({ dueDate }) => spanOf(dueDate, today) === span)
        if (some.length === 0) return null
        return (
          <div key={span}>
            <h3 class={span === 'late' ? 'small tasks-late' : 'small quiet'}>
              {t.spans[span]} <span class="numbers">{formatNumber(some.length)}</span>
            </h3>
            <Rows tasks={some} here={here} label={`${title}: ${t.spans[span]}`} />
          </div>
        )
      })}
    </section>
  )
}
