import './editor.css'
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { TextArea } from '../../../../parts/forms/field.tsx'
import { Form, Save } from '../../../../parts/forms/form/form.tsx'
import { type FormState, rereading, useForm } from '../../../../parts/forms/form/use-form.ts'
import { useSaving } from '../../../../parts/forms/saving.ts'
import { Button } from '../../../../parts/show/button.tsx'
import { Faces, usePresence } from '../../../../parts/show/presence/presence.tsx'
import { Tabs } from '../../../../parts/show/tabs.tsx'
import { useReadAbout } from '../../../../people/notifications/data.ts'
import { type Draft, draft } from '../../../../platform/drafts.ts'
import { visit } from '../../../../platform/router.ts'
import { me } from '../../../../platform/session.ts'
import { type Meeting, meetingOf, meetingsOf, titleOf } from '../day.ts'
import { dayName } from '../days.ts'
import { standing } from '../standing.ts'
import { Strip } from '../strip.tsx'
import { accountsNotified } from '../told.ts'
import { Changed } from './changed.tsx'
import { askFor, askToCancel, lastEditor, saveMeeting, saveNew } from './data.ts'
import { Fields } from './fields.tsx'
import { Follows } from './follows.tsx'
import { MeetingHistory } from './history.tsx'
import { ReadOnly } from './read-only.tsx'
import { t } from './texts.ts'
import { plannedOf, type Values, valuesOf } from './values.ts'

function DayStrip({ id, values }: { id: number | undefined; values: Values }) {
  const day = meetingsOf(values.date).data ?? []
  const own = { ...plannedOf(id, values), title: titleOf(values) || t.newMeeting }
  return <Strip label={t.strip(dayName(values.date))} day={day.filter((one) => one.id !== id)} own={own} />
}

interface AskProps {
  id: number | undefined
  form: FormState<Values>
  isAsking: boolean
  done: (isThere: boolean) => void
}

/** The end of the form: the button that saves or requests, labelled with its consequence. */
function End({ id, form, isAsking, reason, done }: AskProps & { reason: Draft<string> }) {
  const cancel = useSaving(async () => {
    const isThere = visit()
    const why = reason.value.peek()
    await askToCancel(id!, why ?? '')
    reason.drop(why)
    done(isThere())
  })
  const notified = accountsNotified(id === undefined ? undefined : form.from, form.values, me.value?.id).size
  const text = isAsking
    ? id
      ? t.ask
      : t.askNew
    : id
      ? notified
        ? t.saveNotifying(notified)
        : t.save
      : notified
        ? t.addNotifying(notified)
        : t.add
  return (
    <div class="meeting-end">
      <Save of={form} text={text} />
      {isAsking && id !== undefined && !form.isChanged && (
        <>
          <p class="error" role="alert">
            {cancel.problem}
          </p>
          <Button kind="danger" isBusy={cancel.isBusy} onClick={() => cancel.run()}>
            {t.askCancel}
          </Button>
        </>
      )}
    </div>
  )
}

interface EditorProps {
  /** An existing meeting with its `version`. A new meeting has neither, but `from`: its initial values. */
  meeting?: Meeting
  version?: string | undefined
  from?: Values
  /** The fields for which `from` only suggests values. */
  suggested?: readonly (keyof Values)[]
  /** Whether `from` was typed into the line of the day. The draft of such a meeting is stored apart from that of other new meetings. */
  isFromLine?: boolean
  /** Called after a save or a request, with the day of the meeting, and with whether the person is still on the page. */
  done: (date: string, isThere: boolean) => void
}

/** The form that edits a meeting, or requests the changes if the person may not make them. */
function MeetingForm({ meeting, version, from, suggested = [], isFromLine = false, done }: EditorProps) {
  const id = meeting?.id
  const isAsking = !standing.data?.canMutate
  const reason = useMemo(() => draft(`meeting:${id ?? 'new'}:reason`, ''), [id])
  const form = useForm<Values>({
    from: meeting ? valuesOf(meeting) : from!,
    version,
    draft: `meeting:${id ?? (isFromLine ? 'line:all' : 'new')}${isAsking ? ':asked' : ''}`,
    isNew: id === undefined,
    suggested,
    canUndo: id !== undefined && !isAsking,
    async save(changed, known, all) {
      if (isAsking) {
        const why = reason.value.peek()
        if (id === undefined) await saveNew(all, why ?? '')
        else await askFor(id, changed, why ?? '')
        reason.drop(why)
        return { from: meeting ? valuesOf(meeting) : all, version: known }
      }
      if (id !== undefined) return saveMeeting(id, changed, known)
      await saveNew(all)
      return undefined
    },
    ...(id !== undefined && { reread: rereading(meetingOf(id), valuesOf), by: () => lastEditor(id) }),
    after: (isThere) => done(form.values.date, isThere),
    ...((isAsking || id === undefined) && { saidOf: () => '' }),
  })
  useEffect(() => {
    if (id === undefined) document.querySelector<HTMLElement>('.meeting-form input')?.focus()
  }, [])
  return (
    <Form of={form} class="form meeting-form">
      <Changed form={form} />
      <Fields form={form} strip={<DayStrip id={id} values={form.values} />} />
      <Follows id={id} former={meeting && form.from} values={form.values} isAsking={isAsking} />
      {isAsking && (
        <TextArea
          label={t.reason}
          hint={t.reasonHint}
          rows={2}
          maxLength={1000}
          value={reason.value.value ?? ''}
          onInput={(event) => {
            reason.value.value = event.currentTarget.value
          }}
        />
      )}
      <End id={id} form={form} isAsking={isAsking} reason={reason} done={(isThere) => done(form.values.date, isThere)} />
      {id !== undefined && <Present id={id} isEditing={form.isChanged} />}
    </Form>
  )
}

/** The other people who have the meeting open. */
const Present = ({ id, isEditing }: { id: number; isEditing: boolean }) => <Faces of={usePresence('meeting', id, isEditing)} />

/** Marks the person's notifications about the meeting as read. */
function Noticed({ id }: { id: number }) {
  useReadAbout('meeting', id)
  return null
}

/** A meeting to read, edit or request changes to, depending on the person's rights, with its history. */
export function Editor(props: EditorProps) {
  const tab = useSignal<'fields' | 'history'>('fields')
  const { meeting } = props
  const { canMutate, canRequest, canViewAudit } = standing.data ?? {}
  const main = (
    <>
      {meeting && <Noticed id={meeting.id} />}
      {canMutate || canRequest ? <MeetingForm {...props} /> : meeting && <ReadOnly meeting={meeting} />}
    </>
  )
  if (!meeting || !canViewAudit) return main
  return (
    <Tabs
      label={titleOf(meeting)}
      value={tab.value}
      choose={(key) => {
        tab.value = key
      }}
      tabs={(['fields', 'history'] as const).map((key) => ({ key, text: t.tabs[key] }))}
    >
      {/* Hidden rather than unmounted, so that the form keeps its state. */}
      <div hidden={tab.value !== 'fields'}>{main}</div>
      {tab.value === 'history' && <MeetingHistory id={meeting.id} />}
    </Tabs>
  )
}
