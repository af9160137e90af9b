/** The office's tasks: the lists, and the calls that change a task. */
import { signal } from '@preact/signals'
import { id, type Kind, oneOf } from '../../../parts/lists/filters/reading.ts'
import { say } from '../../../parts/overlay/toasts.tsx'
import { attempt } from '../../../parts/show/failures.ts'
import { waitFor } from '../../../platform/acts.ts'
import { changeAll, invalidate, resource } from '../../../platform/cache.ts'
import { api, ifMatch, type Schemas, versionOf } from '../../../platform/client.ts'
import { inLanguage, isolated } from '../../../platform/language.ts'
import { removeSoon } from '../../../platform/removals.ts'
import { me } from '../../../platform/session.ts'
import { standing } from '../shared/standing.ts'
import { byDue, spanOf, spans } from './due.ts'
import { t } from './texts.ts'

export type Task = Schemas['MeetingTask']
export type Status = Task['status']
type Whose = number | 'nobody'

const whose: Kind<Whose> = (written) => (written === 'nobody' ? written : id(written))
/** The parameters of the list's address. */
export const kinds = { status: oneOf('done', 'cancelled'), assignee: whose, meeting: id, due: oneOf(...spans), open: id, new: oneOf('1') }
export interface Filters {
  assignee: Whose | undefined
  meeting: number | undefined
  due: (typeof spans)[number] | undefined
}

export const titleOf = ({ titleAr, titleEn }: Pick<Task, 'titleAr' | 'titleEn'>) => inLanguage(titleAr, titleEn)
/** A task's title in quotation marks, for use inside a sentence. */
export const quoted = (task: Task) => t.quoted(isolated(titleOf(task)))

const withStatus = (status: Status) => resource('/executive-meetings/tasks', { query: { status } })
export const [open, underWay] = [withStatus('open'), withStatus('in_progress')]
export const oneTask = (id: number) => resource('/executive-meetings/tasks/{id}', { path: { id } })
export const counts = resource('/executive-meetings/tasks/counts')

/** The closed tasks with the latest due days: the API lists the earliest first, so this asks for the end of the list. */
export function lastOf(status: 'done' | 'cancelled', most: number) {
  const count = counts.data?.counts[status]
  return count === undefined
    ? undefined
    : { count, of: resource('/executive-meetings/tasks', { query: { status, limit: most, offset: Math.max(0, count - most) } }) }
}

/** Tasks that were done on this page a moment ago. They stay in the list, so that nothing moves under the pointer. */
export const justDone = signal<ReadonlyMap<number, Task>>(new Map())

/** The tasks that are open or under way, and those done on this page a moment ago, by due day. */
export function undone(): Task[] | undefined {
  if (!open.data || !underWay.data) return undefined
  const all = [...open.data, ...underWay.data]
  const known = new Set(all.map(({ id }) => id))
  return [...all, ...[...justDone.value.values()].filter(({ id }) => !known.has(id))].toSorted(byDue)
}

export const fits =
  ({ assignee, meeting, due }: Filters, today: string) =>
  (task: Task) =>
    (assignee === undefined || task.assigneeId === (assignee === 'nobody' ? null : assignee)) &&
    (meeting === undefined || task.meetingId === meeting) &&
    (due === undefined || spanOf(task.dueDate, today) === due)

export const isMine = ({ assigneeId }: Task) => assigneeId === me.value?.id
/** Whether the person may change a task's status: its assignee always may. */
export const mayMove = (task: Task) => standing.data?.canMutate === true || isMine(task)

const next: Record<Status, 'open' | 'in_progress' | 'done'> = { open: 'in_progress', in_progress: 'done', done: 'open', cancelled: 'open' }
export const nextOf = ({ status }: Task) => next[status]

/** Puts the new state of a task into its own record and into every cached list where it belongs. */
function show(task: Task) {
  changeAll('/executive-meetings/tasks', (all, { query = {} }) => {
    const isListed = !query.status || query.status === task.status
    const isWhole = Object.keys(query).every((name) => name === 'status')
    const others = all.filter(({ id }) => id !== task.id)
    const wasListed = others.length < all.length
    return isListed && (wasListed || isWhole) ? [...others, task].toSorted(byDue) : others
  })
  oneTask(task.id).change(() => task)
}

/** The pending steps by task. Steps of a task run one after the other, and the result of the last is shown. */
const onTheirWay = new Map<number, Promise<void>>()

/**
 * Shows a new status at once and sends it. With `version`, the portal refuses if the task has changed since that version. If the portal
 * refuses, shows the former status again.
 */
function send(task: Task, status: Status, version?: string) {
  const { id } = task
  show({ ...task, status })
  const before = onTheirWay.get(id) ?? Promise.resolve()
  const sent = before.then(() => patch(id, status, version))
  const settle = (now: Task) => {
    if (onTheirWay.get(id) !== settled) return
    onTheirWay.delete(id)
    show(now)
  }
  const settled: Promise<void> = sent.then(
    ({ now }) => settle(now),
    () => settle(task),
  )
  onTheirWay.set(id, settled)
  // A reply that is read before the step has ended may show the former status, so replies are held back until then.
  waitFor(settled, id, '/executive-meetings/tasks', '/executive-meetings/tasks/{id}')
  return sent
}

async function patch(id: number, status: Status, version?: string) {
  try {
    const { data, response } = await api.PATCH('/executive-meetings/tasks/{id}', {
      params: { path: { id } },
      body: { status },
      headers: ifMatch(version),
    })
    invalidate('/executive-meetings/tasks/counts')
    return { now: data!, version: versionOf(response) }
  } catch (failure) {
    invalidate('/executive-meetings/tasks', '/executive-meetings/tasks/{id}')
    throw failure
  }
}

const keep = (task: Task, isDone: boolean) => {
  const all = new Map(justDone.peek())
  if (isDone) all.set(task.id, task)
  else all.delete(task.id)
  justDone.value = all
}

/** Moves a task to its next status or a given one. Undo works only until somebody else changes the task. */
export async function move(task: Task, status: Status = nextOf(task)) {
  keep({ ...task, status }, status === 'done' && task.status !== 'done')
  let sent!: Awaited<ReturnType<typeof send>>
  const isDone = await attempt(
    send(task, status).then((done) => {
      sent = done
    }),
  )
  if (!isDone) return keep(task, false)
  const undo = () => {
    keep(task, false)
    attempt(send(sent.now, task.status, sent.version))
  }
  say({ about: `task ${task.id}`, text: t.said[status](quoted(task)), undo })
}

const HELD_MS = 8000
/** Deletes a task after eight seconds, or when the page closes. Until then, the deletion can be undone. */
export function remove(task: Task) {
  const until = Date.now() + HELD_MS
  const undo = removeSoon('/executive-meetings/tasks/{id}', task.id, until)
  say({ about: `task ${task.id}`, text: t.removed(quoted(task)), undo, undoUntil: until })
}
