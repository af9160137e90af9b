/** The steps of approval of a service while an administrator edits them. Pure. */
import { keyOf } from '../shared/keys.ts'
import type { Step } from './handling-data.ts'

export const MOST_STEPS = 3

const keyFor = ({ nameAr: ar, nameEn: en }: Pick<Step, 'nameAr' | 'nameEn'>, others: readonly Step[]) =>
  keyOf(
    { ar, en },
    'step',
    others.map(({ key }) => key),
  )

/** Adds a step, with the manager as approver if no other step has the manager. */
export function addStep(steps: readonly Step[]): Step[] {
  const blank = { nameAr: '', nameEn: '', userIds: [], groupIds: [], needed: 1, when: [] }
  const manager = !steps.some((step) => step.manager)
  return [...steps, { ...blank, manager, key: keyFor(blank, steps) }]
}

/** Changes a step. Its key follows its names until it is saved. */
export function changeStep(steps: readonly Step[], at: number, change: Partial<Step>, saved: readonly string[]): Step[] {
  const after = { ...steps[at]!, ...change }
  return steps.with(at, saved.includes(after.key) ? after : { ...after, key: keyFor(after, steps.toSpliced(at, 1)) })
}

/** Whether a step names no approver. Administrators then decide on it. */
export const isOfNobody = ({ manager, userIds, groupIds }: Step) => !manager && userIds.length === 0 && groupIds.length === 0
