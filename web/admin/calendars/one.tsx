import './style.css'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useTitle } from '../../frame/site.ts'
import { useWayBack } from '../../frame/way-back.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { attempt } from '../../parts/failures.ts'
import { Form, Save } from '../../parts/form/form.tsx'
import { type FormState, rereading, useForm } from '../../parts/form/use-form.ts'
import { useSaving } from '../../parts/saving.ts'
import { Loaded } from '../../parts/skeleton.tsx'
import { say } from '../../parts/toasts.tsx'
import { formatNumber, inLanguage, isolated, named } from '../../platform/language.ts'
import { onward } from '../../platform/router.ts'
import { Found } from '../shared/found.tsx'
import { Head } from '../shared/head.tsx'
import { type Calendar, calendarOf, changeCalendar, type Fields, fieldsOf, previewOf, removeCalendar, type Work } from './data.ts'
import { CalendarFields } from './fields.tsx'
import { hoursIn } from './hours.ts'
import { t } from './texts.ts'

/** A calendar: its hours, its days off, and its periods with other hours. */
export function OneCalendar({ id }: { id: number }) {
  const calendar = calendarOf(id)
  useTitle(calendar.data ? named(calendar.data) : t.title)
  useWayBack('/admin/calendars', t.title)
  return (
    <Found of={calendar} target="working_calendar" id={id} text={t.gone} list="/admin/calendars">
      <Loaded of={calendar}>{(data) => <Editor calendar={data} version={calendar.version} />}</Loaded>
    </Found>
  )
}

function Editor({ calendar, version }: { calendar: Calendar; version: string | undefined }) {
  const { id } = calendar
  const isAsking = useSignal(false)
  const form = useForm<Fields>({
    from: fieldsOf(calendar),
    version,
    draft: `working-calendar:${id}`,
    fieldOf: { name_taken: 'nameAr' },
    save: (changed, known) => changeCalendar(id, changed, known),
    reread: rereading(calendarOf(id), fieldsOf),
    saidOf: () => t.saved,
    canUndo: true,
  })
  const makeDefault = async () => {
    if (await attempt(changeCalendar(id, { isDefault: true }, undefined))) say({ text: t.madeDefault(isolated(named(calendar))) })
  }
  const remove = () => {
    isAsking.value = true
  }
  return (
    <>
      <Head
        title={isolated(named(calendar))}
        acts={
          calendar.isDefault
            ? []
            : [
                { text: t.makeDefault, icon: 'check', run: makeDefault },
                { text: t.remove, icon: 'trash-2', run: remove },
              ]
        }
      >
        <p class="quiet head-under">
          <bdi lang={inLanguage('en', 'ar')}>{inLanguage(calendar.nameEn, calendar.nameAr)}</bdi>
          {calendar.isDefault && <span>{t.defaultHint}</span>}
        </p>
      </Head>
      <Form of={form}>
        <CalendarFields form={form} />
        <Moved id={id} form={form} />
        <Save of={form} />
      </Form>
      {isAsking.value && (
        <Removal
          calendar={calendar}
          close={() => {
            isAsking.value = false
          }}
        />
      )}
    </>
  )
}

/** How long nothing is typed before a preview is asked for, in ms. */
const QUIET_MS = 400
const isReadable = ({ weekly = [], periods = [] }: Partial<Fields>) =>
  [...weekly, ...periods.flatMap((period) => period.weekly)].every(hoursIn) && periods.every(({ from, to }) => from && to)

/** How many due times of open orders the changes would move. */
function Moved({ id, form }: { id: number; form: FormState<Fields> }) {
  const said = useSignal('')
  const { weekly, periods, daysOff } = form.changed
  const state = JSON.stringify([weekly, periods, daysOff])
  useEffect(() => {
    said.value = ''
    if (!(weekly || periods || daysOff) || !isReadable(form.changed)) return
    let isOver = false
    const timer = setTimeout(async () => {
      const moved = await previewOf(id, { ...(weekly && { weekly }), ...(periods && { periods }), ...(daysOff && { daysOff }) })
      if (isOver || !moved) return
      const { earlier, later } = moved
      said.value =
        earlier + later === 0 ? t.movesNothing : `${t.moves(earlier + later)} ${t.movesHow(formatNumber(earlier), formatNumber(later))}`
    }, QUIET_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [state])
  return <p role="status">{said.value}</p>
}

/** Deletes the calendar, or says what keeps it. */
function Removal({ calendar, close }: { calendar: Calendar; close: () => void }) {
  const work = useSignal<Work | undefined>(undefined)
  const name = isolated(named(calendar))
  const { isBusy, problem, run } = useSaving(async () => {
    const goOn = onward()
    work.value = await removeCalendar(calendar.id)
    if (work.value) return
    close()
    say({ text: t.removed(name) })
    goOn('/admin/calendars', { replace: true })
  })
  const kept = work.value
  if (kept)
    return (
      <Dialog title={t.keptTitle(name)} close={close} end={<Button onClick={close}>{t.close}</Button>}>
        <div role="status">
          <ul class="lines">
            {kept.teams > 0 && <li>{t.hasTeams(kept.teams)}</li>}
            {kept.orders > 0 && <li>{t.hasOrders(kept.orders)}</li>}
          </ul>
          <p class="quiet">{t.keptHint}</p>
        </div>
      </Dialog>
    )
  return (
    <Dialog
      title={t.removeTitle(name)}
      close={close}
      end={
        <>
          <Button onClick={close}>{t.cancel}</Button>
          <Button kind="danger" icon="trash-2" isBusy={isBusy} onClick={run}>
            {t.removeYes}
          </Button>
        </>
      }
    >
      <p>{t.removeHint}</p>
      <p class="error" role="alert">
        {problem}
      </p>
    </Dialog>
  )
}
