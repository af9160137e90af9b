/** The callers of generated requests: whatever these do to them, there is always one of each kind. */
import { ADMIN_PASSWORD, type House, type Visitor } from './house.ts'

/** The roles of each kind besides those that everyone has. */
const rolesOf = { person: [], receiver: ['order_receiver'], manager: ['executive_office_manager'] }
type Replaceable = keyof typeof rolesOf
const replaceable = Object.keys(rolesOf) as Replaceable[]
export type Who = 'stranger' | Replaceable | 'admin'
export const kinds: Who[] = ['stranger', ...replaceable, 'admin']

export function castOf(portal: House) {
  const visitors = {} as Record<Who, Visitor>
  let people = 0

  async function isStill(who: Replaceable | 'admin') {
    const answer = await visitors[who]?.get('/auth/me')
    const roles = who === 'admin' ? [] : rolesOf[who]
    return answer?.status === 200 && roles.every((role) => answer.body.roles.includes(role))
  }

  /** Takes the role `admin` from everyone but the one administrator, whom nothing can remove then. */
  async function takeAdmin() {
    const others = await portal.sql<{ path: string }>(
      `select '/groups/' || group_id || '/roles/1' as path from group_roles where role_id = 1
       union all select '/users/' || user_id || '/roles/admin' from user_roles where role_id = 1 and user_id <> 1`,
    )
    for (const { path } of others) await visitors.admin.delete(path)
  }

  return {
    visitors,
    /** Replaces those who were signed out, deactivated, demoted or deleted. */
    async fill() {
      visitors.stranger ??= portal.stranger()
      if (!(await isStill('admin'))) visitors.admin = await portal.stranger().signIn('admin', ADMIN_PASSWORD)
      await takeAdmin()
      for (const who of replaceable)
        if (!(await isStill(who))) visitors[who] = await portal.person(`${who}${people++}`, { roles: rolesOf[who] })
    },
  }
}
