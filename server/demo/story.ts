/** The demo's three weeks: what happened when, played in that order. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { As } from './calls.ts'
import { momentOf } from './organisation/calendar.ts'

/** A moment: working days from today, and the time. */
export type When = readonly [day: number, time: string]

/** What somebody does at a moment. */
export interface Act {
  when: When
  /** The time of the same day until which what is done is spread; without it, all of it is of the moment. */
  until?: string
  play(as: As): Promise<unknown>
}

/** When an act was really played, and which time that is in the story; all in milliseconds. */
export interface Played {
  since: number
  until: number
  at: number
  lasts: number
}

/** By the story, when each person did something last. */
export type LastSeen = Map<string, number>

/** Plays acts in the order of their moments, one after the other. No two are played in the same millisecond, so that times tell them apart. */
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
