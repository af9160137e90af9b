/** The open streams, and how they are written to. */
import type { ServerResponse } from 'node:http'
import { type EventRow, isAfter, type Place, placeOf } from './event-log.ts'

const STALL_MS = 20_000
const MOST_BUFFERED = 256 * 1024

export interface Stream {
  sessionId: number
  userId: number
  tokenHash: string
  raw: ServerResponse
  /** The last event it was sent or spared. */
  at: Place
  /** Until it has caught up, it reads on by itself. */
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

  /** Cuts a reader that is too slow; it resumes where it was. */
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

    /** Those of the people whom an event is for, or of everyone. */
    ofPeople: (ids: number[] | null) => (ids === null ? all : ids.flatMap((id) => [...(byUser.get(id) ?? [])])),

    /** Sends an event, as `text`, to the sessions it is for, once and never after a later one; the last one of a session ends the stream. */
    send(stream: Stream, row: EventRow, text: string) {
      const place = placeOf(row)
      if (!isAfter(place, stream.at)) return
      if (isTooFull(stream)) return drop(stream)
      stream.at = place
      if (row.sessions && !row.sessions.includes(stream.sessionId)) return
      stream.raw.write(text)
      if (row.event === 'session_ended') end(stream)
    },

    /** Waits until the reader has taken what was written; one that takes nothing for 20 s is cut. */
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

/** Whether so much waits for its reader that no more may be added. */
export const isTooFull = ({ raw }: Stream) => raw.writableLength > MOST_BUFFERED
