import './editor.css'
import { Icon } from '../../../../parts/show/icon.tsx'
import { isolated, listed } from '../../../../platform/language.ts'
import { me } from '../../../../platform/session.ts'
import { clashesOf, clashText } from '../clashes.ts'
import { meetingsOf } from '../day.ts'
import { accountsNotified } from '../told.ts'
import { t } from './texts.ts'
import { concernsPeople, plannedOf, type Values } from './values.ts'

interface FollowsProps {
  id: number | undefined
  /** The saved values of the meeting; undefined for a new one. */
  former: Values | undefined
  values: Values
  /** Whether the person requests the change instead of making it. */
  isAsking?: boolean
}

/** The consequences of saving: who is notified, and which other meetings overlap this one. */
export function Follows({ id, former, values, isAsking = false }: FollowsProps) {
  const day = meetingsOf(values.date).data ?? []
  const clashes = clashesOf(plannedOf(id, values), day)
  const outside = values.attendees.filter(({ userId, name }) => !userId && name.trim() !== '').map(({ name }) => isolated(name))
  const notified = t.notified(accountsNotified(former, values, me.value?.id).size)
  const isNotifying = concernsPeople(former, values)
  if (clashes.length === 0 && !isNotifying) return null
  return (
    <div class="meeting-follows" aria-live="polite">
      {clashes.map((clash) => (
        <p key={clash.other.id} class={clash.common.length ? 'meeting-warn' : 'quiet'}>
          <Icon name={clash.common.length ? 'triangle-alert' : 'info'} size={18} />
          <span>{clashText(clash)}</span>
        </p>
      ))}
      {isNotifying && (
        <p class="quiet">
          <Icon name="bell" size={18} />
          <span>
            {isAsking ? t.ifApproved(notified) : [notified, outside.length > 0 && t.outside(listed(outside))].filter(Boolean).join(' ')}
          </span>
        </p>
      )}
    </div>
  )
}
