import type { Static } from 'typebox'
import { readProfile } from '../../people/users/queries.ts'
import { NewUser, UserProfile } from '../../people/users/shapes.ts'
import { type Change, changedIf } from '../../platform/changes/outcome.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { command } from '../../platform/http/endpoint.ts'
import { bodyCheck } from '../../platform/http/validate.ts'
import { judged, verdictOf } from '../../platform/http/verdicts.ts'
import { createAccount, preparePassword } from './creation.ts'
import { CreatedUser, CreatedUsers, NewUsers } from './shapes.ts'

export const createUser = command('POST /users', {
  summary: 'Create an account, with a password or with an invitation to choose one',
  description:
    'The person gets the role `user` and joins Everyone and the given groups. With `invite`, a link to choose a password is mailed if mail is configured; otherwise the answer has it as `resetUrl`, to hand to the person. The link is valid for seven days and one use, and a later link invalidates it.',
  allow: 'admin',
  scope: 'admin:write',
  record: UserProfile,
  recordIn: (reply) => ('user' in reply ? reply.user : reply),
  locks: 'access',
  body: NewUser,
  reply: CreatedUser,
  status: 201,
  refuses: ['username_taken', 'email_taken', 'unknown_ids', 'managed_elsewhere'],
  prepare: async ({ body, ...call }) => preparePassword(body, call),
  run: async ({ tx, body, config, prepared: passwordHash }) => {
    const { id, changes, invitation } = await createAccount(tx, body, passwordHash, config)
    const user = await readProfile(tx, id)
    return changedIf(invitation ? { user, ...invitation } : user, changes)
  },
})

const checkNewUser: (item: unknown) => asserts item is Static<typeof NewUser> = bodyCheck(NewUser)

export const createUsers = command('POST /users/bulk', {
  summary: 'Create many accounts at once, each with a verdict',
  description:
    'Each item is a body of `POST /users`, and is refused for the same reasons. If one is refused, the others are still created; `failed` has the positions of the refused items, from 0. `doneIds` has the new people in the order of the items; `invitations` has the invitations of those who were invited.',
  allow: 'admin',
  scope: 'admin:write',
  locks: 'access',
  body: NewUsers,
  reply: CreatedUsers,
  // Hashes one password after the other, so that people who are signing in do not wait for all of them.
  prepare: async ({ body: { items }, ...call }) => {
    const accounts = []
    for (const item of items)
      accounts.push(
        await judged(async () => {
          checkNewUser(item)
          return { item, passwordHash: await preparePassword(item, call) }
        }),
      )
    return accounts
  },
  run: async ({ tx, config, prepared: accounts }) => {
    const reply: Static<typeof CreatedUsers> = { doneIds: [], invitations: [], failed: [] }
    const all: Change[] = []
    for (const [index, account] of accounts.entries()) {
      const made = account instanceof Refusal ? account : await judged(() => createAccount(tx, account.item, account.passwordHash, config))
      if (made instanceof Refusal) {
        reply.failed.push({ index, ...verdictOf(made) })
        continue
      }
      const { id, changes, invitation } = made
      reply.doneIds.push(id)
      if (invitation) reply.invitations.push({ id, ...invitation })
      all.push(...changes)
    }
    return changedIf(reply, all)
  },
})
