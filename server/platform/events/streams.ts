/** The open streams of this instance, and writing to them. */
import type { ServerResponse } from 'node:http'
import { type EventRow, isAfter, type Place, placeOf } from './event-log.ts'

const STALL_MS = 20_000
const MOST_BUFFERED = 256 * 1024

export interface Stream {
  sessionId: number
  userId: number
  tokenHash: string
  raw: ServerResponse
  /** The place of the last event that was sent to the stream, or left out because it was not meant for this stream. */
  at: Place
  /** The stream has caught up with the events of all transactions before this one, so they are not sent again. */
  readBefore: bigint
  /** Events of these names are left out if their transactions had begun when the stream was opened: the person may have lost rights. */
  withheld: readonly string[]
  withheldBefore: bigint
  /** False until the stream has caught up with the events that it missed. */
  isLive: boolean
}

export function gatherStreams() {
  const all = new Set<Stream>()
  const byUser = new Map<number, Set<Stream>>()

  function add(stream: Stream) {
    all.add(stream)
    byUser.set(stream.userId, (byUser.get(stream.userId) ?? new Set()).add(stream))
    stream.raw.on('close', () => remove(stream))
    stream.raw.on('error', () => remove(stream))
  }
  function remove(stream: Stream) {
    all.delete(stream)
    const theirs = byUser.get(stream.userId)
    theirs?.delete(stream)
    if (theirs?.size === 0) byUser.delete(stream.userId)
  }

  /** Disconnects a client that is too slow; the client can resume from its last place. */
  function drop(stream: Stream) {
    remove(stream)
    stream.raw.destroy()
  }
  function end(stream: Stream, lastWords?: string) {
    remove(stream)
    stream.raw.end(lastWords)
  }

  return {
    all: all as ReadonlySet<Stream>,
    add,
    drop,
    end,

    /** The streams of these people, or all streams for null. */
    ofPeople: (ids: number[] | null) => (ids === null ? all : ids.flatMap((id) => [...(byUser.get(id) ?? [])])),

    /**
     * Sends an event, written as `text`, unless the stream has had it, must withhold it, or belongs to another session than the event.
     * Drops a stream whose client reads too slowly. `session_ended` ends the stream.
     */
    send(stream: Stream, row: EventRow, text: string) {
      const place = placeOf(row)
      if (!isAfter(place, stream.at) || place.tx < stream.readBefore) return
      if (isTooFull(stream)) return drop(stream)
      stream.at = place
      if (place.tx < stream.withheldBefore && stream.withheld.includes(row.event)) return
      if (row.sessions && !row.sessions.includes(stream.sessionId)) return
      stream.raw.write(text)
      if (row.event === 'session_ended') end(stream)
    },

    /** Waits until the client has taken what was written; disconnects one that takes nothing for 20 s. */
    async drained(stream: Stream) {
      const { raw } = stream
      if (!raw.writableNeedDrain) return
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(patience)
          raw.off('drain', done).off('close', done)
          resolve()
        }
        const patience = setTimeout(() => drop(stream), STALL_MS)
        raw.on('drain', done).on('close', done)
      })
    },
  }
}

/** Whether more than 256 KiB wait for the client, so that no more may be written. */
export const isTooFull = ({ raw }: Stream) => raw.writableLength > MOST_BUFFERED
