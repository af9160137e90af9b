import { useSignal } from '@preact/signals'
import { say } from '../../../parts/overlay/toasts.tsx'
import { attempt, sayFailure } from '../../../parts/show/failures.ts'
import { AppLine, Line, PersonLine, TitledLine } from '../../../parts/show/lines.tsx'
import { titleOf } from '../../../parts/show/title.ts'
import { isolated, named } from '../../../platform/language.ts'
import { at, onward } from '../../../platform/router.ts'
import { useDeletion } from '../shared/deleting.ts'
import { Dependents } from '../shared/dependents.tsx'
import { apps, foresee, roles } from '../shared/directory.ts'
import { countsOf, deleteGroup, emptyGroup, type Group, groupOf, membersOf, namingOf } from '../shared/group/data.ts'
import { PagesOf } from '../shared/pages-of.tsx'
import { sayDeleted } from '../shared/undo-deletion.ts'
import { t } from './texts.ts'

/** Deleting a group with more members requires typing its name. */
const MANY = 100

const nothing = { memberCount: 0, roleCount: 0, appCount: 0 }
const isEmpty = ({ memberCount, roleCount, appCount }: typeof nothing) => memberCount + roleCount + appCount === 0

/** Deletes a group: a menu item, and a dialog that shows the losses. */
export function useRemoval(group: Group) {
  const { id, roleIds, appIds } = group
  const deletion = useDeletion(groupOf(id), nothing, (force, version) => deleteGroup(id, force, version), countsOf)
  /** The number of people who would lose something; 0 while it is unknown. */
  const losers = useSignal(0)
  const title = isolated(titleOf(group))
  const { counts, version, close } = deletion
  const sayGone = () => sayDeleted(t.deleted(title), { type: 'group', id, lists: ['/groups', '/groups/{id}'], path: `/admin/groups/${id}` })
  async function begin() {
    const goOn = onward()
    const naming = namingOf(id)(0)
    // Reload first, because the dialog must not show outdated numbers from the cache.
    if (!(await attempt(naming.refresh().then(naming.load)))) return
    if (isEmpty(countsOf(groupOf(id).peek() ?? group)) && naming.peek()?.totalCount === 0) {
      const isGone = await deletion.remove().catch(sayFailure)
      if (isGone) {
        goOn('/admin/groups')
        sayGone()
      }
      if (isGone !== false) return
    } else deletion.ask()
    await foreseeLosses()
  }
  async function foreseeLosses() {
    losers.value = await foresee([{ kind: 'group', id, delete: true }]).then(
      ({ losesCount }) => losesCount,
      () => 0,
    )
  }
  const dialog = counts && (
    <Dependents
      title={t.deleteTitle(title, counts.memberCount, losers.value)}
      kinds={[
        {
          key: 'members',
          text: t.tabs.members,
          count: counts.memberCount,
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
          count: counts.roleCount,
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
          count: counts.appCount,
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
        counts.memberCount > 0
          ? [
              {
                text: t.emptyInstead,
                async run() {
                  if (!(await attempt(emptyGroup(id, version)))) return deletion.askAgain()
                  close()
                  say({ text: t.emptied })
                },
              },
            ]
          : []
      }
      name={counts.memberCount > MANY ? group.name : undefined}
      button={t.deleteWith(counts.memberCount)}
      isUndoable={isEmpty(counts)}
      remove={() =>
        deletion.remove().catch((failure) => {
          foreseeLosses()
          throw failure
        })
      }
      done={(goOn) => {
        goOn('/admin/groups')
        if (isEmpty(counts)) sayGone()
        else say({ text: t.deleted(title) })
      }}
      close={close}
    />
  )
  return { item: { text: t.delete, icon: 'trash-2' as const, run: begin }, dialog }
}
