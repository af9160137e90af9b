import { useSignal } from '@preact/signals'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { attempt, sayFailure } from '../../../parts/show/failures.ts'
import { PersonLine, TitledLine } from '../../../parts/show/lines.tsx'
import { Moment } from '../../../parts/show/moment.tsx'
import { titleOf } from '../../../parts/show/title.ts'
import { isolated, named } from '../../../platform/language.ts'
import { at, onward } from '../../../platform/router.ts'
import { useDeletion } from '../shared/deleting.ts'
import { Dependents } from '../shared/dependents.tsx'
import { PagesOf } from '../shared/pages-of.tsx'
import { sayDeleted } from '../shared/undo-deletion.ts'
import { type App, changeApp, dependentsOf, nothing, oneApp, removeApp } from './data.ts'
import { t } from './texts.ts'

/** Deletes the app. If records depend on it, shows them first and offers to hide the app instead. */
export function Removal({ app }: { app: App }) {
  const { id, isActive } = app
  const isBusy = useSignal(false)
  const name = named(app)
  const { counts, remove, close } = useDeletion(oneApp(id), nothing, (force, version) => removeApp(id, force, version))
  async function run() {
    isBusy.value = true
    const goOn = onward()
    try {
      if (await remove()) {
        sayDeleted(t.removed(name), { type: 'app', id, lists: ['/apps', '/admin/apps', '/apps/{id}'] })
        goOn('/admin/apps', { replace: true })
      }
    } catch (failure) {
      sayFailure(failure)
    }
    isBusy.value = false
  }
  async function hide() {
    if (!(await attempt(changeApp(id, { isActive: false }, undefined)))) return
    say({ text: t.isHidden(name) })
    close()
  }
  return (
    <>
      <Button kind="danger" icon="trash-2" isBusy={isBusy.value} onClick={run}>
        {t.remove}
      </Button>
      {counts && (
        <Dependents
          title={t.removeTitle(isolated(name))}
          kinds={[
            {
              key: 'groups',
              text: t.groups,
              count: counts.groupCount,
              list: () => (
                <PagesOf of={dependentsOf(id).groups} id={(group) => group.id}>
                  {(group) => (
                    <a href={at(`/admin/groups/${group.id}`)}>
                      <TitledLine of={group} />
                    </a>
                  )}
                </PagesOf>
              ),
            },
            {
              key: 'restrictions',
              text: t.restrictions,
              count: counts.restrictionCount,
              list: () => (
                <PagesOf of={dependentsOf(id).restrictions} id={(permission) => permission.id}>
                  {(permission) => <a href={at(`/admin/permissions/${permission.id}`)}>{isolated(titleOf(permission))}</a>}
                </PagesOf>
              ),
            },
            {
              key: 'opens',
              text: t.opens,
              count: counts.openCount,
              list: () => (
                <PagesOf of={dependentsOf(id).opens} id={(open) => open.id}>
                  {({ createdAt, ...person }) => (
                    <>
                      <PersonLine person={person} size={32} />
                      <Moment at={createdAt} />
                    </>
                  )}
                </PagesOf>
              ),
            },
          ]}
          instead={isActive ? [{ text: t.hideInstead, hint: t.hiddenHint, run: hide }] : []}
          button={t.removeWith}
          remove={remove}
          done={(goOn) => {
            say({ text: t.removed(name) })
            goOn('/admin/apps', { replace: true })
          }}
          close={close}
        />
      )}
    </>
  )
}
