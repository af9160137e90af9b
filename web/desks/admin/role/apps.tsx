import { AppLine } from '../../../parts/show/lines.tsx'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import { titleOf } from '../../../parts/show/title.ts'
import { at } from '../../../platform/router.ts'
import { appsOf } from '../permissions/data.ts'
import { apps, type Permission } from '../shared/directory.ts'
import { permissionsOf } from '../shared/role/data.ts'
import { namesIn } from '../shared/set-history.tsx'
import { t } from './texts.ts'

/** The apps that require a permission of the role, each with that permission. */
export const AppsOf = ({ id }: { id: number }) => (
  <Loaded of={permissionsOf(id)}>{(granted) => <Loaded of={apps}>{() => <Opened granted={granted} />}</Loaded>}</Loaded>
)

function Opened({ granted }: { granted: readonly Permission[] }) {
  const ways = new Map<number, string[]>()
  const pages = granted.map((permission) => ({ permission, page: appsOf(permission.id, 0) }))
  for (const { permission, page } of pages)
    for (const app of page.data?.items ?? []) ways.set(app.id, [...(ways.get(app.id) ?? []), titleOf(permission)])
  const opened = apps.data!.filter((app) => ways.has(app.id))
  const isKnown = pages.every(({ page }) => page.data)
  if (opened.length === 0) return isKnown ? <p class="quiet">{t.noApps}</p> : null
  return (
    <ul class="card role-list">
      {opened.map((app) => (
        <li key={app.id}>
          <a href={at(`/admin/apps/${app.id}`)}>
            <AppLine app={app} />
          </a>
          <span class="quiet small">{t.via(namesIn(ways.get(app.id)!))}</span>
        </li>
      ))}
    </ul>
  )
}
