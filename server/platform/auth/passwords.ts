/** Passwords: argon2id with 19 MiB, two passes, one lane (the OWASP parameters). */
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { Type } from 'typebox'
import { semaphore } from '../concurrency.ts'
import { refuseField } from '../refusal.ts'

// The library declares its algorithms as a const enum, which type stripping cannot read.
const options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** As people send it; stored exactly as sent, and never longer than 256 characters. */
export const Password = Type.String({ minLength: 1, maxLength: 256 })

/** As many at once as there are processors: more would only take turns, and starve what else runs here. */
const inLane = semaphore(availableParallelism())

export const hashPassword = (password: string) => inLane(() => hash(password, options))

const nobodysHash = hashPassword('nobody has this password')

/** Takes the same time when there is no such person: `hash` undefined. */
export async function isPassword(password: string, hash: string | undefined) {
  const against = hash ?? (await nobodysHash)
  const isRight = await inLane(() => verify(against, password))
  return isRight && hash !== undefined
}

/** Refuses `validation_failed` when a new password is shorter than the portal asks for. */
export function checkNewPassword(password: string, { passwordMinLength }: { passwordMinLength: number }, field = 'password') {
  if ([...password].length < passwordMinLength) refuseField(field, `must have at least ${passwordMinLength} characters`)
}
