import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { SearchField } from '../../parts/lists/search-field.tsx'
import { Hint } from '../../parts/overlay/hint.tsx'
import { Button } from '../../parts/show/button.tsx'
import { Empty } from '../../parts/show/empty.tsx'
import { EndChip } from '../../parts/show/ends/end-chip.tsx'
import { Icon } from '../../parts/show/icon.tsx'
import { TitledLine } from '../../parts/show/lines.tsx'
import { Loaded } from '../../parts/show/skeleton.tsx'
import { titleOf } from '../../parts/show/title.ts'
import { onThisClock } from '../../platform/client.ts'
import { exactly, format, minute, shortDay } from '../../platform/dates.ts'
import { matches } from '../../platform/folded.ts'
import { isolated } from '../../platform/language.ts'
import { isLeaving } from '../../platform/removals.ts'
import { at, go, queryValue, setQuery } from '../../platform/router.ts'
import { isAdmin } from '../../platform/session.ts'
import { useReadAbout } from '../notifications/data.ts'
import { Apps } from './apps.tsx'
import { type Grant, grants, offerOf, useRereadAtEnds, wasToldOfEnd } from './data.ts'
import { LeaveDialog } from './leave-dialog.tsx'
import { t } from './texts.ts'

/** A search field appears from this many grants on. */
const MANY = 12

const keyOf = ({ kind, id }: Pick<Grant, 'kind' | 'id'>) => `${kind}-${id}`
const isGone = ({ kind, id }: Grant) => kind === 'group' && isLeaving('/auth/me/groups/{groupId}', id)
const isOver = ({ expiresAt }: Grant) => expiresAt !== null && onThisClock(expiresAt) <= Math.max(minute.value.getTime(), Date.now())
const isFound = ({ name, descriptionAr, descriptionEn, apps }: Grant, typed: string) =>
  matches(typed, name, descriptionAr, descriptionEn, ...apps.flatMap(({ nameAr, nameEn }) => [nameAr, nameEn]))

/** The date and time of an end. */
const moment = (of: string) =>
  format(of, { day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

const End = ({ expiresAt }: { expiresAt: string }) => (
  <p class="my-access-end">
    <EndChip at={expiresAt} />
    <span class="quiet small">{t.until(moment(expiresAt))}</span>
  </p>
)

interface CardProps {
  grant: Grant
  ask: (groupId: number) => void
  leave: (grant: Grant) => void
  /** Whether the address names this grant. */
  isSought: boolean
}

function Card({ grant, ask, leave, isSought }: CardProps) {
  const { kind, id, since, expiresAt, requestId, canGiveBack, apps } = grant
  const box = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isSought) box.current?.scrollIntoView({ block: 'center' })
  }, [isSought])
  const title = isolated(titleOf(grant))
  // The offer says whether the person may ask for more time, and whether they have asked already.
  const offer = expiresAt && canGiveBack ? offerOf(id) : undefined
  return (
    <li ref={box} id={keyOf(grant)} class="card my-access-card" data-sought={isSought || undefined}>
      <div class="my-access-head">
        <span class="my-access-sign">
          <Icon name={kind === 'group' ? 'users' : 'id-card'} />
        </span>
        <div>
          <TitledLine of={grant} />
          <p class="quiet small my-access-facts">
            <span>{t.kinds[kind]}</span>
            {since && <span title={exactly(since)}>{t.since(shortDay(since))}</span>}
            {requestId && (
              <a class="link" href={at(`/access/requests/${requestId}`)}>
                {t.byRequest}
              </a>
            )}
          </p>
        </div>
      </div>
      {expiresAt && <End expiresAt={expiresAt} />}
      {apps.length > 0 && <Apps label={t.opens} all={apps} />}
      {canGiveBack && (
        <div class="my-access-acts">
          {offer?.state === 'member' && (
            <Button aria-label={t.extendNamed(title)} onClick={() => ask(id)}>
              {t.extend}
            </Button>
          )}
          {offer?.state === 'pending' && (
            <a class="link" href={at(`/access/requests/${offer.requestId}`)}>
              {t.extending}
            </a>
          )}
          <Button kind="plain" aria-label={t.leaveNamed(title)} onClick={() => leave(grant)}>
            {t.leave}
          </Button>
        </div>
      )}
      {expiresAt && (offer === null || !canGiveBack) && <p class="quiet small">{t.notByRequest}</p>}
    </li>
  )
}

interface Sought {
  kind: Grant['kind']
  id: number
}

/**
 * Shown for a grant that the person does not hold: says that it has ended, if they held it; otherwise takes an administrator to the group,
 * because administrators also get notices about groups of other people.
 */
function NotHeld(props: Sought & { wasHeld: boolean; ask: (groupId: number) => void }) {
  const { kind, id, wasHeld } = props
  const had = wasHeld || wasToldOfEnd(kind, id)
  useEffect(() => {
    if (had === false && kind === 'group' && isAdmin.value) go(`/admin/groups/${id}`, { replace: true })
  }, [had])
  return had ? <Over {...props} /> : null
}

/** Says that the grant that the address names has ended, with a button to ask for it again. */
function Over({ kind, id, ask }: Sought & { ask: (groupId: number) => void }) {
  const offer = kind === 'group' ? offerOf(id) : null
  if (offer === undefined) return null
  return (
    <div class="card my-access-over" role="status">
      <Icon name="clock" />
      <div>
        <h2>{offer ? t.overNamed(isolated(titleOf(offer))) : t.over[kind]}</h2>
        <p class="quiet">{offer ? t.overHint : t.overClosed}</p>
      </div>
      {/* Shortly after the end, the offers may still say `member`. */}
      {(offer?.state === 'open' || offer?.state === 'member') && (
        <Button kind="main" aria-label={t.askNamed(isolated(titleOf(offer)))} onClick={() => ask(id)}>
          {t.ask}
        </Button>
      )}
      {offer?.state === 'pending' && (
        <a class="link" href={at(`/access/requests/${offer.requestId}`)}>
          {t.pending}
        </a>
      )}
    </div>
  )
}

/** Marks the notifications about a grant as read. */
function Read({ kind, id }: Sought) {
  useReadAbout(kind, id)
  return null
}

function Grants({ all, sought, ask }: { all: readonly Grant[]; sought: Sought | undefined; ask: (groupId: number) => void }) {
  const leaving = useSignal<Grant | undefined>(undefined)
  const typed = queryValue('q')
  useRereadAtEnds(all)
  // Without a connection, the device's copy still contains grants that have since ended.
  const held = all.filter((grant) => !isGone(grant) && !isOver(grant))
  const shown = held.filter((grant) => isFound(grant, typed))
  const isSought = ({ kind, id }: Grant) => kind === sought?.kind && id === sought.id
  const wasHeld = useRef(false)
  if (all.some(isSought)) wasHeld.current = true
  const parts = { ending: shown.filter(({ expiresAt }) => expiresAt), lasting: shown.filter(({ expiresAt }) => !expiresAt) }
  return (
    <>
      {sought && !held.some(isSought) && <NotHeld {...sought} wasHeld={wasHeld.current} ask={ask} />}
      {held.length >= MANY && <SearchField label={t.find} value={typed} change={(q) => setQuery({ q })} />}
      {held.length === 0 && (
        <Empty
          icon="key-round"
          title={t.none}
          act={
            <a class="button" data-kind="main" href={at('/access/offers')}>
              {t.offers}
            </a>
          }
        >
          {t.noneHint}
        </Empty>
      )}
      {held.length > 0 && shown.length === 0 && (
        <Empty icon="search" title={t.noneFound(typed)} act={<Button onClick={() => setQuery({ q: '' })}>{t.showAll}</Button>} />
      )}
      {(['ending', 'lasting'] as const).map(
        (part) =>
          parts[part].length > 0 && (
            <section key={part} aria-labelledby={`held-${part}`}>
              <h2 id={`held-${part}`}>{t.groups[part]}</h2>
              <ul class="my-access-list">
                {parts[part].map((grant) => (
                  <Card
                    key={keyOf(grant)}
                    grant={grant}
                    ask={ask}
                    leave={(one) => {
                      leaving.value = one
                    }}
                    isSought={isSought(grant)}
                  />
                ))}
              </ul>
            </section>
          ),
      )}
      {leaving.value && (
        <LeaveDialog
          grant={leaving.value}
          others={held.filter((one) => keyOf(one) !== keyOf(leaving.value!))}
          close={() => {
            leaving.value = undefined
          }}
        />
      )}
    </>
  )
}

/** The person's memberships and roles, each with its apps and its end. */
export function Held({ sought, ask }: { sought?: Sought; ask: (groupId: number) => void }) {
  return (
    <>
      {sought ? <Read {...sought} /> : <Hint of="access">{t.purpose}</Hint>}
      <Loaded of={grants}>{(all) => <Grants all={all} sought={sought} ask={ask} />}</Loaded>
    </>
  )
}
