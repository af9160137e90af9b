/** The outcome of a command: its reply, and what it changed. */
import type { Static } from 'typebox'
import { Refusal } from '../errors/refusal.ts'
import type { ChangeKind, ChangeOf } from './change-kind.ts'
import type { ChangeKinds } from './listed.ts'

/** A change of any listed kind. */
export type Change = {
  [Name in keyof ChangeKinds]: ChangeKinds[Name] extends ChangeKind<infer Facts, infer N>
    ? { kind: Name } & ChangeOf<Static<Facts>, N>
    : never
}[keyof ChangeKinds]

/** Not exported, so that only this file makes outcomes. */
const decided = Symbol('decided')
export interface Outcome<Reply> {
  readonly [decided]: true
  reply: Reply
  changes: Change[]
}
const outcome = <R>(reply: R, changes: Change[]): Outcome<R> => ({ [decided]: true, reply, changes })

export const changed = <R>(reply: R, ...changes: [Change, ...Change[]]) => outcome(reply, changes)
/** The outcome of a command that may find nothing to do: its changes may be empty. */
export const changedIf = outcome
/** The outcome of a command that changed nothing. */
export const unchanged = <R>(reply: R) => outcome(reply, [])
/** An outcome with the same changes and another reply. */
export const replying = <R>({ changes }: Outcome<unknown>, reply: R) => outcome(reply, changes)

/** The outcome of one call among several. */
export type Decision<Reply> = Outcome<Reply> | Refusal

/** Decides on each call by itself: a refused call does not affect the rest. */
export function decideEach<Item, Reply>(items: readonly Item[], decide: (item: Item, index: number) => Outcome<Reply>): Decision<Reply>[] {
  return items.map((item, index) => {
    try {
      return decide(item, index)
    } catch (error) {
      if (error instanceof Refusal) return error
      throw error
    }
  })
}
