import './style.css'
import { useSignal } from '@preact/signals'
import type { PageProps } from '../../../addresses.ts'
import { Menu, type MenuItem } from '../../../parts/overlay/menu.tsx'
import { Avatar } from '../../../parts/show/avatar.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { lazily } from '../../../parts/show/lazily.tsx'
import { Tabs } from '../../../parts/show/tabs.tsx'
import { formatNumber, nameOf } from '../../../platform/language.ts'
import { queryValue, setQuery } from '../../../platform/router.ts'
import { me } from '../../../platform/session.ts'
import { type Asked, activate, PersonDialog } from '../shared/person-acts/dialog.tsx'
import { Seen } from '../shared/person-acts/seen.tsx'
import { RecordPage } from '../shared/record-page.tsx'
import { Aside } from './aside.tsx'
import { listedOf, type Profile, personOf, sessionsOf } from './data.ts'
import { Opens } from './opens.tsx'
import { useReadAboutPerson } from './reading.ts'
import { t } from './texts.ts'

const ProfileForm = lazily(async () => (await import('./profile.tsx')).ProfileForm)
const Security = lazily(async () => (await import('./security.tsx')).Security)
const Devices = lazily(async () => (await import('./devices.tsx')).Devices)
const Orders = lazily(async () => (await import('./orders.tsx')).Orders)
const History = lazily(async () => (await import('./history.tsx')).History)
const Sets = lazily(async () => (await import('./sets.tsx')).Sets)

const tabs = ['opens', 'profile', 'security', 'devices', 'orders', 'history'] as const
type Tab = (typeof tabs)[number]

/** A person, for administrators: the apps that they see and why, their profile, their devices, and their history. */
export default function User({ params }: PageProps) {
  const id = Number(params['id'])
  const record = personOf(id)
  return (
    <RecordPage
      of={record}
      target="user"
      id={id}
      title={nameOf}
      noun={t.users}
      list={{ path: '/admin/users', title: t.users }}
      gone={t.goneTitle}
    >
      {(person, version) => <Person person={person} version={version} />}
    </RecordPage>
  )
}

function Person({ person, version }: { person: Profile; version: string | undefined }) {
  useReadAboutPerson(person.id)
  const asked = useSignal<Asked | undefined>(undefined)
  const changing = useSignal<'groups' | 'roles' | undefined>(undefined)
  const chosen = tabs.find((tab) => tab === queryValue('tab')) ?? 'opens'
  const sessions = sessionsOf(person.id).data?.length
  const orders = listedOf(person.id).data?.[0]?.orderCount
  const counts: Partial<Record<Tab, number | undefined>> = { devices: sessions, orders }
  const ask = (wanted: Asked) => {
    asked.value = wanted
  }
  const change = (what: 'groups' | 'roles') => {
    changing.value = what
  }
  return (
    <div class="user">
      <Head person={person} ask={ask} />
      <Tabs
        label={t.parts}
        value={chosen}
        choose={(tab) => setQuery({ tab: tab === 'opens' ? '' : tab })}
        tabs={tabs.map((key) => ({ key, text: t.tabs[key], ...(counts[key] && { count: formatNumber(counts[key]) }) }))}
      >
        <div class="user-columns">
          <div class="user-main">
            {chosen === 'opens' && <Opens person={person} />}
            {chosen === 'profile' && <ProfileForm person={person} version={version} />}
            {chosen === 'security' && <Security person={person} />}
            {chosen === 'devices' && <Devices person={person} />}
            {chosen === 'orders' && <Orders person={person} />}
            {chosen === 'history' && <History person={person} />}
          </div>
          <Aside person={person} change={change} />
        </div>
      </Tabs>
      <PersonDialog
        asked={asked.value}
        close={() => {
          asked.value = undefined
        }}
        removed={(goOn) => goOn('/admin/users')}
      />
      {changing.value && (
        <Sets
          what={changing.value}
          person={person}
          close={() => {
            changing.value = undefined
          }}
        />
      )}
    </div>
  )
}

function Head({ person, ask }: { person: Profile; ask: (asked: Asked) => void }) {
  const isOwn = person.id === me.value?.id
  const owned = listedOf(person.id).data?.[0]
  const items: (MenuItem | false)[] = [
    person.isActive
      ? { text: t.deactivate, icon: 'lock', run: () => ask({ act: 'deactivate', person }) }
      : { text: t.activate, icon: 'check', run: () => activate(person) },
    person.isActive && !person.roles.includes('admin') && { text: t.promote, icon: 'shield', run: () => ask({ act: 'promote', person }) },
    { text: t.remove, icon: 'trash-2', apart: true, run: () => ask({ act: 'remove', person, ...(owned && { owned }) }) },
  ]
  return (
    <header class="user-top">
      <Avatar person={person} size={72} />
      <div class="user-lines">
        <h1>
          <bdi>{nameOf(person)}</bdi>
          {person.roles.includes('admin') && (
            <span class="user-shield" role="img" aria-label={t.administrator} title={t.administrator}>
              <Icon name="shield" />
            </span>
          )}
        </h1>
        <p class="user-meta">
          <bdi dir="ltr">{person.username}</bdi>
          <bdi dir="ltr">{person.email}</bdi>
          <span>
            {person.lastSeenAt && t.seen} <Seen at={person.lastSeenAt} />
          </span>
          {!person.isActive && (
            <span class="chip" data-kind="warn">
              {t.disabled}
            </span>
          )}
          {person.invitation === 'pending' && (
            <span class="chip" data-kind="blue">
              {t.pending}
            </span>
          )}
        </p>
        {isOwn && <p class="quiet small">{t.own}</p>}
      </div>
      <div class="user-acts">
        <Button icon="key-round" onClick={() => ask({ act: 'link', person })}>
          {person.invitation === 'pending' ? t.newInvitation : t.link}
        </Button>
        {!isOwn && <Menu label={t.acts(nameOf(person))} face={<Icon name="ellipsis" />} items={items.filter((one) => one !== false)} />}
      </div>
    </header>
  )
}
