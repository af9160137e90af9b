/** Room in memory that those who send things share: a part of it for each of them, all of it for all. */

interface Rooms {
  /** Bytes of one sender at once. */
  each: number
  /** Bytes of all senders at once. */
  all: number
  /** Who finds no room waits so long. */
  withinMs: number
}
/** What is held: by one sender, or by all. */
interface Share {
  most: number
  held: number
  /** How many hold it, and how many of them wait for more. */
  rooms: number
  waits: number
}
interface Holder {
  shares: Share[]
  /** What it waits for. */
  wants: { bytes: number; end(hasRoom: boolean): void } | null
}
export type Room = ReturnType<ReturnType<typeof openRoom>>

const share = (most: number): Share => ({ most, held: 0, rooms: 0, waits: 0 })
const isFull =
  (bytes: number) =>
  ({ held, most }: Share) =>
    held + bytes > most

/**
 * `room(sender)` begins with nothing. `take` adds to it at once, or waits until others have given back; it resolves to false where the
 * time of this room is over, or where there can never be that much. `giveBack` ends it. Who began to wait first is served first; where
 * all wait for each other, who began last is refused.
 */
export function openRoom<Sender>({ each, all, withinMs }: Rooms) {
  const whole = share(all)
  const senders = new Map<Sender, Share>()
  /** Those who have waited, from the first of it until they give back. */
  const line = new Set<Holder>()

  function serve() {
    for (const { wants, shares } of line) if (wants && !shares.some(isFull(wants.bytes))) wants.end(true)
  }
  /** Nobody gives back what all who hold it wait for more of. */
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
        if (line.size > 0) serve()
      },
    }
  }
}
