import { useSignal } from '@preact/signals'
import { say } from '../../../parts/overlay/toasts.tsx'
import { attempt } from '../../../parts/show/failures.ts'
import { AppLine, Line, PersonLine, TitledLine } from '../../../parts/show/lines.tsx'
import { titleOf } from '../../../parts/show/title.ts'
import { isolated, named } from '../../../platform/language.ts'
import { at, onward } from '../../../platform/router.ts'
import { Dependents } from '../shared/dependents.tsx'
import { apps, foresee, roles } from '../shared/directory.ts'
import { deleteGroup, emptyGroup, type Group, membersOf, namingOf } from '../shared/group/data.ts'
import { PagesOf } from '../shared/pages-of.tsx'
import { sayDeleted } from '../shared/undo-deletion.ts'
import { t } from './texts.ts'

/** Deleting a group with more members requires typing its name. */
const MANY = 100

/** Deletes a group: a menu item, and a dialog that shows the losses. */
export function useRemoval(group: Group, version: string | undefined) {
  const { id, userIds, roleIds, appIds } = group
  const isOpen = useSignal(false)
  /** The number of people who would lose something; 0 while it is unknown. */
  const losers = useSignal(0)
  const title = isolated(titleOf(group))
  const close = () => {
    isOpen.value = false
  }
  const isEmpty = userIds.length + roleIds.length + appIds.length === 0
  const sayGone = () => sayDeleted(t.deleted(title), { type: 'group', id, lists: ['/groups', '/groups/{id}'], path: `/admin/groups/${id}` })
  async function begin() {
    const goOn = onward()
    const naming = namingOf(id)(0)
    // Reload first, because the dialog must not show outdated numbers from the cache.
    if (!(await attempt(naming.refresh().then(naming.load)))) return
    if (isEmpty && naming.peek()?.totalCount === 0) {
      if (!(await attempt(deleteGroup(id, false)))) return
      goOn('/admin/groups')
      sayGone()
      return
    }
    isOpen.value = true
    if (isEmpty) return
    losers.value = await foresee([{ kind: 'group', id, delete: true }]).then(
      ({ losesCount }) => losesCount,
      () => 0,
    )
  }
  const dialog = isOpen.value && (
    <Dependents
      title={t.deleteTitle(title, userIds.length, losers.value)}
      kinds={[
        {
          key: 'members',
          text: t.tabs.members,
          count: userIds.length,
          list: () => (
            <PagesOf of={(offset) => membersOf(id, '', offset)} id={(person) => person.id}>
              {(person) => (
                <a href={at(`/admin/users/${person.id}`)}>
                  <PersonLine person={person} size={32} />
                </a>
              )}
            </PagesOf>
          ),
        },
        {
          key: 'roles',
          text: t.tabs.roles,
          count: roleIds.length,
          list: () => (
            <ul class="pages-of">
              {roles.data
                ?.filter((role) => roleIds.includes(role.id))
                .map((role) => (
                  <li key={role.id}>
                    <a href={at(`/admin/roles/${role.id}`)}>
                      <TitledLine of={role} />
                    </a>
                  </li>
                ))}
            </ul>
          ),
        },
        {
          key: 'apps',
          text: t.tabs.apps,
          count: appIds.length,
          list: () => (
            <ul class="pages-of">
              {apps.data
                ?.filter((app) => appIds.includes(app.id))
                .map((app) => (
                  <li key={app.id}>
                    <a href={at(`/admin/apps/${app.id}`)}>
                      <AppLine app={app} />
                    </a>
                  </li>
                ))}
            </ul>
          ),
        },
        {
          key: 'services',
          text: t.services,
          count: namingOf(id)(0).data?.totalCount ?? 0,
          list: () => (
            <PagesOf of={namingOf(id)} id={({ part, id }) => `${part} ${id}`}>
              {({ part, isLast, ...one }) => (
                <a href={at(`/admin/${part === 'team' ? 'teams' : 'services'}/${one.id}`)}>
                  <Line title={named(one)} under={<span class="quiet small">{(isLast ? t.lastNames : t.names)[part]}</span>} />
                </a>
              )}
            </PagesOf>
          ),
        },
      ]}
      instead={
        userIds.length > 0
          ? [
              {
                text: t.emptyInstead,
                async run() {
                  if (!(await attempt(emptyGroup(id, version)))) return
                  close()
                  say({ text: t.emptied })
                },
              },
            ]
          : []
      }
      name={userIds.length > MANY ? group.name : undefined}
      button={t.deleteWith(userIds.length)}
      isUndoable={isEmpty}
      remove={() => deleteGroup(id, !isEmpty)}
      done={(goOn) => {
        goOn('/admin/groups')
        if (isEmpty) sayGone()
        else say({ text: t.deleted(title) })
      }}
      close={close}
    />
  )
  return { item: { text: t.delete, icon: 'trash-2' as const, run: begin }, dialog }
}
