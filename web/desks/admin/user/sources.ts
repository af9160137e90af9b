/** The apps that a person sees, by source. */
import type { Schemas } from '../../../platform/client.ts'

type Access = Schemas['EffectiveAccess']
type SeenApp = Access['apps'][number]

/** The apps that a role of the source gives; without `roleName`, the apps that the source itself gives. */
interface Given {
  roleName: string | undefined
  apps: SeenApp[]
}
export interface Source {
  /** How the apps are given: through a group, a direct role, the administrator's rights, or because they are open to everyone. */
  kind: 'group' | 'role' | 'admin' | 'open'
  /** The name of the group or role; otherwise ''. */
  name: string
  given: Given[]
}

/**
 * Groups, then direct roles, both with the source of the most apps first, and each with the apps that it shows; then the apps seen as an
 * administrator; then the apps open to everyone.
 */
export function sourcesOf({ roles, apps }: Access, groupNames: readonly string[]): Source[] {
  const sources = new Map<string, Source>()
  const source = (kind: Source['kind'], name = '') => {
    const key = `${kind} ${name}`
    const known = sources.get(key) ?? { kind, name, given: [] }
    sources.set(key, known)
    return known
  }
  const give = ({ given }: Source, roleName: string | undefined, app?: SeenApp) => {
    const one = given.find((some) => some.roleName === roleName) ?? { roleName, apps: [] }
    if (!given.includes(one)) given.push(one)
    if (app && !one.apps.includes(app)) one.apps.push(app)
  }
  for (const name of groupNames) source('group', name)
  for (const { name, from } of roles)
    for (const { via, groupName } of from)
      if (via === 'direct') source('role', name)
      else if (groupName) give(source('group', groupName), name)
  for (const app of apps)
    for (const { via, roleName, groupName } of app.reasons)
      if (via === 'group') give(source('group', groupName), undefined, app)
      else if (via === 'admin') give(source('admin'), undefined, app)
      else if (via === 'unrestricted') give(source('open'), undefined, app)
      else if (groupName) give(source('group', groupName), roleName, app)
      else give(source('role', roleName), undefined, app)
  const order = ['group', 'role', 'admin', 'open']
  const sizeOf = ({ given }: Source) => new Set(given.flatMap(({ apps }) => apps)).size
  return [...sources.values()].toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind) || sizeOf(other) - sizeOf(one))
}
