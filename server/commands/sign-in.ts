/** `npm run admin -- forget-factors` and `sign-in passwords`: help for people who are locked out by the settings or a lost device. */
import type pg from 'pg'
import { forgetFactors } from '../identity/factors/reset.ts'
import { findByIdentifier } from '../identity/passwords/queries.ts'
import { lockSignInSettings, saveSignInSettings } from '../identity/settings/queries.ts'
import { THE_SETTINGS } from '../identity/settings/rules.ts'
import { record, unentitled } from '../lists/recording.ts'
import { lockPerson } from '../people/users/queries.ts'
import { changedIf } from '../platform/changes/outcome.ts'
import { type Transact, transactor } from '../platform/changes/transact.ts'
import { type Db, openDb } from '../platform/database/db.ts'

async function withPortal(connection: pg.PoolConfig, act: (db: Db, transact: Transact) => Promise<void>) {
  const db = openDb(connection, { size: 1 })
  try {
    await act(
      db,
      transactor(db, record, unentitled, () => {}),
    )
  } finally {
    await db.close()
  }
}

/** Removes all factors of a person who has lost them, and ends the person's sessions. */
export const printForgottenFactors = (connection: pg.PoolConfig, identifier: string) =>
  withPortal(connection, async (db, transact) => {
    const person = await findByIdentifier(db.reads, identifier)
    if (!person) throw new Error(`there is no user ${identifier}`)
    const hadSome = await transact(null, async (tx) => {
      const { changes } = await forgetFactors(tx, await lockPerson(tx, person.id))
      return changedIf(changes.length > 0, changes)
    })
    console.log(hadSome ? `${person.username} has no second factor any more; all sessions have ended.` : `${person.username} has none.`)
  })

/** Lets everybody sign in by password again. */
export const printPasswordsOpened = (connection: pg.PoolConfig) =>
  withPortal(connection, async (_db, transact) => {
    const from = await transact(null, async (tx) => {
      const { passwords } = await lockSignInSettings(tx)
      if (passwords === 'everyone') return changedIf(passwords, [])
      await saveSignInSettings(tx, { passwords: 'everyone' })
      const facts = { changed: { passwords: { from: passwords, to: 'everyone' } } }
      return changedIf(passwords, [{ kind: 'sign_in_settings.updated', targetId: THE_SETTINGS, facts }])
    })
    console.log(from === 'everyone' ? 'Everybody may sign in by password already.' : 'Everybody may sign in by password again.')
  })
