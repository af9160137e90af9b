import '../shared/style.css'
import { useTitle } from '../../../frame/site.ts'
import { useShortcuts } from '../../../frame/use-shortcuts.ts'
import { Pick, Picks } from '../../../parts/lists/filters/picks.tsx'
import { oneOf } from '../../../parts/lists/filters/reading.ts'
import { useFilters } from '../../../parts/lists/filters/use-filters.ts'
import { Table, type TableColumn, tableKeys } from '../../../parts/lists/table/table.tsx'
import { addressDialog } from '../../../parts/overlay/address-dialog.ts'
import { Hint } from '../../../parts/overlay/hint.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Empty } from '../../../parts/show/empty.tsx'
import { lazily } from '../../../parts/show/lazily.tsx'
import { shortDay } from '../../../platform/dates.ts'
import { formatNumber } from '../../../platform/language.ts'
import { useList } from '../../../platform/list.ts'
import { at } from '../../../platform/router.ts'
import { isAdmin } from '../../../platform/session.ts'
import { base, isInside, type Review, statuses, titleOf } from '../data.ts'
import { countsWith } from '../shared/judging.ts'
import { Progress, StatusChip } from '../shared/progress.tsx'
import { t } from '../texts.ts'

const NewReview = lazily(async () => (await import('../shared/form.tsx')).NewReview)
const adding = addressDialog('new')

const columnsOf = (): TableColumn<Review>[] => [
  {
    key: 'title',
    head: t.heads.title,
    width: 'minmax(9rem, 2fr)',
    cell: (review) => (
      <a class="grid-link grid-line" href={at(`${base()}/${review.id}`)}>
        <bdi>{titleOf(review)}</bdi>
      </a>
    ),
  },
  {
    key: 'progress',
    head: t.heads.progress,
    from: 30,
    width: 'minmax(8rem, 1.2fr)',
    cell: (review) => {
      const counts = countsWith(review.id, review.counts)
      return (
        <span class="reviews-progress">
          <span class="small" aria-hidden="true">
            {t.decidedOf(formatNumber(counts.total - counts.undecided), formatNumber(counts.total))}
          </span>
          <Progress counts={counts} />
        </span>
      )
    },
  },
  {
    key: 'due',
    head: t.heads.due,
    from: 44,
    width: 'minmax(7rem, 1fr)',
    cell: ({ dueDate }) => <span class="quiet small">{shortDay(dueDate, 'UTC')}</span>,
  },
  { key: 'status', head: t.heads.status, width: 'minmax(6.5rem, 0.8fr)', cell: (review) => <StatusChip review={review} /> },
]

/** The reviews in which the person judges; inside the administration, all reviews. */
export default function Reviews() {
  useTitle(t.title)
  useShortcuts(tableKeys)
  const isAll = isAdmin.value && isInside()
  const { values, set } = useFilters({ status: oneOf(...statuses) })
  const list = useList('/access-reviews', { view: isAll ? 'all' : 'mine', ...(values.status && { status: values.status }) })
  const begin = (
    <Button kind="main" icon="plus" onClick={() => adding.open(1)}>
      {t.begin}
    </Button>
  )
  return (
    <div class="reviews">
      <div class="reviews-title">
        <h1>{t.title}</h1>
        {isAll && begin}
      </div>
      <Hint of="admin/reviews">{t.purpose}</Hint>
      <Picks>
        <Pick
          label={t.status}
          all={t.allStatuses}
          value={values.status}
          choices={statuses.map((value) => ({ value, text: t.statuses[value] }))}
          choose={(status) => set({ status })}
        />
      </Picks>
      <Table<Review> label={t.title} list={list} columns={columnsOf()} id={({ id }) => id} name={titleOf} height={4} failed={t.failed}>
        {values.status ? (
          <Empty icon="search" title={t.nothingFound} />
        ) : isAll ? (
          <Empty icon="circle-check" title={t.none} act={begin}>
            {t.noneHint}
          </Empty>
        ) : (
          <Empty icon="circle-check" title={t.noneMine}>
            {t.noneMineHint}
          </Empty>
        )}
      </Table>
      {isAll && adding.opened() && <NewReview close={() => adding.close()} />}
    </div>
  )
}
