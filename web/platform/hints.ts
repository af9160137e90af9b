/** Hints that a person no longer needs on this device. */
import { signal } from '@preact/signals'
import { setting } from './device.ts'

/** Using a page of a desk dismisses its hint. */
export type Lesson = 'find' | 'arrange' | 'claim' | 'access' | `${'admin' | 'meetings'}/${string}`

const known = signal<readonly string[]>(setting.read('learned')?.split(' ') ?? [])
export const knows = (lesson: Lesson) => known.value.includes(lesson)

/** Hides a hint for good, once its act was done or it was dismissed. */
export function learned(lesson: Lesson) {
  if (known.peek().includes(lesson)) return
  known.value = [...known.peek(), lesson]
  setting.write('learned', known.peek().join(' '))
}
