import './editor.css'
import { Icon } from '../../../parts/icon.tsx'
import { isolated, listed } from '../../../platform/language.ts'
import { me } from '../../../platform/session.ts'
import { clashesOf, clashText } from '../clashes.ts'
import { meetingsOf } from '../day.ts'
import { t } from './texts.ts'
import { plannedOf, toldBy, type Values } from './values.ts'

/** What saving would do, in words: whom it is told, and what it overlaps. */
export function Follows({ id, former, values }: { id: number | undefined; former: Values | undefined; values: Values }) {
  const day = meetingsOf(values.date).data ?? []
  const clashes = clashesOf(plannedOf(id, values), day)
  const outside = values.attendees.filter(({ userId, name }) => !userId && name.trim() !== '').map(({ name }) => isolated(name))
  return (
    <div class="meeting-follows" aria-live="polite">
      {clashes.map((clash) => (
        <p key={clash.other.id} class={clash.common.length ? 'meeting-warn' : 'quiet'}>
          <Icon name={clash.common.length ? 'triangle-alert' : 'info'} size={18} />
          <span>{clashText(clash)}</span>
        </p>
      ))}
      <p class="quiet">
        <Icon name="bell" size={18} />
        <span>
          {t.told(toldBy(former, values, me.value?.id))} {outside.length > 0 && t.outside(listed(outside))}
        </span>
      </p>
    </div>
  )
}
