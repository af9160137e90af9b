/** Passwords: argon2id, with 19 MiB, two passes and one lane (the OWASP parameters) unless the caller passes other costs, as tests do. */
import { availableParallelism } from 'node:os'
import argon2 from '@node-rs/argon2'
import { Type } from 'typebox'
import { semaphore } from '../concurrency.ts'

/** A password, used exactly as sent, of at most 256 characters. */
export const Password = Type.String({ minLength: 1, maxLength: 256 })

/** The cost parameters of a hash; memory in KiB. */
interface PasswordCost {
  memoryCost: number
  timeCost: number
  parallelism: number
}
const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export function openPasswords(cost = PASSWORD_COST) {
  // One hash per processor at a time: more would not be faster, and would starve other work.
  const inLane = semaphore(availableParallelism())
  // The library declares its algorithms as a const enum, which type stripping cannot read.
  const hashPassword = (password: string) => inLane(() => argon2.hash(password, { algorithm: 2, ...cost }))
  const nobodysHash = hashPassword('nobody has this password')
  return {
    hash: hashPassword,
    /** False without a hash (an unknown person, or one without a password), but after the same time as a check. */
    async isRight(password: string, hash: string | null | undefined) {
      const against = hash ?? (await nobodysHash)
      const isRight = await inLane(() => argon2.verify(against, password))
      return isRight && typeof hash === 'string'
    },
  }
}
export type Passwords = ReturnType<typeof openPasswords>
