import { DateField } from '../../parts/calendar/date-field.tsx'
import { plus } from '../../parts/calendar/days.ts'
import { endOfDay } from '../../parts/ends/ends.ts'
import { TextArea } from '../../parts/field.tsx'
import { ChangedMeanwhile } from '../../parts/form/changed-meanwhile.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { rereading, useForm } from '../../parts/form/use-form.ts'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/skeleton.tsx'
import { Switch } from '../../parts/switch.tsx'
import { today } from '../../platform/dates.ts'
import { type NoticeFields, noticeFields, noticeOf, saveNotice } from './handling-data.ts'
import { t } from './handling-texts.ts'

/** How many days ahead the portal lets a notice end; a day less, because it ends with the day. */
const MOST_DAYS = 91

/** What people read about a service before they order it, and whether it is paused. */
export function Notice({ id }: { id: number }) {
  const notice = noticeOf(id)
  return <Loaded of={notice}>{(data) => <Editor id={id} from={noticeFields(data)} version={notice.version} />}</Loaded>
}

function Editor({ id, from, version }: { id: number; from: NoticeFields; version: string | undefined }) {
  const form = useForm<NoticeFields>({
    from,
    version,
    draft: `service-notice:${id}`,
    save: (_, known, all) => saveNotice(id, all, known),
    reread: rereading(noticeOf(id), noticeFields),
    saidOf: () => t.noticeSaved,
    canUndo: true,
  })
  const { values, set } = form
  return (
    <Form of={form} class="desk-services-handling">
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
