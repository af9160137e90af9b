import { lockPerson, setFields } from '../../people/users/queries.ts'
import { changedIf, unchanged } from '../../platform/changes/outcome.ts'
import { command } from '../../platform/http/endpoint.ts'
import { IdParams, Nothing } from '../../platform/http/shape.ts'

export const allowAdoption = command('POST /users/:id/adoption', {
  summary: 'Vouch for the address of an account, so that a source may take it over',
  description:
    'For an account that no source takes over, because nobody has proven its address, or no provider connects, because a way into it is older than its address: a stranger may have registered it. All that opens it is removed first, and its owner is invited to choose a password. The next call of a source that names the account takes it over.',
  allow: 'admin',
  confirm: 'person',
  locks: 'access',
  params: IdParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found'],
  run: async ({ tx, config, params: { id }, deletionHooks }) => {
    const person = await lockPerson(tx, id)
    if ((person.emailVouched && !person.hasOlderWays) || person.isException) return unchanged(null)
    // Marked as unproven, so that `entrust` clears the account: somebody who has proven another address would share the account with the
    // owner of the present one.
    await setFields(tx, id, { emailVouched: false, isProven: false })
    const cleared = await deletionHooks('users').entrust(tx, person, config)
    await setFields(tx, id, { emailVouched: true, hasOlderWays: false, isProven: true })
    return changedIf(null, [{ kind: 'user.adoption_allowed', targetId: id, facts: {} }, ...cleared])
  },
})
