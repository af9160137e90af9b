/**
 * What happens when a row goes that others hold on to. Every holder enlists in `server/departures.ts`, and the command that removes the
 * row asks the list: neither knows the other.
 */
import type { AliasedRawBuilder, RawBuilder } from 'kysely'
import type { Tx } from '../database/db.ts'
import type { Registry } from '../registry.ts'
import type { Change } from './outcome.ts'

/** What one holder does. All of it runs in the transaction that removes the row. */
export interface Departure {
  /** The table of the row that goes. */
  of: string
  /** The columns in which its id is held, as `table.column`. */
  holds: readonly `${string}.${string}`[]
  /** Why ids stay there that name nobody any more. Elsewhere they are gone or null with the row. */
  stays?: string
  /** Locks the rows that hold its id, before the row itself: commands that change them lock in that order, too. */
  lock?: (tx: Tx, id: number) => Promise<unknown>
  /** How much is held that only a forced deletion takes along, as expressions of a select from the table, by their names on the wire. */
  counts?: Record<string, RawBuilder<number>>
  /** Before the row goes: removes what goes with it, and hands back what others go on with. */
  leaves?: (tx: Tx, id: number) => Promise<Change[]>
  /** When rows stay, but count no more: people who are deactivated. */
  deactivates?: (tx: Tx, ids: readonly number[]) => Promise<Change[]>
  /** After the row is gone. */
  gone?: (tx: Tx, id: number) => Promise<unknown>
  /** After any change of who may do what: what people hold who may hold it no longer. */
  unentitled?: Unentitled
}

/** The part of one holder when rights change. */
export interface Unentitled {
  /** The ids of people who hold something and may not any more. */
  find: (tx: Tx) => Promise<number[]>
  /** Takes it back, so that others can go on with it. */
  handBack: (tx: Tx, people: number[]) => Promise<Change[]>
}
export const departure = <const D extends Departure>(holder: D) => holder

/** Everyone in the list who takes something back when rights change, in the list's order. */
export const unentitledIn = (list: readonly Departure[]) => list.flatMap(({ unentitled }) => unentitled ?? [])

type Holder = Registry['departures'][number]
type CountNames<H, Of> = H extends { of: Of; counts: Record<infer Name extends string, unknown> } ? Name : never

/** The holders of one table's rows, as one. */
export interface HoldersOf<Of extends string> {
  lock(tx: Tx, id: number): Promise<void>
  /** Columns for a select from the table. */
  counts: AliasedRawBuilder<number, CountNames<Holder, Of>>[]
  /** Removes the row after every holder's `leaves` and before every `gone`; returns the changes that follow from that. */
  remove(tx: Tx, id: number, removeRow: () => Promise<unknown>): Promise<Change[]>
  deactivate(tx: Tx, ids: readonly number[]): Promise<Change[]>
}
export type Departures = <Of extends Holder['of']>(of: Of) => HoldersOf<Of>

/** `departures(table)` is everyone in the list who holds its rows. The list's order is the order of locks, and of the changes. */
export function openDepartures(list: readonly Departure[]): Departures {
  return <Of extends Holder['of']>(of: Of) => {
    const holders = list.filter((holder) => holder.of === of)
    const ask = async (about: (holder: Departure) => Promise<Change[]> | undefined) => {
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
      deactivate: (tx, ids) => ask(({ deactivates }) => deactivates?.(tx, ids)),
    }
  }
}
