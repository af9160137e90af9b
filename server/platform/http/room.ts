/** Room in memory that those who send things share: a part of it for each of them, all of it for all. */

interface Rooms {
  /** Bytes of one sender at once. */
  each: number
  /** Bytes of all senders at once. */
  all: number
  /** Who finds no room waits so long. */
  withinMs: number
}
interface Waiting {
  bytes: number
  sender: { held: number }
  /** Told whether there is room now, or never will be. */
  end(hasRoom: boolean): void
}
export type Room = ReturnType<ReturnType<typeof openRoom>>

/**
 * `room(sender)` begins with nothing. `take` adds to it at once, or waits until others have given back; it resolves to false where the
 * time of this room is over, or where there can never be that much. `giveBack` ends it.
 */
export function openRoom<Sender>({ each, all, withinMs }: Rooms) {
  let heldByAll = 0
  const senders = new Map<Sender, { held: number; rooms: number }>()
  const waiting = new Set<Waiting>()

  const fits = (bytes: number, { held }: { held: number }) => held + bytes <= each && heldByAll + bytes <= all
  function serve() {
    for (const one of waiting) {
      if (!fits(one.bytes, one.sender)) continue
      one.end(true)
    }
  }

  return (key: Sender) => {
    const sender = senders.get(key) ?? { held: 0, rooms: 0 }
    senders.set(key, sender)
    sender.rooms++
    let own = 0
    let deadline: number | undefined
    let waits: Waiting | undefined

    function add(bytes: number) {
      own += bytes
      sender.held += bytes
      heldByAll += bytes
    }
    function wait(bytes: number) {
      if (own + bytes > each) return Promise.resolve(false)
      deadline ??= performance.now() + withinMs
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const one: Waiting = {
        bytes,
        sender,
        end(hasRoom) {
          waiting.delete(one)
          clearTimeout(patience)
          if (hasRoom) add(bytes)
          resolve(hasRoom)
        },
      }
      const patience = setTimeout(() => one.end(false), deadline - performance.now())
      waiting.add(one)
      waits = one
      return promise
    }

    return {
      take(bytes: number): true | Promise<boolean> {
        if (!fits(bytes, sender)) return wait(bytes)
        add(bytes)
        return true
      },
      giveBack() {
        waits?.end(false)
        sender.held -= own
        heldByAll -= own
        own = 0
        if (--sender.rooms === 0) senders.delete(key)
        if (waiting.size > 0) serve()
      },
    }
  }
}
