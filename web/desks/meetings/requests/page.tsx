import './style.css'
import { useEffect } from 'preact/hooks'
import type { PageProps } from '../../../addresses.ts'
import { useStepKeys } from '../../../frame/decision-keys.ts'
import { useTitle } from '../../../frame/site.ts'
import { useWayBack } from '../../../frame/way-back.ts'
import { Pick, Picks } from '../../../parts/lists/filters/picks.tsx'
import { oneOf } from '../../../parts/lists/filters/reading.ts'
import { useFilters } from '../../../parts/lists/filters/use-filters.ts'
import { Hint } from '../../../parts/overlay/hint.tsx'
import { Empty } from '../../../parts/show/empty.tsx'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import { isWide } from '../../../parts/show/wide.ts'
import { learned } from '../../../platform/hints.ts'
import { formatNumber } from '../../../platform/language.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { at } from '../../../platform/router.ts'
import { standing } from '../shared/standing.ts'
import { countsOf, idsInOrder, requestOf, statuses, titleOf } from './data.ts'
import { Groups, WithStatus } from './list.tsx'
import { Review } from './review.tsx'
import { t } from './texts.ts'

/** The requests to change meetings, and beside them one request with its effects. */
export default function Requests({ params }: PageProps) {
  const id = params['id'] ? Number(params['id']) : undefined
  useStepKeys({ ids: idsInOrder, under: '/meetings/requests', texts: t.keys })
  return id === undefined ? <List /> : <One key={id} id={id} />
}

function List() {
  useTitle(t.title)
  const { values, set } = useFilters({ status: oneOf(...statuses) })
  const counts = countsOf()
  const mayOnlyAsk = standing.data?.canRequest && !standing.data.canMutate
  return (
    <>
      <div class="requests-top">
        <h1>{t.title}</h1>
        {mayOnlyAsk && (
          <a class="button" href={at('/meetings/new')}>
            {t.ask}
          </a>
        )}
      </div>
      <Hint of="meetings/requests">{t.purpose}</Hint>
      <Picks>
        <Pick
          label={t.status}
          all={t.all}
          value={values.status}
          choices={statuses.map((value) => ({
            value,
            text: counts ? `${t.statuses[value]} (${formatNumber(counts[value])})` : t.statuses[value],
          }))}
          choose={(status) => set({ status })}
        />
      </Picks>
      <div class="requests-list requests-alone">
        {values.status ? <WithStatus key={values.status} status={values.status} /> : <Groups />}
      </div>
    </>
  )
}

function One({ id }: { id: number }) {
  const request = requestOf(id)
  const isGone = request.error instanceof Refusal && request.error.status === 404
  useTitle(isGone ? t.gone : request.data ? titleOf(request.data) : t.title)
  useWayBack('/meetings/requests', t.title)
  useEffect(() => learned('meetings/requests'), [])
  return (
    <div class="requests-beside">
      {isWide.value && (
        <nav class="requests-list" aria-label={t.title}>
          <Groups here={id} />
        </nav>
      )}
      <div>
        {isGone ? (
          <Empty
            icon="trash-2"
            isPage
            title={t.gone}
            act={
              <a class="button" data-kind="main" href={at('/meetings/requests')}>
                {t.toList}
              </a>
            }
          />
        ) : (
          <Loaded of={request}>{(data) => <Review request={data} />}</Loaded>
        )}
      </div>
    </div>
  )
}
