/** Every kind of change, listed by hand. */
import { accountChanges } from './accounts/changes.ts'
import { groupChanges } from './groups/changes.ts'
import { userChanges } from './users/changes.ts'

export const changeKinds = { ...accountChanges, ...userChanges, ...groupChanges }
