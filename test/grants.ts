/** Helpers for tests of grants that end: moments, and days that pass. */
import type { TestPortal } from './portal.ts'

const DAY_MS = 24 * 3600 * 1000
/** A moment this many days from now, as requests give it. */
export const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

const ending = { memberships: ['expires_at', 'changed_at'], direct_roles: ['expires_at', 'changed_at'], reminders: ['deadline'] }

/** Lets days pass for all grants by moving their stored times back. Triggers are disabled, because none would run when time passes. */
export async function passDays(portal: TestPortal, days: number) {
  const moves = Object.entries(ending).map(
    ([table, columns]) => `
      alter table ${table} disable trigger user;
      update ${table} set ${columns.map((column) => `${column} = ${column} - make_interval(secs => ${days * 86_400})`)};
      set constraints all immediate;
      alter table ${table} enable trigger user`,
  )
  await portal.sql(`begin; ${moves.join(';')}; commit`)
}

/** How many ended grants are stored. */
export async function ended(portal: TestPortal) {
  const [{ count }] = (await portal.sql<{ count: number }>(`
    select ((select count(*) from memberships where expires_at <= now()) + (select count(*) from direct_roles where expires_at <= now()))::int
      as count`)) as [{ count: number }]
  return count
}
