import './style.css'
import { useSignal } from '@preact/signals'
import type { PageProps } from '../../../addresses.ts'
import { Meanwhile } from '../../../parts/show/presence/meanwhile.tsx'
import { Faces, usePresence } from '../../../parts/show/presence/presence.tsx'
import { Tabs } from '../../../parts/show/tabs.tsx'
import { titleOf } from '../../../parts/show/title.ts'
import { useReadAbout } from '../../../people/notifications/data.ts'
import { formatNumber } from '../../../platform/language.ts'
import { queryValue, setQuery } from '../../../platform/router.ts'
import { roles } from '../shared/directory.ts'
import { Head } from '../shared/head.tsx'
import { useMeanwhile } from '../shared/meanwhile.ts'
import { RecordPage } from '../shared/record-page.tsx'
import { holdersOf, permissionsOf, type Role, roleOf } from '../shared/role/data.ts'
import { AppsOf } from './apps.tsx'
import { RoleHistory } from './history.tsx'
import { Holders } from './holders.tsx'
import { PermissionsForm } from './permissions.tsx'
import { useRemoval } from './removal.tsx'
import { t } from './texts.ts'
import { TextsForm } from './texts-form.tsx'

const tabs = ['permissions', 'holders', 'apps', 'texts', 'history'] as const
type Tab = (typeof tabs)[number]

/** One role: its permissions, holders, apps and history. */
export default function RolePage({ params }: PageProps) {
  const id = Number(params['id'])
  const role = roleOf(id)
  return (
    <RecordPage of={role} target="role" id={id} title={titleOf} noun={t.role} list={{ path: '/admin/roles', title: t.roles }} gone={t.gone}>
      {(data, version) => <One role={data} version={version} />}
    </RecordPage>
  )
}

function One({ role, version }: { role: Role; version: string | undefined }) {
  const { id, isSystem } = role
  useReadAbout('role', id)
  const tab = tabs.find((one) => one === queryValue('tab')) ?? 'permissions'
  const listed = roles.data?.find((one) => one.id === id)
  /** The number of holders, including people who have the role through a group. */
  const people = holdersOf(id, '', 0).data?.totalCount
  const isEditing = useSignal(false)
  const edit = (now: boolean) => {
    isEditing.value = now
  }
  const saved = useMeanwhile('role', id)
  const present = usePresence('role', id, isEditing.value)
  const removal = useRemoval(role)
  const counts: Partial<Record<Tab, number | undefined>> = {
    permissions: permissionsOf(id).data?.length,
    holders: people,
  }
  return (
    <>
      <Head title={titleOf(role)} of={role} acts={removal.items} aside={<Faces of={present} />}>
        {isSystem && <p class="quiet small">{t.system}</p>}
        {listed && people !== undefined && !isSystem && <p class="quiet small">{t.heldBy(people, listed.groupCount)}</p>}
      </Head>
      <Meanwhile saved={saved} present={present} show={() => setQuery({ tab: 'history' })} />
      <Tabs<Tab>
        label={titleOf(role)}
        value={tab}
        choose={(next) => setQuery({ tab: next === 'permissions' ? '' : next, q: '', actor: '', from: '', to: '', on: '' })}
        tabs={tabs.map((key) => ({ key, text: t.tabs[key], ...(counts[key] !== undefined && { count: formatNumber(counts[key]) }) }))}
      >
        {tab === 'permissions' && <PermissionsForm role={role} copy={removal.copy} edit={edit} />}
        {tab === 'holders' && <Holders id={id} />}
        {tab === 'apps' && <AppsOf id={id} />}
        {tab === 'texts' && <TextsForm role={role} version={version} holders={people ?? 0} />}
        {tab === 'history' && <RoleHistory role={role} />}
      </Tabs>
      {removal.dialog}
    </>
  )
}
