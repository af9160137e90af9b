import './attendees.css'
import { formatNumber, listed } from '../../../platform/language.ts'
import type { Attendee } from './day.ts'

type Shown = Pick<Attendee, 'name' | 'kind'>

/** The first letter of a name without its title: "Dr. Layla" gives L. */
const initialOf = (name: string) => [...name.trim().replace(/^\p{L}{1,3}\.\s*/u, '')][0] ?? ''

const SIZE = 28
const sized = (size: number) => ({ inlineSize: `${size / 16}rem`, blockSize: `${size / 16}rem` })

/** The first letter of an attendee’s name, coloured by the kind of attendance. The name itself must stand beside it. */
export const AttendeeFace = ({ of, size = SIZE }: { of: Shown; size?: number }) => (
  <span class="face attendee-face" data-kind={of.kind} aria-hidden="true" style={sized(size)}>
    {initialOf(of.name)}
  </span>
)

/** The most faces that are shown. */
const MOST = 5

/** The faces of a meeting's attendees, in their order. */
export function AttendeeFaces({ of, size = SIZE }: { of: readonly Shown[]; size?: number }) {
  if (of.length === 0) return null
  const rest = of.length - MOST
  return (
    <span class="attendee-faces" role="img" aria-label={listed(of.map(({ name }) => name))}>
      {of.slice(0, MOST).map((one, index) => (
        <AttendeeFace key={index} of={one} size={size} />
      ))}
      {rest > 0 && (
        <span class="face attendee-more" dir="ltr" style={sized(size)}>
          +{formatNumber(rest)}
        </span>
      )}
    </span>
  )
}
