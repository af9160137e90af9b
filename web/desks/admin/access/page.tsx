import './style.css'
import { useSignal } from '@preact/signals'
import { useTitle } from '../../../frame/site.ts'
import { id } from '../../../parts/lists/filters/reading.ts'
import { SentenceText } from '../../../parts/overlay/consequences/consequences.tsx'
import { Loaded, Skeleton } from '../../../parts/show/skeleton.tsx'
import { resource } from '../../../platform/cache.ts'
import { isolated, named, nameOf } from '../../../platform/language.ts'
import { at, queryValue, setQuery } from '../../../platform/router.ts'
import { type App, apps, permissions, roles } from '../shared/directory.ts'
import { deletedApp, deletedPerson } from '../shared/past/deleted.ts'
import { askedMoment } from '../shared/past/moment.ts'
import { Answer, PastAnswer } from './answer.tsx'
import { explanationOf, isUnknown, personOf } from './data.ts'
import { Audience, Seen } from './lists.tsx'
import { textsAt } from './past-texts.ts'
import { asText, Question } from './question.tsx'
import { t } from './texts.ts'

type Mode = keyof typeof t.modes
const modes: Mode[] = ['pair', 'app', 'user']

const idOf = (name: string) => id(queryValue(name))

/** Explains why a person sees an app or not, now or at a moment of the past, and lists who sees an app and what a person sees. */
export default function AccessPage() {
  const [userId, appId] = [idOf('user'), idOf('app')]
  /** The chosen mode and the ids it was chosen for. The address alone does not tell the mode while the question is incomplete. */
  const chosen = useSignal<{ mode: Mode; of: string } | undefined>(undefined)
  const keyOf = (user: number | undefined, app: number | undefined) => `${user} ${app}`
  const isPair = userId !== undefined && appId !== undefined
  const mode: Mode = isPair
    ? 'pair'
    : chosen.value?.of === keyOf(userId, appId)
      ? chosen.value.mode
      : userId !== undefined
        ? 'user'
        : appId !== undefined
          ? 'app'
          : 'pair'
  // The list of people who see an app is available only for the present.
  const moment = mode === 'app' ? undefined : askedMoment()
  const record = userId === undefined ? undefined : personOf(userId)
  const app = apps.data?.find(({ id }) => id === appId)
  const gonePerson = moment && isUnknown(record?.error) ? deletedPerson(userId!) : undefined
  const goneApp = moment && appId !== undefined && apps.data && !app ? deletedApp(appId) : undefined
  const [person, shown] = [record?.data ?? gonePerson ?? undefined, app ?? goneApp ?? undefined]
  const visible = isPair ? explanationOf({ userId, appId }, moment).data?.visible : undefined
  const { questions } = textsAt(moment)
  const question = mode === 'pair' ? questions[visible === undefined ? 'unknown' : visible ? 'yes' : 'no'] : questions[mode]
  function choose(next: Mode, user: number | undefined, other: number | undefined) {
    chosen.value = { mode: next, of: keyOf(user, other) }
    setQuery({ user: user ? String(user) : '', app: other ? String(other) : '', ...(next === 'app' && { at: '' }) })
  }
  const asked = asText(question, person ? isolated(nameOf(person)) : t.anyUser, shown ? isolated(named(shown)) : t.anyApp, moment)
  const isWhole = mode === 'pair' ? isPair : mode === 'app' ? appId !== undefined : userId !== undefined
  useTitle(isWhole ? asked : t.title)
  return (
    <div class="access">
      <p class="quiet small">{t.title}</p>
      <nav class="access-modes" aria-label={t.sides}>
        <span class="quiet">{t.sides}</span>
        {modes.map((one) => (
          <button
            key={one}
            type="button"
            class="link"
            aria-pressed={mode === one}
            onClick={() => {
              choose(one, one === 'app' ? undefined : userId, one === 'user' ? undefined : appId)
            }}
          >
            {t.modes[one]}
          </button>
        ))}
      </nav>
      <h1 class="unseen">
        <SentenceText text={asked} />
      </h1>
      <Question
        text={question}
        person={person}
        app={shown}
        at={moment}
        choose={({ user = userId, app: other = appId }) => choose(mode, user, other)}
      />
      {!isWhole && <Beginning />}
      {isWhole && (
        <Loaded of={apps}>
          {() => (
            // Reasons name roles and permissions, so load both first.
            <Loaded of={roles}>
              {() => (
                <Loaded of={permissions}>
                  {() => {
                    if (isUnknown(record?.error) && (!moment || gonePerson === null)) return <p class="quiet">{t.noUser}</p>
                    if (mode !== 'user' && !app && (!moment || goneApp === null)) return <p class="quiet">{t.noApp}</p>
                    if (mode === 'app' && app) return <Audience key={app.id} app={app} />
                    if (moment) {
                      if (!person || (mode === 'pair' && !shown)) return <Skeleton />
                      if (mode === 'pair') return <PastAnswer person={person} app={shown!} at={moment} />
                      return <Seen key={person.id} person={person} moment={moment} />
                    }
                    return (
                      record && (
                        <Loaded of={record}>
                          {(data) =>
                            mode === 'pair' && app ? (
                              <Answer key={`${data.id} ${app.id}`} person={data} app={app} />
                            ) : (
                              <Seen key={data.id} person={data} moment={undefined} />
                            )
                          }
                        </Loaded>
                      )
                    )
                  }}
                </Loaded>
              )}
            </Loaded>
          )}
        </Loaded>
      )}
    </div>
  )
}

const someone = resource('/users', { query: { limit: 2, status: 'active' } })

/** The purpose of the page, and three example questions about real people and apps. */
function Beginning() {
  const shown = apps.data?.filter(({ isActive }) => isActive) ?? []
  const app = shown.find(({ restrictionCount, groupCount }) => restrictionCount + groupCount > 0) ?? shown[0]
  const other = shown[1]
  const people = someone.data ?? []
  const person = people[1] ?? people[0]
  return (
    <section class="access-beginning">
      <p class="quiet">{t.intro}</p>
      {app && person && <Examples app={app} other={other ?? app} person={person} />}
    </section>
  )
}

interface ExamplesProps {
  app: App
  other: App
  person: { id: number; username: string; displayNameAr: string | null; displayNameEn: string | null }
}

function Examples({ app, other, person }: ExamplesProps) {
  const name = isolated(nameOf(person))
  const [title, otherTitle] = [isolated(named(app)), isolated(named(other))]
  const all = [
    { path: `/admin/access?user=${person.id}&app=${app.id}`, text: asText(t.questions.unknown, name, title) },
    { path: `/admin/access?app=${other.id}`, text: asText(t.questions.app, name, otherTitle) },
    { path: `/admin/access?user=${person.id}`, text: asText(t.questions.user, name, title) },
  ]
  return (
    <>
      <h2>{t.examples}</h2>
      <ul class="access-examples">
        {all.map(({ path, text }) => (
          <li key={path}>
            <a class="button" href={at(path)}>
              <span>
                <SentenceText text={text} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
