/** Hints that a person no longer needs on this device. */
import { signal } from '@preact/signals'
import { setting } from './device.ts'

/** A hint. `admin/…` and `meetings/…` are those of desk pages, which are dismissed once the page is used. */
export type Lesson = 'find' | 'arrange' | 'claim' | 'access' | `${'admin' | 'meetings'}/${string}`

const known = signal<readonly string[]>(setting.read('learned')?.split(' ') ?? [])
export const knows = (lesson: Lesson) => known.value.includes(lesson)

/** Hides a hint for good. Call it once the person has dismissed the hint or done what it suggests. */
export function learned(lesson: Lesson) {
  if (known.peek().includes(lesson)) return
  known.value = [...known.peek(), lesson]
  setting.write('learned', known.peek().join(' '))
}
