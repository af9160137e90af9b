/** What a person has learned by doing it, on this device. */
import { signal } from '@preact/signals'
import { setting } from './device.ts'

/** What a page of a desk is for is learned by using it. */
export type Lesson = 'find' | 'arrange' | 'claim' | `${'admin' | 'meetings'}/${string}`

const known = signal<readonly string[]>(setting.read('learned')?.split(' ') ?? [])
export const knows = (lesson: Lesson) => known.value.includes(lesson)

/** It was done, or the hint was waved off: nothing tells of it any more. */
export function learned(lesson: Lesson) {
  if (known.peek().includes(lesson)) return
  known.value = [...known.peek(), lesson]
  setting.write('learned', known.peek().join(' '))
}
