import './style.css'
import { useEffect } from 'preact/hooks'
import type { PageProps } from '../../addresses.ts'
import { useStepKeys } from '../../frame/decision-keys.ts'
import { useTitle } from '../../frame/site.ts'
import { usePages } from '../../parts/lists/pages.tsx'
import { isApproved } from '../../parts/show/approval/own.ts'
import { t as words } from '../../parts/show/approval/texts.ts'
import { Empty } from '../../parts/show/empty.tsx'
import { Icon } from '../../parts/show/icon.tsx'
import { lazily } from '../../parts/show/lazily.tsx'
import { Loaded, Skeleton } from '../../parts/show/skeleton.tsx'
import { isWide } from '../../parts/show/wide.ts'
import { formatNumber } from '../../platform/language.ts'
import { at, go } from '../../platform/router.ts'
import { inTurn, orderOf, titleOf, waitingOf } from './data.ts'
import { List } from './list.tsx'
import { t } from './texts.ts'

const One = lazily(async () => (await import('./one.tsx')).One)

/** Links to the previous and the next order, with the order's position. For narrow pages, which show no list. */
function Turns({ ids, id }: { ids: readonly number[]; id: number }) {
  const here = ids.indexOf(id)
  if (ids.length < 2 || here < 0) return null
  const turn = (to: number | undefined, text: string, icon: 'arrow-left' | 'arrow-right') =>
    to === undefined ? (
      <span />
    ) : (
      <a class="button" data-kind="plain" href={at(`/approvals/${to}`)}>
        <Icon name={icon} size={18} />
        {text}
      </a>
    )
  return (
    <nav class="approvals-turns" aria-label={t.title}>
      {turn(ids[here - 1], t.former, 'arrow-left')}
      <span class="quiet small">{t.place(formatNumber(here + 1), formatNumber(ids.length))}</span>
      {turn(ids[here + 1], t.next, 'arrow-right')}
    </nav>
  )
}

/** The orders that wait for the person’s approval: one card at a time, on wide pages beside the list. */
export default function Approvals({ params }: PageProps) {
  const id = Number(params['id'] ?? 0)
  const order = id > 0 ? orderOf(id).data : undefined
  useTitle(order ? titleOf(order) : t.title)
  const { first, rows, more } = usePages({ of: waitingOf, rows: ({ items }) => items, id: ({ order }) => order.id })
  const [others, mine] = [rows.filter(isApproved), rows.filter((row) => !isApproved(row))]
  const ids = inTurn(rows).map(({ order }) => order.id)
  const [next] = ids
  useStepKeys({ ids: () => inTurn(first.peek()?.items ?? []).map(({ order }) => order.id), under: '/approvals', texts: words.keys })
  // Open the first order at its own address, so that it stays open when the list changes.
  useEffect(() => {
    if (!id && next) go(`/approvals/${next}`, { replace: true })
  }, [id, next])
  const after = ids[ids.indexOf(id) + 1] ?? ids.find((one) => one !== id)
  return (
    <div class="approvals">
      <div class="section-head">
        <h1>{t.title}</h1>
        {mine.length > 0 && <p class="quiet small">{t.waiting((first.data?.totalCount ?? 0) - others.length)}</p>}
      </div>
      <Loaded of={first} shape={<Skeleton count={2} height={10} />}>
        {() =>
          rows.length === 0 && !id ? (
            <Empty icon="check" title={t.none}>
              {t.noneHint}
            </Empty>
          ) : (
            <div class="approvals-beside" data-beside={isWide.value || undefined}>
              {isWide.value ? (
                <nav aria-label={t.title}>
                  <List mine={mine} others={others} here={id} />
                  {more}
                </nav>
              ) : (
                <Turns ids={ids} id={id} />
              )}
              {id > 0 && <One key={id} id={id} next={after} />}
            </div>
          )
        }
      </Loaded>
    </div>
  )
}
