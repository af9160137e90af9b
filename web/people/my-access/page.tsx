import './style.css'
import type { PageProps } from '../../addresses.ts'
import { useTitle } from '../../frame/site.ts'
import { useWayBack } from '../../frame/way-back.ts'
import { addressDialog } from '../../parts/overlay/address-dialog.ts'
import { lazily } from '../../parts/show/lazily.tsx'
import { useEnds } from '../../parts/show/tabs.tsx'
import { formatNumber } from '../../platform/language.ts'
import { at, path } from '../../platform/router.ts'
import { reviewOf, waitingForMe } from './data.ts'
import { t } from './texts.ts'

const AskDialog = lazily(async () => (await import('./ask-dialog.tsx')).AskDialog)
const Held = lazily(async () => (await import('./held.tsx')).Held)
const Offers = lazily(async () => (await import('./offers.tsx')).Offers)
const Own = lazily(async () => (await import('./lists.tsx')).Own)
const Review = lazily(async () => (await import('./lists.tsx')).Review)
const One = lazily(async () => (await import('./one.tsx')).One)

/** The dialog that asks to join the group whose id is in the address, as in `?ask=5`. */
const asking = addressDialog('ask')

function Asking() {
  const id = Number(asking.opened())
  return id > 0 ? <AskDialog key={id} groupId={id} close={asking.close} /> : null
}

function Part({ to, text, count = 0 }: { to: string; text: string; count?: number }) {
  return (
    <a href={at(to)} aria-current={path.value === to ? 'page' : undefined}>
      {text}
      {count > 0 && (
        <span class="chip" data-kind="on">
          <span aria-hidden="true">{formatNumber(count)}</span>
          <span class="unseen">{t.waiting(count)}</span>
        </span>
      )}
    </a>
  )
}

const lists = {
  '/access': { title: () => t.title, List: () => <Held ask={asking.open} /> },
  '/access/offers': { title: () => t.offers, List: () => <Offers ask={asking.open} /> },
  '/access/requests': { title: () => t.asked, List: Own },
  '/access/review': { title: () => t.review, List: Review },
}

function Lists({ here }: { here: keyof typeof lists }) {
  const { title, List } = lists[here]
  const waiting = waitingForMe()?.length
  const isReviewer = here === '/access/review' || !!reviewOf(0).data?.totalCount
  const row = useEnds<HTMLElement>(`${here} ${isReviewer} ${waiting}`)
  useTitle(title())
  return (
    <>
      <div class="my-access-top">
        <h1>{t.title}</h1>
        <nav ref={row} class="tabs" aria-label={t.parts}>
          <Part to="/access" text={t.held} />
          <Part to="/access/offers" text={t.offers} />
          <Part to="/access/requests" text={t.asked} />
          {isReviewer && <Part to="/access/review" text={t.review} {...(waiting && { count: waiting })} />}
        </nav>
      </div>
      <List key={here} />
      <Asking />
    </>
  )
}

/** All grants, with one highlighted. Notifications about the end of a grant link here. */
function OneGrant({ kind, id }: { kind: 'group' | 'role'; id: number }) {
  useTitle(t.title)
  useWayBack('/access', t.title)
  return (
    <>
      <div class="my-access-top">
        <h1>{t.title}</h1>
      </div>
      <Held sought={{ kind, id }} ask={asking.open} />
      <Asking />
    </>
  )
}

/** A person's access and its ends, the groups that they can ask to join, and requests: their own and those that they decide. */
export default function MyAccess({ params }: PageProps) {
  const here = path.value
  const id = Number(params['id'])
  if (here in lists) return <Lists here={here as keyof typeof lists} />
  if (params['kind'] === 'requests') return <One key={id} id={id} />
  return <OneGrant key={here} kind={params['kind'] === 'roles' ? 'role' : 'group'} id={id} />
}
