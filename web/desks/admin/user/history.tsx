import '../../../parts/lists/filters/filters.css'
import '../../../parts/show/history/history.css'
import { useSignal } from '@preact/signals'
import { usePages } from '../../../parts/lists/pages.tsx'
import { Avatar } from '../../../parts/show/avatar.tsx'
import type { Entry } from '../../../parts/show/log/entries.ts'
import { Sentence } from '../../../parts/show/log/sentence.tsx'
import { Loaded, Skeleton } from '../../../parts/show/skeleton.tsx'
import { today } from '../../../platform/ago.ts'
import { exactly, hijriDay, longDay, timeOfDay } from '../../../platform/dates.ts'
import { at } from '../../../platform/router.ts'
import { PutBack } from '../shared/put-back.tsx'
import { changesBy, changesOf, type Profile } from './data.ts'
import { SetsHistory } from './sets-history.tsx'
import { t } from './texts.ts'

/** The changes to a person, or by them, newest first. */
export function History({ person }: { person: Profile }) {
  const which = useSignal<'sets' | 'about' | 'by'>('sets')
  return (
    <>
      <div class="picks user-which" role="group" aria-label={t.which}>
        {(['sets', 'about', 'by'] as const).map((one) => (
          <button
            key={one}
            type="button"
            class={which.value === one ? 'pick pick-on' : 'pick'}
            aria-pressed={which.value === one}
            onClick={() => {
              which.value = one
            }}
          >
            {t[one]}
          </button>
        ))}
      </div>
      {which.value === 'sets' ? (
        <SetsHistory person={person} />
      ) : (
        <Entries key={which.value} of={(offset) => (which.value === 'about' ? changesOf : changesBy)(person.id, offset)} />
      )}
    </>
  )
}

const dayAt = (moment: string) => today(new Date(moment))

function Entries({ of }: { of: (offset: number) => ReturnType<typeof changesOf> }) {
  const { first, rows, more } = usePages({ of, rows: ({ entries }) => entries, id: ({ id }) => id })
  const days = Map.groupBy(rows, ({ createdAt }) => dayAt(createdAt))
  return (
    <Loaded of={first} shape={<Skeleton count={5} shape="line" height={3} />}>
      {({ totalCount }) =>
        totalCount === 0 ? (
          <p class="quiet user-nothing">{t.unchanged}</p>
        ) : (
          <div class="history">
            {[...days].map(([day, some]) => (
              <section key={day}>
                <h2>
                  {day === today() && t.today + t.between}
                  {longDay(some[0]!.createdAt)} <span class="quiet">{hijriDay(some[0]!.createdAt)}</span>
                </h2>
                <ol>
                  {some.map((entry) => (
                    <Line key={entry.id} entry={entry} />
                  ))}
                </ol>
              </section>
            ))}
            {more}
          </div>
        )
      }
    </Loaded>
  )
}

/** One change as a sentence. It can be reverted, and links to its entry in the audit log. */
const Line = ({ entry }: { entry: Entry }) => (
  <li class="history-entry user-entry">
    {entry.actor ? <Avatar person={entry.actor} /> : <span class="face" aria-hidden="true" />}
    <div class="history-what">
      <p>
        <Sentence entry={entry} />
      </p>
      <PutBack entry={entry} />
    </div>
    <a class="quiet small numbers user-when" href={at(`/admin/audit?open=${entry.id}`)} title={exactly(entry.createdAt)}>
      <time dateTime={entry.createdAt}>{timeOfDay(entry.createdAt)}</time>
    </a>
  </li>
)
