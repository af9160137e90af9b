/** Roles that demand a second factor, for tests without real factors. */
import assert from 'node:assert/strict'
import { runJob } from './jobs.ts'
import { ADMIN_PASSWORD, type Client, type TestPortal } from './portal.ts'

export const SIGN_IN_SETTINGS = '/admin/sign-in/settings'

export function duties(portal: Pick<TestPortal, 'sql' | 'admin' | 'meddle'>) {
  const withFactor = new Set<number>()
  const keepFactors = () =>
    portal.sql(
      `create or replace function has_factor(person int) returns boolean language sql stable as $$ select person = any('{${[...withFactor]}}') $$`,
    )

  const set = (fields: object) => portal.admin.patch(SIGN_IN_SETTINGS, fields)
  const confirmAgain = async () => assert.equal((await portal.admin.post('/auth/me/confirm', { password: ADMIN_PASSWORD })).status, 200)

  return {
    /** Makes the portal believe that these people have a second factor. */
    async giveFactor(...people: { id: number }[]) {
      for (const { id } of people) withFactor.add(id)
      await keepFactors()
    },
    async takeFactor({ id }: { id: number }) {
      withFactor.delete(id)
      await keepFactors()
    },
    /** Changes a person's sessions as signing in or confirming with a factor would. */
    raise: ({ id }: Client) => portal.sql('update sessions set level = 2, confirmed_at = now() where user_id = $1', [id]),
    set,
    /** Sets whether adding and removing administrators needs a confirmation. */
    async guardAdministration(confirmAdministration: boolean) {
      await confirmAgain()
      assert.equal((await set({ confirmAdministration })).status, 200)
    },
    confirmAgain,
    /** Makes the administrator's confirmation too old. */
    outOfTime: () => portal.sql(`update sessions set confirmed_at = now() - interval '16 minutes' where user_id = $1`, [portal.admin.id]),
    /** Moves the beginning of a person's duty to `ago` before now. */
    begunAgo: ({ id }: { id: number }, ago: string) =>
      portal.sql('update user_access set must_enrol_at = now() - $2::interval where user_id = $1', [id, ago]),
    dutyOf: async (one: Client) => (await one.get('/auth/me/security')).body.duty,
  }
}

let graceDays = 14

/** For each kind of change about signing in that reaches people, an act that causes such a change. */
export const signInActs = (portal: TestPortal, { of, roleOfHers }: { of: () => Client; roleOfHers: () => Promise<{ id: number }> }) => ({
  'sign_in_settings.updated': () => portal.admin.patch(SIGN_IN_SETTINGS, { graceDays: ++graceDays }),
  'user.broke_glass': async () => {
    const { id, username } = await portal.person('chief', { roles: ['admin'] })
    await portal.meddle('user', id, `update users set is_exception = true where id = ${id}`)
    await portal.meddle('sign_in_settings', 1, `update sign_in_settings set passwords = 'exceptions'`)
    await portal.stranger().signIn(username)
    return portal.meddle('sign_in_settings', 1, `update sign_in_settings set passwords = 'everyone'`)
  },
  'user.reminded_of_enrolment': async () => {
    const { id } = await roleOfHers()
    await portal.meddle('sign_in_settings', 1, `insert into second_factor_roles values (${id})`)
    await portal.sql(`update user_access set must_enrol_at = now() - interval '8 days' where user_id = $1`, [of().id])
    await runJob(portal, 'remind')
    return portal.meddle('sign_in_settings', 1, 'delete from second_factor_roles')
  },
})
