import './style.css'
import { useTitle } from '../../frame/site.ts'
import { Clock, Days } from '../../parts/show/clock.tsx'
import { minute } from '../../platform/dates.ts'
import { isolated, nameOf } from '../../platform/language.ts'
import { me } from '../../platform/session.ts'
import { apps } from './data.ts'
import { t } from './texts.ts'
import { Tiles } from './tiles.tsx'
import { Day, isWaitingKnown, Waiting } from './waiting.tsx'

function greet(name: string) {
  const hour = minute.value.getHours()
  return hour >= 4 && hour < 11 ? t.morning(name) : hour >= 17 ? t.evening(name) : t.day(name)
}

/** The home page: the date, what waits for the person, and their apps. */
export default function Home() {
  useTitle(t.title)
  const person = me.value
  // Asks for the apps before all that the rest of the page reads: browsers send only six calls at a time.
  void apps.data
  if (!person) return null
  return (
    <>
      <div class="home-hello">
        <div>
          <h1>{greet(isolated(nameOf(person)))}</h1>
          <Days />
        </div>
        <div class="home-clock" data-chosen={person.clockStyle ? '' : undefined}>
          <Clock style={person.clockStyle ?? 'digital-no-seconds'} twelve={person.clockHour12 ?? false} />
        </div>
      </div>
      <Waiting />
      <Day />
      <Tiles isAwaited={!isWaitingKnown()} />
    </>
  )
}
