/** Memory for requests that are being received: a share for each sender, and a limit for all senders. */

interface Rooms {
  /** The most bytes of one sender at once. */
  each: number
  /** The most bytes of all senders at once. */
  all: number
  /** The most milliseconds to wait for room. */
  withinMs: number
}
/** The bytes taken by one sender, or by all. */
interface Share {
  most: number
  held: number
  /** The number of rooms, and of rooms that wait for more. */
  rooms: number
  waits: number
}
interface Holder {
  shares: Share[]
  /** The bytes for which the room waits; null if it does not wait. */
  wants: { bytes: number; end(hasRoom: boolean): void } | null
}
export type Room = ReturnType<ReturnType<typeof openRoom>>

const share = (most: number): Share => ({ most, held: 0, rooms: 0, waits: 0 })
const isFull =
  (bytes: number) =>
  ({ held, most }: Share) =>
    held + bytes > most

/**
 * `room(sender)` opens an empty room for one request. `take` adds bytes at once, or waits until other rooms give theirs back; it resolves
 * to false when `withinMs` have passed since the room's first wait, or when a sender may never have that much. `giveBack` ends the room.
 * The first room to wait is served first; if all rooms wait for each other, the last of them to begin waiting is refused.
 */
export function openRoom<Sender>({ each, all, withinMs }: Rooms) {
  const whole = share(all)
  const senders = new Map<Sender, Share>()
  /** Rooms that have waited, from their first wait until they give back. */
  const line = new Set<Holder>()

  function serve() {
    for (const { wants, shares } of line) if (wants && !shares.some(isFull(wants.bytes))) wants.end(true)
  }
  /** Resolves a deadlock: if all rooms of a share wait for more of it, no room will give back. */
  function refuseOne({ wants, shares }: Holder) {
    const stuck = shares.find((one) => one.waits === one.rooms && one.rooms > 1 && isFull(wants!.bytes)(one))
    if (stuck) [...line].findLast(({ wants, shares }) => wants && shares.includes(stuck))!.wants!.end(false)
  }

  return (key: Sender) => {
    const own = senders.get(key) ?? share(each)
    senders.set(key, own)
    const holder: Holder = { shares: [own, whole], wants: null }
    for (const one of holder.shares) one.rooms++
    let held = 0
    let deadline: number | undefined

    function add(bytes: number) {
      held += bytes
      for (const one of holder.shares) one.held += bytes
    }
    function wait(bytes: number) {
      if (held + bytes > each) return Promise.resolve(false)
      deadline ??= performance.now() + withinMs
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const patience = setTimeout(() => holder.wants?.end(false), Math.max(0, deadline - performance.now()))
      holder.wants = {
        bytes,
        end(hasRoom) {
          holder.wants = null
          for (const one of holder.shares) one.waits--
          clearTimeout(patience)
          if (hasRoom) add(bytes)
          resolve(hasRoom)
        },
      }
      for (const one of holder.shares) one.waits++
      line.add(holder)
      refuseOne(holder)
      return promise
    }

    return {
      take(bytes: number): true | Promise<boolean> {
        if (holder.shares.some(isFull(bytes))) return wait(bytes)
        add(bytes)
        return true
      },
      giveBack() {
        holder.wants?.end(false)
        line.delete(holder)
        for (const one of holder.shares) {
          one.held -= held
          one.rooms--
        }
        held = 0
        if (own.rooms === 0) senders.delete(key)
        if (line.size === 0) return
        serve()
        for (const one of line) if (one.wants) refuseOne(one)
      },
    }
  }
}
