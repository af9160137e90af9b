import { useEffect } from 'preact/hooks'
import { Beside } from '../../../parts/overlay/beside.tsx'
import { Empty } from '../../../parts/show/empty.tsx'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import { useReadAbout } from '../../../people/notifications/data.ts'
import { nameOf } from '../../../platform/language.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { at, setQuery } from '../../../platform/router.ts'
import { me } from '../../../platform/session.ts'
import { meetingOf, titleOf as titleOfMeeting } from '../shared/day.ts'
import { dayName, fullDay } from '../shared/days.ts'
import { officeDay } from '../shared/office.ts'
import { people, personOf } from '../shared/people.ts'
import { standing } from '../shared/standing.ts'
import { oneTask, type Task, titleOf } from './data.ts'
import { blank, TaskForm } from './form.tsx'
import { dueText, StatusButton } from './list.tsx'
import { t } from './texts.ts'

const close = (open: number | undefined) => {
  setQuery({ open: '', new: '' })
  if (open) requestAnimationFrame(() => document.querySelector<HTMLElement>(`.tasks-what > [href$="open=${open}"]`)?.focus())
}

/** The status, due day and meeting of a task. Readers see only this, other people see it above the fields. */
function Head({ task }: { task: Task }) {
  const due = dueText(task, officeDay())
  const meeting = task.meetingId === null ? undefined : meetingOf(task.meetingId).data
  return (
    <div class="tasks-head">
      <StatusButton task={task} />
      <div>
        <p>
          {t.statuses[task.status]}
          {due && (
            <span class={due.isLate ? 'tasks-late' : 'quiet'} title={fullDay(task.dueDate!)}>
              {' · '}
              {due.text}
            </span>
          )}
        </p>
        {meeting && (
          <a class="small" href={at(`/meetings/${meeting.date}?open=${meeting.id}`)}>
            <bdi>{titleOfMeeting(meeting)}</bdi> · {dayName(meeting.date)}
          </a>
        )}
      </div>
    </div>
  )
}

function ReadOnly({ task }: { task: Task }) {
  return (
    <>
      {task.assignee && (
        <p>
          {t.assignee}: <bdi>{nameOf(task.assignee)}</bdi>
        </p>
      )}
      {task.details && (
        <p class="tasks-details" dir="auto">
          {task.details}
        </p>
      )}
      <p class="quiet small">{t.readOnly}</p>
    </>
  )
}

/** A task beside the list. */
export function OneTask({ id }: { id: number }) {
  useReadAbout('meeting_task', id)
  const task = oneTask(id)
  const isGone = task.error instanceof Refusal && task.error.status === 404
  return (
    <Beside title={(!isGone && task.data && titleOf(task.data)) || t.task} close={() => close(id)} isKept>
      {isGone ? (
        <Empty icon="trash-2" title={t.gone} />
      ) : (
        <Loaded of={task}>
          {(data) => (
            <div class="tasks-one">
              <Head task={data} />
              <Loaded of={standing}>
                {({ canMutate }) =>
                  canMutate ? <TaskForm key={id} task={data} version={task.version} done={() => close(id)} /> : <ReadOnly task={data} />
                }
              </Loaded>
            </div>
          )}
        </Loaded>
      )}
    </Beside>
  )
}

/** Whether a person can be assigned; true until the people are loaded. */
const mayDo = (id: number | undefined) => id !== undefined && (!people.data || personOf(id) !== undefined)

/** A new task beside the list, for the meeting that the address names. */
export function NewTask({ meeting, assignee }: { meeting: number | undefined; assignee: number | undefined }) {
  useEffect(() => {
    // Waits for the next frame, because the panel focuses itself first.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.tasks-form input')?.focus())
  }, [])
  return (
    <Beside title={t.add} close={() => close(undefined)} isKept>
      <TaskForm from={blank(meeting, mayDo(assignee) ? assignee : me.value?.id)} done={(task) => close(task?.id)} />
    </Beside>
  )
}
