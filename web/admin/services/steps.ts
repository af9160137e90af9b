/** The steps of approval of a service while an administrator edits them. Nothing here draws or calls the portal. */
import { keyOf } from '../shared/keys.ts'
import type { Step } from './handling-data.ts'

export const MOST_STEPS = 3

const keyFor = ({ nameAr: ar, nameEn: en }: Pick<Step, 'nameAr' | 'nameEn'>, others: readonly Step[]) =>
  keyOf(
    { ar, en },
    'step',
    others.map(({ key }) => key),
  )

/** One step more, of the manager if no other step is. */
export function addStep(steps: readonly Step[]): Step[] {
  const blank = { nameAr: '', nameEn: '', userIds: [], groupIds: [], needed: 1, when: [] }
  const manager = !steps.some((step) => step.manager)
  return [...steps, { ...blank, manager, key: keyFor(blank, steps) }]
}

/** Changes a step. A key that the portal does not know yet follows its names. */
export function changeStep(steps: readonly Step[], at: number, change: Partial<Step>, saved: readonly string[]): Step[] {
  const after = { ...steps[at]!, ...change }
  return steps.with(at, saved.includes(after.key) ? after : { ...after, key: keyFor(after, steps.toSpliced(at, 1)) })
}

/** Whether nobody is named who could approve a step: then administrators decide it. */
export const isOfNobody = ({ manager, userIds, groupIds }: Step) => !manager && userIds.length === 0 && groupIds.length === 0
