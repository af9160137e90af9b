/** The demo's three weeks: acts with their times, played in that order. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { As } from './calls.ts'
import { momentOf } from './organisation/calendar.ts'

/** A moment: working days from today, and the time. */
export type When = readonly [day: number, time: string]

export interface Act {
  when: When
  /** The time, on the day of `when`, up to which the act's records are spread; without it, all records have the same time. */
  until?: string
  play(as: As): Promise<unknown>
}

/** When an act was really played, and its time in the story; all in milliseconds. */
export interface Played {
  since: number
  until: number
  at: number
  lasts: number
}

/** When each person acted last, in the story. */
export type LastSeen = Map<string, number>

/** Plays acts one by one in the order of their moments, never two in the same millisecond, so that times identify them. */
export async function play(acts: Act[], as: As, now: Date): Promise<{ played: Played[]; lastSeen: LastSeen }> {
  const dated = acts.map(({ when: [day, time], until = time, play }) => {
    const at = momentOf(day, time, now)
    return { at, lasts: momentOf(day, until, now) - at, play }
  })
  const played: Played[] = []
  const lastSeen: LastSeen = new Map()
  for (const { at, lasts, play } of dated.toSorted((one, other) => one.at - other.at)) {
    const since = Date.now()
    await play((username) => {
      lastSeen.set(username, at)
      return as(username)
    })
    const until = Date.now()
    while (Date.now() === until) await sleep(1)
    played.push({ since, until: until + 1, at, lasts })
  }
  return { played, lastSeen }
}
