import { TextField } from '../../../parts/forms/field.tsx'
import { Form, Save } from '../../../parts/forms/form/form.tsx'
import { useForm } from '../../../parts/forms/form/use-form.ts'
import type { TableColumn } from '../../../parts/lists/table/table.tsx'
import { addressDialog } from '../../../parts/overlay/address-dialog.ts'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { Empty } from '../../../parts/show/empty.tsx'
import { inLanguage, isolated, named } from '../../../platform/language.ts'
import { at, onward } from '../../../platform/router.ts'
import { Count } from '../shared/cells.tsx'
import { knownList } from '../shared/known-list.ts'
import { ListPage } from '../shared/list-page.tsx'
import { type Calendar, calendars, createCalendar } from './data.ts'
import { t } from './texts.ts'

const adding = addressDialog('new')

const columns = (): TableColumn<Calendar>[] => [
  {
    key: 'name',
    head: t.calendar,
    width: 'minmax(0, 3fr)',
    cell: (calendar) => (
      <>
        <a href={at(`/admin/calendars/${calendar.id}`)}>
          <bdi>{named(calendar)}</bdi>
        </a>
        {calendar.isDefault && <span class="chip">{t.isDefault}</span>}
      </>
    ),
  },
  { key: 'daysOff', head: t.daysOff, width: 'minmax(5rem, 1fr)', cell: ({ daysOff }) => <Count of={daysOff.length} /> },
  { key: 'periods', head: t.periodCount, from: 30, width: 'minmax(5rem, 1fr)', cell: ({ periods }) => <Count of={periods.length} /> },
]

/** The calendars by which teams work; there are at most 20. */
export function CalendarList() {
  return (
    <ListPage<Calendar>
      title={t.title}
      purpose={t.purpose}
      lesson="admin/calendars"
      list={knownList(calendars, calendars.data ?? [])}
      columns={columns()}
      name={named}
      failed={t.failed}
      create={{ text: t.create, run: () => adding.open(1) }}
      empty={<Empty icon="clock" title={t.empty} />}
    >
      {adding.opened() && <NewCalendar />}
    </ListPage>
  )
}

function NewCalendar() {
  const form = useForm({
    from: { nameAr: '', nameEn: '' },
    draft: 'working-calendar:new',
    isNew: true,
    fieldOf: { name_taken: 'nameAr' },
    save: async (_, __, all) => {
      const goOn = onward()
      const { id } = await createCalendar(all)
      goOn(`/admin/calendars/${id}`, { replace: true })
    },
    saidOf: ({ nameAr, nameEn }) => t.created(isolated(inLanguage(nameAr, nameEn))),
  })
  return (
    <Dialog title={t.newCalendar} close={adding.close} isUnsaved={() => false}>
      <Form of={form}>
        <div class="form-pair">
          <TextField label={t.nameAr} required maxLength={200} {...form.text('nameAr')} dir="rtl" />
          <TextField label={t.nameEn} required maxLength={200} {...form.text('nameEn')} dir="ltr" />
        </div>
        <p class="quiet small">{t.newHint}</p>
        <Save of={form} text={t.make} />
      </Form>
    </Dialog>
  )
}
