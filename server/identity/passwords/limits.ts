/** Limits for signing in by password and for reset links. */

import { freeLimits, type Limit, networkOf } from '../../platform/auth/limits.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { findKnownDevice, tokenHashesOf } from '../sessions/devices.ts'
import { findByIdentifier } from './queries.ts'
import { accountName, tries } from './rules.ts'

interface Sender {
  ip: string
  deviceTokens: readonly string[]
}
interface Kinds {
  device: keyof typeof tries
  address: keyof typeof tries
  name: keyof typeof tries
  account: keyof typeof tries
}
const signIn: Kinds = { device: 'loginOfDevice', address: 'loginFromAddress', name: 'loginOfName', account: 'loginOfAccount' }
const reset: Kinds = { device: 'resetOfDevice', address: 'resetFromAddress', name: 'resetOfName', account: 'resetOfAccount' }

const deviceKey = (tokenHash: string, userId: number) => `${tokenHash} ${userId}`

/**
 * A browser in which the person has signed in has a limit of its own. A try in any other browser counts for its address and for the name,
 * whether an account has that name or not. It also counts for the account, silently: a refusal would reveal which unrelated-looking names
 * belong to one account.
 */
async function limitsOf(kinds: Kinds, db: Reads, identifier: string, { ip, deviceTokens }: Sender): Promise<Limit[]> {
  const person = await findByIdentifier(db, identifier)
  const userId = person?.id ?? 0
  const device = await findKnownDevice(db, deviceTokens, userId)
  if (device) return [{ rule: tries[kinds.device], key: deviceKey(device, userId) }]
  const name = accountName(identifier)
  return [
    { rule: tries[kinds.address], key: networkOf(ip) },
    { rule: tries[kinds.name], key: name },
    { rule: tries[kinds.account], key: person ? `id ${userId}` : `name ${name}` },
  ]
}

export const signInLimits = (db: Reads, identifier: string, asking: Sender) => limitsOf(signIn, db, identifier, asking)
export const resetLimits = (db: Reads, identifier: string, asking: Sender) => limitsOf(reset, db, identifier, asking)

/**
 * Resets the counted tries of a person under all of their names. Tries of a second factor still count: otherwise somebody with the mailbox
 * and the password could go on guessing codes.
 */
export async function freeAccount(tx: Tx, { id, username, email }: { id: number; username: string; email: string }) {
  const names = [...new Set([username, email].map(accountName))]
  const hashes = await tokenHashesOf(tx, id)
  const keysOf = ({ device, name, account }: Kinds): Limit[] => [
    ...names.map((key) => ({ rule: tries[name], key })),
    { rule: tries[account], key: `id ${id}` },
    ...hashes.map((hash) => ({ rule: tries[device], key: deviceKey(hash, id) })),
  ]
  await freeLimits(tx, [...keysOf(signIn), ...keysOf(reset), { rule: tries.ownPassword, key: String(id) }])
}
