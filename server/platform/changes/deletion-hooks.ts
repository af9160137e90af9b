/**
 * The treatment of rows that refer to a deleted row. Each holder of such rows is listed in `server/lists/deletion-hooks.ts`, and the
 * command that deletes the row runs the list, so that neither knows the other.
 */
import type { AliasedRawBuilder, RawBuilder } from 'kysely'
import type { Config } from '../config.ts'
import type { Tx } from '../database/db.ts'
import type { Registry } from '../registry.ts'
import type { Change } from './outcome.ts'

/** The hooks of one holder. Those for a deletion run in its transaction. */
export interface DeletionHook {
  /** The table of the deleted row. */
  of: string
  /** The columns that refer to the deleted row, as `table.column`. */
  columns: readonly `${string}.${string}`[]
  /** Why the id of the deleted row stays in these columns. Without a reason, the rows are deleted, or the columns become null. */
  stays?: string
  /** Locks the rows that refer to the deleted row, before that row. Commands that change those rows lock in the same order. */
  lock?: (tx: Tx, id: number) => Promise<unknown>
  /**
   * Counts of the records that only a forced deletion removes: SQL expressions for a select from the table, by their names in the reply.
   */
  counts?: Record<string, RawBuilder<number>>
  /** Runs before the deletion: removes dependent rows, and hands work back so that other people can continue it. */
  leaves?: (tx: Tx, id: number) => Promise<Change[]>
  /** Runs when people are deactivated; their rows stay. */
  deactivates?: (tx: Tx, ids: readonly number[]) => Promise<Change[]>
  /**
   * Runs when an administrator or a source gives a person another e-mail address, or an administrator vouches for the address. The caller
   * must have locked the person.
   */
  entrusts?: (tx: Tx, person: { id: number; username: string }, config: Config) => Promise<Change[]>
  /** Runs after the deletion. */
  gone?: (tx: Tx, id: number) => Promise<unknown>
  /** Runs after any change of access: takes things back from people who have lost the right to them. */
  unentitled?: Unentitled
}

/** One holder's hooks for changes of access. */
export interface Unentitled {
  /** Returns the ids of people who hold something without the right to it. */
  find: (tx: Tx) => Promise<number[]>
  /** Takes back the things that these people hold without the right to them, so that other people can continue them. */
  handBack: (tx: Tx, people: number[]) => Promise<Change[]>
}
export const deletionHook = <const D extends DeletionHook>(holder: D) => holder

/** The hooks for changes of access, in the list's order. */
export const unentitledIn = (list: readonly DeletionHook[]) => list.flatMap(({ unentitled }) => unentitled ?? [])

type Holder = Registry['deletionHooks'][number]
type CountNames<H, Of> = H extends { of: Of; counts: Record<infer Name extends string, unknown> } ? Name : never

/** The combined hooks of all holders of one table's rows. */
export interface HoldersOf<Of extends string> {
  lock(tx: Tx, id: number): Promise<void>
  /** Columns for a select from the table. */
  counts: AliasedRawBuilder<number, CountNames<Holder, Of>>[]
  /** Removes the row after every holder's `leaves` and before every `gone`; returns the resulting changes. */
  remove(tx: Tx, id: number, removeRow: () => Promise<unknown>): Promise<Change[]>
  deactivate(tx: Tx, ids: readonly number[]): Promise<Change[]>
  entrust(tx: Tx, person: { id: number; username: string }, config: Config): Promise<Change[]>
}
export type DeletionHooks = <Of extends Holder['of']>(of: Of) => HoldersOf<Of>

/** `deletionHooks(table)` combines the hooks for the table. The order of the list is the order of locks and of changes. */
export function openDeletionHooks(list: readonly DeletionHook[]): DeletionHooks {
  return <Of extends Holder['of']>(of: Of) => {
    const holders = list.filter((holder) => holder.of === of)
    const ask = async (about: (holder: DeletionHook) => Promise<Change[]> | undefined) => {
      const changes: Change[] = []
      for (const holder of holders) changes.push(...((await about(holder)) ?? []))
      return changes
    }
    const counts = holders.flatMap((holder) => Object.entries(holder.counts ?? {}).map(([name, count]) => count.as(name)))
    return {
      counts: counts as HoldersOf<Of>['counts'],
      async lock(tx, id) {
        for (const { lock } of holders) await lock?.(tx, id)
      },
      async remove(tx, id, removeRow) {
        const changes = await ask(({ leaves }) => leaves?.(tx, id))
        await removeRow()
        for (const { gone } of holders) await gone?.(tx, id)
        return changes
      },
      entrust: (tx, person, config) => ask(({ entrusts }) => entrusts?.(tx, person, config)),
      deactivate: (tx, ids) => ask(({ deactivates }) => deactivates?.(tx, ids)),
    }
  }
}
