import { useSignal } from '@preact/signals'
import { useSettled } from '../../parts/forms/settled.ts'
import { SearchField } from '../../parts/lists/search-field.tsx'
import { Button } from '../../parts/show/button.tsx'
import { Empty } from '../../parts/show/empty.tsx'
import { Icon } from '../../parts/show/icon.tsx'
import { TitledLine } from '../../parts/show/lines.tsx'
import { titleOf } from '../../parts/show/title.ts'
import { shortDay } from '../../platform/dates.ts'
import { inLanguage, isolated } from '../../platform/language.ts'
import { at, queryValue, setQuery } from '../../platform/router.ts'
import { Apps } from './apps.tsx'
import { type Offer, offersOf, offersTo } from './data.ts'
import { Pages } from './pages.tsx'
import { t } from './texts.ts'

/** Says that the person is a member or has asked already; otherwise shows the button to ask. */
function State({ offer, ask }: { offer: Offer; ask: (groupId: number) => void }) {
  const { groupId, state, requestId, memberUntil } = offer
  const title = isolated(titleOf(offer))
  if (state === 'pending')
    return (
      <a class="link" href={at(`/access/requests/${requestId}`)}>
        {t.pending}
      </a>
    )
  if (state === 'open')
    return (
      <Button kind="main" aria-label={t.askNamed(title)} onClick={() => ask(groupId)}>
        {t.ask}
      </Button>
    )
  return (
    <>
      <span class="chip" data-kind="on">
        <Icon name="check" size={14} />
        {memberUntil ? t.memberUntil(shortDay(memberUntil)) : t.member}
      </span>
      {memberUntil && (
        <Button aria-label={t.extendNamed(title)} onClick={() => ask(groupId)}>
          {t.extend}
        </Button>
      )}
    </>
  )
}

function Card({ offer, ask }: { offer: Offer; ask: (groupId: number) => void }) {
  const { name, descriptionAr, descriptionEn, noteAr, noteEn, apps, maxDays, reasonRequired, state } = offer
  const note = inLanguage(noteAr, noteEn)
  return (
    <li class="card my-access-card">
      <div class="my-access-head">
        <span class="my-access-sign">
          <Icon name="users" />
        </span>
        <div>
          <h2>
            <TitledLine of={{ name, descriptionAr, descriptionEn }} />
          </h2>
          <p class="quiet small my-access-facts">
            <span>{maxDays === null ? t.noMost : t.most(t.days(maxDays))}</span>
            {reasonRequired && <span>{t.reasonNeeded}</span>}
          </p>
        </div>
      </div>
      {note && (
        <p class="my-access-note" dir="auto">
          {note}
        </p>
      )}
      {apps.length > 0 ? <Apps label={t.opens} all={apps} /> : state === 'open' && <p class="quiet small">{t.noNewApps}</p>}
      <div class="my-access-acts">
        <State offer={offer} ask={ask} />
      </div>
    </li>
  )
}

/** The groups that a person can ask to join; with `?app=5`, only groups that show that app. */
export function Offers({ ask }: { ask: (groupId: number) => void }) {
  const typed = useSignal(queryValue('q'))
  const q = useSettled(typed.value.trim().slice(0, 200))
  const appId = /^[1-9]\d{0,8}$/.test(queryValue('app')) ? Number(queryValue('app')) : undefined
  const seek = (text: string) => {
    typed.value = text
    setQuery({ q: text.trim() })
  }
  const all = () => {
    typed.value = ''
    setQuery({ q: '', app: '' })
  }
  return (
    <>
      <p class="quiet my-access-purpose">{appId ? t.forApp : t.offersHint}</p>
      {appId ? (
        <p>
          <Button kind="plain" icon="x" onClick={all}>
            {t.showAll}
          </Button>
        </p>
      ) : (
        <SearchField label={t.findOffer} value={typed.value} change={seek} />
      )}
      <Pages
        key={`${q} ${appId}`}
        of={(offset) => (appId ? offersTo({ appId }) : offersOf(q, offset))}
        id={({ groupId }) => groupId}
        class="my-access-list"
        label={t.offers}
        none={
          q || appId ? (
            <Empty icon="search" title={appId ? t.noneForApp : t.noneOffered(q)} act={<Button onClick={all}>{t.showAll}</Button>}>
              {t.noneOfferedHint}
            </Empty>
          ) : (
            <Empty icon="key-round" title={t.noOffers}>
              {t.noOffersHint}
            </Empty>
          )
        }
      >
        {(offer) => <Card offer={offer} ask={ask} />}
      </Pages>
    </>
  )
}
