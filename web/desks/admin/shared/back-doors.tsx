import './back-doors.css'
import { Icon } from '../../../parts/show/icon.tsx'
import { titleOf } from '../../../parts/show/title.ts'
import { isolated, listed } from '../../../platform/language.ts'
import { groupOf } from './group/data.ts'

interface BackDoorsProps {
  /** The groups that people can ask to join. */
  open: readonly number[]
  /** The chosen groups. */
  ids: readonly number[]
  text: (names: string) => string
}

/** Warns if people can ask to join some of the chosen groups: those who join get the right that is set here. */
export function BackDoors({ open, ids, text }: BackDoorsProps) {
  const groups = open.filter((id) => ids.includes(id)).flatMap((id) => groupOf(id).data ?? [])
  if (groups.length === 0) return null
  return (
    <p class="back-doors" role="status">
      <Icon name="triangle-alert" size={18} />
      <span>{text(listed(groups.map((group) => isolated(titleOf(group)))))}</span>
    </p>
  )
}
