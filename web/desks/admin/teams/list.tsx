import { useRef } from 'preact/hooks'
import { Form, Save } from '../../../parts/forms/form/form.tsx'
import { useForm } from '../../../parts/forms/form/use-form.ts'
import type { TableColumn } from '../../../parts/lists/table/table.tsx'
import { addressDialog } from '../../../parts/overlay/address-dialog.ts'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Empty } from '../../../parts/show/empty.tsx'
import { matches } from '../../../platform/folded.ts'
import { inLanguage, isolated, named } from '../../../platform/language.ts'
import { at, onward, queryValue, setQuery } from '../../../platform/router.ts'
import { Count } from '../shared/cells.tsx'
import { knownList } from '../shared/known-list.ts'
import { ListPage } from '../shared/list-page.tsx'
import { blank, createTeam, type Fields, type ListedTeam, takenField, teams } from './data.ts'
import { TeamFields } from './fields.tsx'
import { t } from './texts.ts'

const adding = addressDialog('new')

const columns = (): TableColumn<ListedTeam>[] => [
  {
    key: 'name',
    head: t.name,
    width: 'minmax(0, 3fr)',
    cell: (team) => (
      <a href={at(`/admin/teams/${team.id}`)}>
        <bdi>{named(team)}</bdi>
      </a>
    ),
  },
  {
    key: 'services',
    head: t.services,
    width: 'minmax(5rem, 1fr)',
    cell: ({ serviceCount }) => <Count of={serviceCount} />,
  },
  { key: 'groups', head: t.groupCount, from: 30, width: 'minmax(5rem, 1fr)', cell: ({ groupIds }) => <Count of={groupIds.length} /> },
  { key: 'leads', head: t.leadCount, from: 30, width: 'minmax(5rem, 1fr)', cell: ({ leadUserIds }) => <Count of={leadUserIds.length} /> },
]

/** The teams that handle the orders of services. */
export function TeamList() {
  const typed = queryValue('q')
  const found = (teams.data ?? []).filter(({ nameAr, nameEn }) => matches(typed, nameAr, nameEn))
  const open = () => adding.open(1)
  return (
    <ListPage<ListedTeam>
      title={t.title}
      purpose={t.purpose}
      lesson="admin/teams"
      list={knownList(teams, found)}
      columns={columns()}
      name={named}
      failed={t.failed}
      create={{ text: t.create, run: open }}
      search={{ label: t.find, typed, find: (q = '') => setQuery({ q }) }}
      nothing={typed && t.nothing}
      empty={
        <Empty icon="users" title={t.empty} act={<Button onClick={open}>{t.first}</Button>}>
          {t.emptyHint}
        </Empty>
      }
    >
      {adding.opened() && <NewTeam />}
    </ListPage>
  )
}

function NewTeam() {
  const sent = useRef(blank)
  const form = useForm<Fields>({
    from: blank,
    draft: 'service-team:new',
    isNew: true,
    fieldOf: { name_taken: takenField(sent.current) },
    save: async (_, __, all) => {
      sent.current = all
      const goOn = onward()
      const { id } = await createTeam(all)
      goOn(`/admin/teams/${id}`, { replace: true })
    },
    saidOf: ({ nameAr, nameEn }) => t.created(isolated(inLanguage(nameAr, nameEn))),
  })
  return (
    <Dialog title={t.newTeam} close={adding.close} isUnsaved={() => false}>
      <Form of={form}>
        <TeamFields form={form} />
        <Save of={form} text={t.make} />
      </Form>
    </Dialog>
  )
}
