import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { SentenceText } from '../../../parts/overlay/consequences/consequences.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { sayFailure } from '../../../parts/show/failures.ts'
import { Previewed } from '../../../parts/show/history/previewed.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { Loaded, Skeleton } from '../../../parts/show/skeleton.tsx'
import { titleOf } from '../../../parts/show/title.ts'
import { isolated, named } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'
import { foresee } from '../shared/directory.ts'
import { explanationOf, type Pair, plannedFor, take, takeBack, targetOf, type Way, waysOf } from './data.ts'
import { allOf, reasonText } from './reasons.ts'
import { t } from './texts.ts'

/** The maximum number of other apps that the text about a way names. */
const NAMED = 3

interface WaysProps {
  pair: Pair
  isVisible: boolean
  /** The names of the person and the app, within Unicode isolation marks. */
  user: string
  app: string
}

/** The acts that would show an app to a person, or hide it from them, the one with the narrowest effect first. */
export function Ways({ pair, isVisible, user, app }: WaysProps) {
  return (
    <section class="access-ways">
      <h2>{isVisible ? t.waysFrom : t.waysTo}</h2>
      <Loaded of={waysOf(pair)} shape={<Skeleton count={3} height={4.5} shape="line" />}>
        {(ways) => (
          <>
            {ways.length === 0 && <p class="quiet">{t.noWays}</p>}
            <ol class="card">
              {ways.map((way, index) => (
                <Line key={`${way.act} ${targetOf(way).id}`} way={way} pair={pair} user={user} app={app} isFirst={index === 0} />
              ))}
            </ol>
            {!isVisible && ways.length > 0 && ways.every(({ alsoAppsCount, alsoPeopleCount }) => alsoAppsCount + alsoPeopleCount > 0) && (
              <p class="quiet small">
                {t.noneAlone}{' '}
                <a class="link" href={at('/admin/roles?new=1')}>
                  {t.ownRole}
                </a>
              </p>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

/** The side effects of a way, in words. */
function costOf({ act, alsoApps, alsoAppsCount, alsoPeopleCount }: Way, isClosing: boolean, isEnough: boolean) {
  const names = alsoApps.slice(0, NAMED).map((app) => isolated(named(app)))
  const rest = alsoAppsCount - names.length
  const apps = allOf([...names, ...(rest > 0 ? [t.andMore(rest)] : [])])
  const parts = [
    ...(alsoAppsCount > 0 ? [(isClosing ? t.alsoCloses : t.alsoOpens)(apps)] : []),
    ...(alsoPeopleCount > 0 ? [(isClosing ? t.alsoLose : t.alsoSee)(alsoPeopleCount)] : []),
  ]
  return {
    text: [...(parts.length > 0 ? parts : [t.nothingElse]), ...(isEnough ? [] : [t.notEnough])].join(' '),
    isMore: parts.length > 0,
    act,
  }
}

interface LineProps extends Omit<WaysProps, 'isVisible'> {
  way: Way
  isFirst: boolean
}

function Line({ way, pair, user, app, isFirst }: LineProps) {
  const isOpen = useSignal(false)
  const line = useRef<HTMLLIElement>(null)
  const { act, reasons } = way
  const target = isolated(titleOf(targetOf(way)))
  const title = t.acts[act](user, app, way.refs.permission ? t.quoted(target) : target)
  const explanation = explanationOf(pair).data
  const isClosing = explanation?.visible ?? false
  const isEnough = !isClosing || reasons.length === explanation?.reasons.length
  const { text, isMore } = costOf(way, isClosing, isEnough)
  async function run() {
    await take(way, pair)
    await explanationOf(pair).refresh()
    const { visible } = explanationOf(pair).peek() ?? {}
    const undo = () => takeBack(way, pair).then(() => say({ text: t.takenBack }), sayFailure)
    say({ text: visible === isClosing ? t.done : (isClosing ? t.nowNot : t.nowSees)(user, app), undo })
  }
  return (
    <li ref={line}>
      <div class="access-way">
        <div>
          <h3>
            <SentenceText text={title} />
          </h3>
          {reasons[0] && reasons[0].via !== 'group' && (
            <p class="quiet small">
              <SentenceText text={reasonText(reasons[0])} />
            </p>
          )}
        </div>
        <p class="access-cost" data-more={isMore || undefined}>
          <Icon name={isMore ? 'triangle-alert' : 'circle-check'} size={18} />
          <span>
            <SentenceText text={text} />
          </span>
        </p>
        {!isOpen.value && (
          <Button
            kind={isFirst ? 'main' : undefined}
            onClick={() => {
              isOpen.value = true
            }}
          >
            {t.previews[act]}
          </Button>
        )}
      </div>
      {isOpen.value && (
        <Previewed
          title={title}
          verb={t.verbs[act]}
          ask={async () => ({ impact: await foresee([plannedFor(way, pair)]) })}
          run={run}
          close={() => {
            isOpen.value = false
            requestAnimationFrame(() => line.current?.querySelector<HTMLElement>('.button')?.focus())
          }}
        />
      )}
    </li>
  )
}
