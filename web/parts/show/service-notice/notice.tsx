import './style.css'
import { useEffect } from 'preact/hooks'
import { today } from '../../../platform/dates.ts'
import { hasDraft } from '../../../platform/drafts.ts'
import { DateField } from '../../forms/calendar/date-field.tsx'
import { plus } from '../../forms/calendar/days.ts'
import { TextArea } from '../../forms/field.tsx'
import { ChangedMeanwhile } from '../../forms/form/changed-meanwhile.tsx'
import { Form, Save } from '../../forms/form/form.tsx'
import { rereading, useForm } from '../../forms/form/use-form.ts'
import { Switch } from '../../forms/switch.tsx'
import { endOfDay } from '../ends/ends.ts'
import { Section } from '../section.tsx'
import { Loaded } from '../skeleton.tsx'
import { type NoticeFields, noticeFields, noticeOf, saveNotice } from './data.ts'
import { t } from './texts.ts'

/** The latest end of a notice, in days from now: one day less than the portal accepts, because a notice ends at the end of its day. */
const MOST_DAYS = 91

/**
 * The notice that people read before they order a service, and the switch that pauses the service. With `pausing`, the switch is on from
 * the start but not saved yet.
 */
export function Notice({ id, pausing = false }: { id: number; pausing?: boolean }) {
  const notice = noticeOf(id)
  return <Loaded of={notice}>{(data) => <Editor id={id} from={noticeFields(data)} version={notice.version} pausing={pausing} />}</Loaded>
}

interface EditorProps {
  id: number
  from: NoticeFields
  version: string | undefined
  pausing: boolean
}

function Editor({ id, from, version, pausing }: EditorProps) {
  const draft = `service-notice:${id}`
  const form = useForm<NoticeFields>({
    from,
    version,
    draft,
    save: (_, known, all) => saveNotice(id, all, known),
    reread: rereading(noticeOf(id), noticeFields),
    saidOf: () => t.noticeSaved,
    canUndo: true,
  })
  const { values, set } = form
  useEffect(() => {
    // Waits until the draft is restored, so that its texts stay. A pause in the draft was never confirmed, and may be overwritten.
    hasDraft(`form:${draft}`).then(() => set('paused', pausing || from.paused))
  }, [])
  return (
    <Form of={form} class="service-notice">
      <ChangedMeanwhile of={form} labels={{ noticeAr: t.noticeAr, noticeEn: t.noticeEn, paused: t.paused, until: t.until }} />
      <Section name="notice" title={t.notice} hint={t.noticeHint}>
        <Switch label={t.paused} hint={t.pausedHint} on={values.paused} change={(on) => set('paused', on)} />
        <div class="form-pair">
          <TextArea label={t.noticeAr} optional={t.optional} maxLength={300} rows={2} {...form.text('noticeAr')} dir="rtl" />
          <TextArea label={t.noticeEn} optional={t.optional} maxLength={300} rows={2} {...form.text('noticeEn')} dir="ltr" />
        </div>
        <DateField
          label={t.until}
          optional={t.optional}
          name="until"
          value={values.until ? today(new Date(values.until)) : ''}
          min={today()}
          max={plus(today(), MOST_DAYS)}
          error={form.error('until')}
          change={(day) => set('until', day ? endOfDay(day) : null)}
        />
        <p class="quiet small">{t.untilHint}</p>
      </Section>
      {form.isChanged && <Save of={form} />}
    </Form>
  )
}
