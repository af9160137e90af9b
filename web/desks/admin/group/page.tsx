import type { PageProps } from '../../../addresses.ts'
import { ChangedMeanwhile } from '../../../parts/forms/form/changed-meanwhile.tsx'
import { Form } from '../../../parts/forms/form/form.tsx'
import { rereading, useForm } from '../../../parts/forms/form/use-form.ts'
import { sizeOf } from '../../../parts/lists/set-editor/staged.ts'
import { useUnsaved } from '../../../parts/lists/set-editor/use-unsaved.ts'
import { Consequences } from '../../../parts/overlay/consequences/consequences.tsx'
import { useForeseen } from '../../../parts/overlay/consequences/use-foreseen.ts'
import { lazily } from '../../../parts/show/lazily.tsx'
import { Meanwhile } from '../../../parts/show/presence/meanwhile.tsx'
import { Faces, usePresence } from '../../../parts/show/presence/presence.tsx'
import { Tabs } from '../../../parts/show/tabs.tsx'
import { titleOf } from '../../../parts/show/title.ts'
import { useReadAbout } from '../../../people/notifications/data.ts'
import type { Schemas } from '../../../platform/client.ts'
import { formatNumber, isolated, named, nameOf } from '../../../platform/language.ts'
import { queryValue, setQuery } from '../../../platform/router.ts'
import { foresee, lastEditor } from '../shared/directory.ts'
import { endSentences, endsOfAdded, isExpiry, overSentence } from '../shared/ends/history.ts'
import { EndsSaid } from '../shared/ends/said.tsx'
import { type Group, groupOf, historyOf, plannedFor, refreshLists, saveGroup, type Values, valuesOf } from '../shared/group/data.ts'
import { Texts } from '../shared/group/fields.tsx'
import { Apps, endsOf, Members, Roles } from '../shared/group/sets.tsx'
import { t as words } from '../shared/group/texts.ts'
import { Head } from '../shared/head.tsx'
import { useMeanwhile } from '../shared/meanwhile.ts'
import { RecordPage } from '../shared/record-page.tsx'
import { SetHistory } from '../shared/set-history.tsx'
import { Managed } from './managed.tsx'
import { useRemoval } from './removal.tsx'
import { t } from './texts.ts'

const Policy = lazily(async () => (await import('./policy/policy.tsx')).Policy)

const tabs = ['members', 'roles', 'apps', 'requests', 'texts', 'history'] as const
type Tab = (typeof tabs)[number]
const tabOf = (text: string) => tabs.find((tab) => tab === text) ?? 'members'

/** One group: its members, roles, apps and history. All changes are saved together, after a preview of their consequences. */
export default function GroupPage({ params }: PageProps) {
  const id = Number(params['id'])
  const group = groupOf(id)
  return (
    <RecordPage
      of={group}
      target="group"
      id={id}
      title={titleOf}
      noun={t.group}
      list={{ path: '/admin/groups', title: t.groups }}
      gone={t.gone}
    >
      {(data, version) => <Editor group={data} version={version} />}
    </RecordPage>
  )
}

function Editor({ group, version }: { group: Group; version: string | undefined }) {
  const { id } = group
  useReadAbout('group', id)
  const tab = tabOf(queryValue('tab'))
  const choose = (next: Tab) => setQuery({ tab: next === 'members' ? '' : next })
  const foreseen = useForeseen<Values, NonNullable<ReturnType<typeof plannedFor>>>({
    plan: (values) => plannedFor(id, values),
    ask: foresee,
  })
  const form = useForm<Values>({
    from: valuesOf(group),
    version,
    draft: `group:${id}`,
    foreseen,
    canUndo: true,
    fieldOf: { name_taken: 'name' },
    save: (changed, known) => saveGroup(id, changed, known),
    reread: rereading(groupOf(id), valuesOf),
    by: () => lastEditor('group', id),
    reveal: () => choose('texts'),
    saidOf: () => t.saved,
  })
  const { values, isBusy } = form
  const ends = endsOf(group)
  useUnsaved({
    isBusy,
    staged: values.members,
    ids: group.userIds,
    endNow: ({ id: userId }) => ends.get(userId) ?? null,
    change: (left) => form.set('members', left),
  })
  useUnsaved({ isBusy, staged: values.roles, ids: group.roleIds, change: (left) => form.set('roles', left) })
  useUnsaved({ isBusy, staged: values.apps, ids: group.appIds, change: (left) => form.set('apps', left) })
  const saved = useMeanwhile('group', id)
  const present = usePresence('group', id, form.isChanged)
  const removal = useRemoval(group)
  const counts = { members: group.userIds.length, roles: group.roleIds.length, apps: group.appIds.length }
  const { members, roles: given, apps: opened, ...texts } = form.changed
  const staged = [members, given, opened].reduce((total, one) => total + (one ? sizeOf(one) : 0), 0)
  /** The tabs of the history and the policy need no save bar, unless a different tab has changes. */
  const isApart = (tab === 'history' || tab === 'requests') && !form.isChanged
  return (
    <>
      <Head title={titleOf(group)} of={group} acts={group.isSystem ? [] : [removal.item]} aside={<Faces of={present} />}>
        {group.isSystem && <p class="quiet small">{t.system}</p>}
        <Managed groupId={id} />
      </Head>
      <Meanwhile saved={saved} present={present} show={() => choose('history')} />
      <Form of={form} isWide class="beside">
        <div>
          <ChangedMeanwhile of={form} labels={{ name: words.key, descriptionAr: words.nameAr, descriptionEn: words.nameEn }} />
          <Tabs<Tab>
            label={titleOf(group)}
            value={tab}
            choose={choose}
            tabs={tabs.map((key) => ({
              key,
              text: t.tabs[key],
              ...(key in counts && { count: formatNumber(counts[key as keyof typeof counts]) }),
            }))}
          >
            {tab === 'members' && <Members form={form} group={group} />}
            {tab === 'roles' && <Roles form={form} group={group} />}
            {tab === 'apps' && <Apps form={form} group={group} />}
            {tab === 'requests' && <Policy group={group} />}
            {tab === 'texts' && <Texts form={form} isSystem={group.isSystem} />}
            {tab === 'history' && <GroupHistory group={group} />}
          </Tabs>
        </div>
        {!isApart && (
          <Consequences of={foreseen} form={form} changes={staged + Object.keys(texts).length}>
            {members && <EndsSaid of={members} name={nameOf} isPeople />}
          </Consequences>
        )}
      </Form>
      {removal.dialog}
    </>
  )
}

type Change = Schemas['PermissionAuditEntry']

/** The names of the people, roles or apps that were added or removed. */
function namesOf({ changeKind, refs }: Change, ids: readonly number[], keys: readonly string[]) {
  return ids.map((id, index) => {
    const [person, role, app] = [refs.users?.[id], refs.roles?.[id], refs.apps?.[id]]
    if (changeKind === 'group.users') return person ? nameOf(person) : keys[index]!
    if (changeKind === 'group.roles') return role ? titleOf(role) : keys[index]!
    return app ? named(app) : keys[index]!
  })
}

function GroupHistory({ group }: { group: Group }) {
  return (
    <SetHistory<Change>
      kind="group"
      isFixed={isExpiry}
      of={(offset) => historyOf(group.id, offset)}
      namesOf={(change) => ({
        added: namesOf(change, change.addedIds, change.addedNames),
        removed: namesOf(change, change.removedIds, change.removedNames),
        ends: endsOfAdded(change),
      })}
      sentence={(change, by, added, removed) => {
        const { changeKind } = change
        if (isExpiry(change)) return overSentence('group', by, removed)
        const [came, went] =
          changeKind === 'group.users'
            ? [t.membersAdded, t.membersRemoved]
            : changeKind === 'group.roles'
              ? [t.rolesAdded, t.rolesRemoved]
              : [t.appsAdded, t.appsRemoved]
        const ends = endSentences(change, 'group', by, (id) => isolated(namesOf(change, [id], [])[0] ?? ''))
        return [...(added ? [came(by, added)] : []), ...(removed ? [went(by, removed)] : []), ...ends].join(t.next)
      }}
      done={() => {
        groupOf(group.id).refresh()
        refreshLists()
      }}
    />
  )
}
