/** Announces changes by other people on the day that the page shows, beside each meeting for 15 seconds. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { isolated } from '../../../platform/language.ts'
import { type Meeting, placeOf, titleOf } from '../shared/day.ts'
import { clock } from '../shared/office.ts'
import { isOwn } from '../shared/own.ts'
import { t } from './texts.ts'

const SAID_MS = 15_000

/** The most important change of a meeting; undefined if nothing visible changed. */
function changeOf(before: Meeting | undefined, after: Meeting) {
  if (!before) return t.news.fresh
  if (before.startTime !== after.startTime) return before.startTime ? t.news.time(clock(before.startTime)) : t.news.untimed
  if (before.status !== after.status) return t.news.status
  if (titleOf(before) !== titleOf(after)) return t.news.title(isolated(titleOf(before)))
  if (placeOf(before) !== placeOf(after) && placeOf(before)) return t.news.place(isolated(placeOf(before)))
  if (JSON.stringify(before.attendees) !== JSON.stringify(after.attendees)) return t.news.attendees
  return JSON.stringify({ ...before, sortOrder: 0, updatedAt: '' }) === JSON.stringify({ ...after, sortOrder: 0, updatedAt: '' })
    ? undefined
    : t.news.other
}

/** The text beside each changed meeting, by its id. */
export function useNews(date: string, meetings: readonly Meeting[] | undefined): ReadonlyMap<number, string> {
  const seen = useRef<{ date: string; meetings: readonly Meeting[] } | undefined>(undefined)
  const news = useSignal<ReadonlyMap<number, string>>(new Map())
  useEffect(() => {
    if (!meetings) return
    const before = seen.current
    seen.current = { date, meetings }
    if (before?.date !== date) {
      news.value = new Map()
      return
    }
    const former = new Map(before.meetings.map((one) => [one.id, one]))
    const found = meetings.flatMap((one): [number, string][] => {
      const text = isOwn(one.id) ? undefined : changeOf(former.get(one.id), one)
      return text ? [[one.id, text]] : []
    })
    if (found.length === 0) return
    news.value = new Map([...news.peek(), ...found])
    setTimeout(() => {
      news.value = new Map([...news.peek()].filter(([id, text]) => !found.some(([one, said]) => one === id && said === text)))
    }, SAID_MS)
  }, [date, meetings])
  return news.value
}
