import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { DateField } from '../../../parts/forms/calendar/date-field.tsx'
import { plus } from '../../../parts/forms/calendar/days.ts'
import { SelectField, TextArea, TextField } from '../../../parts/forms/field.tsx'
import { ChangedMeanwhile } from '../../../parts/forms/form/changed-meanwhile.tsx'
import { Form, Save } from '../../../parts/forms/form/form.tsx'
import { type FormState, rereading, useForm } from '../../../parts/forms/form/use-form.ts'
import { Button } from '../../../parts/show/button.tsx'
import { invalidate, resource, setCached } from '../../../platform/cache.ts'
import { answer, api, ifMatch, type Schemas, versionOf } from '../../../platform/client.ts'
import { isolated, language, nameOf } from '../../../platform/language.ts'
import { me } from '../../../platform/session.ts'
import { meetingOf, titleOf as titleOfMeeting } from '../shared/day.ts'
import { dayName } from '../shared/days.ts'
import { officeDay } from '../shared/office.ts'
import { calledOf, people, personOf } from '../shared/people.ts'
import { move, oneTask, quoted, remove, type Task } from './data.ts'
import { t } from './texts.ts'

/** A task in the form, with '' for missing values. */
export interface Values {
  titleAr: string
  titleEn: string
  details: string
  assigneeId: number | null
  dueDate: string
  meetingId: number | null
}
export const blank = (meetingId: number | undefined, assigneeId: number | undefined): Values => ({
  ...{ titleAr: '', titleEn: '', details: '', dueDate: '' },
  ...{ assigneeId: assigneeId ?? null, meetingId: meetingId ?? null },
})
const valuesOf = ({ titleAr, titleEn, details, assigneeId, dueDate, meetingId }: Task): Values => ({
  ...{ titleAr: titleAr ?? '', titleEn: titleEn ?? '', details: details ?? '', dueDate: dueDate ?? '' },
  ...{ assigneeId, meetingId },
})
/** The fields of a call; empty texts become null. */
const bodyOf = (values: Partial<Values>): Schemas['MeetingTaskFields'] =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === '' ? null : value]))

const reread = () => invalidate('/executive-meetings/tasks', '/executive-meetings/tasks/{id}', '/executive-meetings/tasks/counts')

/** The title of a task: the page's language first, the other if it has a text or the person adds one. */
function Titles({ form }: { form: FormState<Values> }) {
  const isAsked = useSignal(false)
  const order = language.value === 'ar' ? (['titleAr', 'titleEn'] as const) : (['titleEn', 'titleAr'] as const)
  const [first, other] = order
  const isShown = isAsked.value || form.values[other] !== ''
  return (
    <>
      <TextField label={t[first]} maxLength={300} autocomplete="off" {...form.text(first)} />
      {isShown ? (
        <TextField label={t[other]} maxLength={300} autocomplete="off" {...form.text(other)} />
      ) : (
        <Button
          kind="plain"
          icon="plus"
          class="button tasks-other"
          onClick={() => {
            isAsked.value = true
          }}
        >
          {other === 'titleAr' ? t.addAr : t.addEn}
        </Button>
      )}
    </>
  )
}

function Assignee({ form, former }: { form: FormState<Values>; former: Task['assignee'] | undefined }) {
  const { assigneeId } = form.values
  const others = (people.data ?? []).filter(({ id }) => id !== me.value?.id).toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)))
  const isElsewhere = assigneeId !== null && assigneeId !== me.value?.id && !personOf(assigneeId)
  const called = isElsewhere ? calledOf(assigneeId, former) : ''
  return (
    <SelectField
      label={t.assignee}
      hint={t.assigneeHint}
      value={String(assigneeId ?? '')}
      error={form.error('assigneeId')}
      choose={(one) => form.set('assigneeId', Number(one) || null)}
      choices={[
        { value: '', text: t.nobody },
        ...(me.value ? [{ value: String(me.value.id), text: `${nameOf(me.value)} (${t.me})` }] : []),
        ...others.map((one) => ({ value: String(one.id), text: nameOf(one) })),
        ...(isElsewhere ? [{ value: String(assigneeId), text: people.data ? t.without(called) : called }] : []),
      ]}
    />
  )
}

const meetingAt = (id: number) => {
  const { data } = meetingOf(id)
  return data ? `${dayName(data.date)}: ${titleOfMeeting(data)}` : '…'
}

/** The form offers meetings from `BEFORE` days before today to `AFTER` days after it. */
const [BEFORE, AFTER] = [14, 30]

function Meeting({ form }: { form: FormState<Values> }) {
  const { meetingId } = form.values
  const today = officeDay()
  const found = resource('/executive-meetings', { query: { from: plus(today, -BEFORE), to: plus(today, AFTER) } }).data ?? []
  const isElsewhere = meetingId !== null && !found.some(({ id }) => id === meetingId)
  return (
    <SelectField
      label={t.meeting}
      value={String(meetingId ?? '')}
      error={form.error('meetingId')}
      choose={(one) => form.set('meetingId', Number(one) || null)}
      choices={[
        { value: '', text: t.noMeeting },
        ...(isElsewhere ? [{ value: String(meetingId), text: meetingAt(meetingId) }] : []),
        ...found.map((one) => ({ value: String(one.id), text: `${dayName(one.date)}: ${titleOfMeeting(one)}` })),
      ]}
    />
  )
}

interface FormProps {
  /** An existing task with its `version`. A new task has neither, but `from`: its initial values. */
  task?: Task
  version?: string | undefined
  from?: Values
  done: (task: Task | undefined) => void
}

/** The form that adds or changes a task. */
export function TaskForm({ task, version, from, done }: FormProps) {
  const made = useRef<Task>(undefined)
  const form = useForm<Values>({
    from: task ? valuesOf(task) : from!,
    version,
    draft: `task:${task?.id ?? 'new'}`,
    isNew: !task,
    canUndo: task !== undefined,
    fieldOf: { not_executive: 'assigneeId' },
    async save(changed, known, all) {
      if (!task) {
        made.current = await answer(api.POST('/executive-meetings/tasks', { body: bodyOf(all) }))
        reread()
        return
      }
      const path = { path: { id: task.id } }
      const headers = ifMatch(known)
      const { data, response } = await api.PATCH('/executive-meetings/tasks/{id}', { params: path, body: bodyOf(changed), headers })
      setCached('/executive-meetings/tasks/{id}', data!, path, response)
      reread()
      return { from: valuesOf(data!), version: versionOf(response) }
    },
    after: (isThere) => isThere && !task && done(made.current),
    saidOf: () => (task ? t.changed : t.created(quoted(made.current!))),
    ...(task && { reread: rereading(oneTask(task.id), valuesOf) }),
  })
  const { assigneeId } = form.values
  const notified = assigneeId === me.value?.id ? null : assigneeId
  return (
    <Form of={form} class="form tasks-form">
      <Titles form={form} />
      <DateField label={t.dueDate} now={officeDay()} {...form.moment('dueDate')} />
      <Assignee form={form} former={task?.assignee} />
      <Meeting form={form} />
      <TextArea label={t.details} rows={3} maxLength={5000} {...form.text('details')} />
      <ChangedMeanwhile
        of={form}
        labels={{
          ...{ titleAr: t.titleAr, titleEn: t.titleEn, details: t.details, assigneeId: t.assignee, dueDate: t.dueDate },
          ...{ meetingId: t.meeting, status: t.status },
        }}
        written={(field, value) =>
          value === null
            ? t.nobody
            : field === 'assigneeId'
              ? calledOf(Number(value), task?.assignee)
              : field === 'meetingId'
                ? meetingAt(Number(value))
                : String(value)
        }
      />
      <div class="tasks-end">
        {task ? (
          form.isChanged && <Save of={form} />
        ) : (
          <Save of={form} text={notified === null ? t.create : t.createNotifying(isolated(calledOf(notified)))} />
        )}
        {task && !form.isChanged && task.status !== 'cancelled' && <Button onClick={() => move(task, 'cancelled')}>{t.cancel}</Button>}
        {task && !form.isChanged && (
          <Button
            kind="danger"
            icon="trash-2"
            onClick={() => {
              remove(task)
              done(undefined)
            }}
          >
            {t.remove}
          </Button>
        )}
      </div>
    </Form>
  )
}
