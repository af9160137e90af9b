import { Icon } from '../../../parts/show/icon.tsx'
import { titleOf } from '../../../parts/show/title.ts'
import { invalidate } from '../../../platform/cache.ts'
import type { Schemas } from '../../../platform/client.ts'
import { at } from '../../../platform/router.ts'
import { SetHistory } from '../shared/set-history.tsx'
import { type App, historyOf } from './data.ts'
import { t } from './texts.ts'

type Change = Schemas['PermissionAuditEntry']

/** The titles of permissions; for deleted ones, the key that the entry contains. */
const titles = ({ refs }: Change, ids: readonly number[], keys: readonly string[]) =>
  ids.map((id, index) => {
    const permission = refs.permissions?.[id]
    return permission ? titleOf(permission) : keys[index]!
  })

/** The changes of the permissions that the app requires. Each change can be reverted. */
export function AppHistory({ app }: { app: App }) {
  const { id } = app
  return (
    <section class="desk-app-history" aria-label={t.tabs.history}>
      <p class="quiet">{t.historyHint}</p>
      <p class="desk-app-acts">
        <a class="button" href={at(`/admin/audit?type=app&id=${id}`)}>
          {t.whatHappened}
        </a>
        <a class="button" data-kind="plain" href={at(`/api/apps/${id}/audit.csv`)} download>
          <Icon name="download" />
          {t.handOut}
        </a>
      </p>
      <SetHistory
        kind="app"
        of={(offset) => historyOf(id, offset)}
        namesOf={(change) => ({
          added: titles(change, change.addedIds, change.addedNames),
          removed: titles(change, change.removedIds, change.removedNames),
        })}
        sentence={(_, by, added, removed) =>
          [...(added ? [t.asksFor(by, added)] : []), ...(removed ? [t.asksNoMore(by, removed)] : [])].join(t.next)
        }
        done={() =>
          invalidate('/apps', '/admin/apps', '/apps/{id}/access', '/apps/{id}/dependents/groups', '/apps/{id}/audience', '/apps/{id}/audit')
        }
      />
    </section>
  )
}
