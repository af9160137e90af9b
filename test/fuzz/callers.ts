/** The six kinds of caller of generated requests. Whatever the requests do to callers, there is always one of each kind. */

import { signedIn } from '../people.ts'
import { type Client, PASSWORD, type TestPortal } from '../portal.ts'

/** The extra roles of each kind. The leaver has the rights of all kinds except the administrator's. */
const rolesOf = {
  person: [],
  receiver: ['order_receiver'],
  manager: ['executive_office_manager'],
  leaver: ['order_receiver', 'executive_office_manager'],
}
type Replaceable = keyof typeof rolesOf
const replaceable = Object.keys(rolesOf) as Replaceable[]
export type Caller = 'stranger' | Replaceable | 'admin'
export const kinds: Caller[] = ['stranger', ...replaceable, 'admin']

export function openCallers(portal: TestPortal) {
  const clients = {} as Record<Caller, Client>
  let people = 0

  async function isStill(who: Replaceable | 'admin') {
    const answer = await clients[who]?.get('/auth/me')
    const roles = who === 'admin' ? [] : rolesOf[who]
    return answer?.status === 200 && roles.every((role) => answer.body.roles.includes(role))
  }

  /** Takes the role `admin` from everyone but one administrator, who then cannot be removed. */
  async function takeAdmin() {
    const others = await portal.sql<{ path: string }>(
      `select '/groups/' || group_id || '/roles/1' as path from group_roles where role_id = 1
       union all select '/users/' || user_id || '/roles/admin' from user_roles where role_id = 1 and user_id <> 1`,
    )
    for (const { path } of others) await clients.admin.delete(path)
  }

  /** Restores the one administrator: of simultaneous requests, one may promote another administrator, and the next demote the first. */
  async function giveAdmin() {
    const isAdmin = await portal.sql('select from user_roles join users on id = user_id where user_id = 1 and role_id = 1 and is_active')
    if (isAdmin.length) return
    await portal.meddle(
      'user',
      1,
      `insert into permission_history (kind, target_id, added, removed) values ('user.roles', 1, '{1}', '{}');
       insert into direct_roles (user_id, role_id) values (1, 1) on conflict do nothing;
       update users set is_active = true where id = 1`,
    )
  }

  const make = (who: Replaceable) => portal.person(`${who}${people++}`, { roles: rolesOf[who] })

  const departures: ((leaver: Client) => Promise<unknown>)[] = [
    (leaver) => leaver.post('/auth/logout'),
    ({ id }) => clients.admin.delete(`/users/${id}/sessions`),
    ({ id }) => clients.admin.delete(`/users/${id}?force=true`),
    ({ id }) => clients.admin.delete(`/users/${id}/sessions`),
    ({ id }) => clients.admin.patch(`/users/${id}`, { isActive: false }),
    ({ id }) => clients.admin.delete(`/users/${id}?force=true`),
  ]
  let departed = 0

  return {
    clients,
    /** Replaces callers who were signed out, deactivated, demoted or deleted. */
    async fill() {
      clients.stranger ??= portal.stranger()
      await giveAdmin()
      if (!(await isStill('admin'))) clients.admin = await signedIn(portal.instance, portal.admin)
      await takeAdmin()
      for (const who of replaceable) if (!(await isStill(who))) clients[who] = await make(who)
    },
    /** Ends the leaver's session or account, each time in the next of several ways. */
    leave: () => departures[departed++ % departures.length]!(clients.leaver),
    /** Signs the leaver in again, or a new leaver if that fails. */
    async replaceLeaver() {
      const { username } = clients.leaver
      const again = portal.stranger()
      const { status, body } = await again.post('/auth/login', { username, password: PASSWORD })
      clients.leaver = status === 200 ? Object.assign(again, { username, id: body.id }) : await make('leaver')
    },
  }
}
