import './style.css'
import { useTitle } from '../frame/site.ts'
import { Loaded, Skeleton } from '../parts/skeleton.tsx'
import { hijriDay, longDay, minute, timeOfDay } from '../platform/dates.ts'
import { named, nameOf } from '../platform/language.ts'
import { at } from '../platform/router.ts'
import { me } from '../platform/session.ts'
import { apps } from './data.ts'
import { Glyph } from './glyph.tsx'
import { t } from './texts.ts'

export default function Home() {
  useTitle(t.title)
  const person = me.value
  return (
    <>
      <div class="hello">
        <div>
          <h1>{person && t.greeting(nameOf(person))}</h1>
          <p class="quiet">
            <span>{longDay(minute.value)}</span> · <span>{hijriDay(minute.value)}</span>
          </p>
        </div>
        <time class="clock" dateTime={minute.value.toISOString()}>
          {timeOfDay(minute.value, person?.clockHour12 ?? false)}
        </time>
      </div>
      <div class="section-head">
        <h2 id="apps">{t.apps}</h2>
      </div>
      <Loaded of={apps} shape={<Skeleton shape="tile" count={12} height={7} />}>
        {(all) => (
          <ul class="tiles" aria-labelledby="apps">
            {all.map((app) => (
              <li key={app.id}>
                <a class="tile" style={{ '--color': app.color }} href={at(app.route)}>
                  <span class="glyph">
                    <Glyph app={app} />
                  </span>
                  <span class="name">{named(app)}</span>
                </a>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </>
  )
}
