import './style.css'
import { useEffect } from 'preact/hooks'
import { today } from '../../../platform/ago.ts'
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

interface NoticeProps {
  id: number
  /**
   * What the person came to do. `pause` and `resume` turn the switch of the pause from the start, unsaved; `notice` leaves the pause as it
   * is, and out of the form.
   */
  act?: 'pause' | 'resume' | 'notice'
  /** Called after a save while the form is still there. */
  after?: () => void
}

/** The notice that people read before they order a service, and the switch that pauses the service. */
export function Notice({ id, ...rest }: NoticeProps) {
  const notice = noticeOf(id)
  return <Loaded of={notice}>{(data) => <Editor id={id} from={noticeFields(data)} version={notice.version} {...rest} />}</Loaded>
}

interface EditorProps extends NoticeProps {
  from: NoticeFields
  version: string | undefined
}

function Editor({ id, from, version, act, after }: EditorProps) {
  const draft = `service-notice:${id}`
  const form = useForm<NoticeFields>({
    from,
    version,
    draft,
    save: (_, known, all) => saveNotice(id, all, known),
    reread: rereading(noticeOf(id), noticeFields),
    after: (isThere) => isThere && after?.(),
    saidOf: () => t.noticeSaved,
    canUndo: true,
  })
  const { values, set } = form
  useEffect(() => {
    // Waits until the draft is restored, so that its texts stay. A pause in the draft was never confirmed, and may be overwritten.
    hasDraft(`form:${draft}`).then(() => set('paused', act === 'pause' || (act !== 'resume' && from.paused)))
  }, [])
  return (
    <Form of={form} class="service-notice">
      <ChangedMeanwhile of={form} labels={{ noticeAr: t.noticeAr, noticeEn: t.noticeEn, paused: t.paused, until: t.until }} />
      <Section name="notice" title={t.notice} hint={t.noticeHint}>
        {act !== 'notice' && <Switch label={t.paused} hint={t.pausedHint} on={values.paused} change={(on) => set('paused', on)} />}
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
