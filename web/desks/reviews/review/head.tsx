import { SentenceText } from '../../../parts/overlay/consequences/consequences.tsx'
import { Menu } from '../../../parts/overlay/menu.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { Skeleton } from '../../../parts/show/skeleton.tsx'
import { titleOf as titleOfRecord } from '../../../parts/show/title.ts'
import { ago } from '../../../platform/ago.ts'
import { longDay } from '../../../platform/dates.ts'
import { formatNumber, isolated, nameOf } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'
import { isAdmin } from '../../../platform/session.ts'
import { type Counts, groupOf, type Review, roles, titleOf } from '../data.ts'
import { countsWith, unsent } from '../shared/judging.ts'
import { Progress, StatusChip } from '../shared/progress.tsx'
import { t } from '../texts.ts'
import { t as closed } from './closing-texts.ts'

export type Question = 'edit' | 'close' | 'cancel'

/** The most groups outside the review that a warning names. */
const NAMED = 3

/** The title of a review, its progress, and the actions of administrators. */
export function Head({ review, ask }: { review: Review; ask: (question: Question) => void }) {
  const { id, status, ifSilent, dueDate } = review
  const counts = countsWith(id, review.counts)
  const isOpen = status === 'open'
  const items = [
    ...(isOpen ? [{ text: t.edit, icon: 'pencil' as const, run: () => ask('edit') }] : []),
    { text: t.report, icon: 'download' as const, href: at(`/api/access-reviews/${id}/report.csv`) },
    ...(isOpen ? [{ text: t.cancelReview, icon: 'x' as const, apart: true, run: () => ask('cancel') }] : []),
  ]
  return (
    <header class="reviews-head">
      <div class="reviews-title">
        <h1 dir="auto">{titleOf(review)}</h1>
        <StatusChip review={review} />
        {isAdmin.value && (
          <span class="reviews-acts">
            {isOpen && <Button onClick={() => ask('close')}>{t.closeReview}</Button>}
            <Menu label={t.acts} face={<Icon name="ellipsis" />} items={items} />
          </span>
        )}
      </div>
      <p class="reviews-told">
        {isOpen && <strong>{t.undecided(counts.undecided)}</strong>}
        {counts.done !== undefined && <strong>{t.done(formatNumber(counts.done), formatNumber(counts.total))}</strong>}{' '}
        {tell(status, ifSilent, counts)}
      </p>
      <Progress counts={counts} />
      <p class="quiet small">
        {isOpen ? `${t.due(longDay(dueDate, 'UTC'))}. ${t.silent[ifSilent]}` : <SentenceText text={endOf(review)} />}
      </p>
      {unsent(id) > 0 && (
        <p class="reviews-note" role="status">
          <Icon name="cloud-off" size={18} />
          <span>{t.unsent(unsent(id))}</span>
        </p>
      )}
      {status === 'closing' && (
        <div class="reviews-note" role="status">
          <Icon name="loader-circle" size={18} />
          <span>{t.closingNow}</span>
        </div>
      )}
      {isAdmin.value && isOpen && <Uncovered review={review} />}
    </header>
  )
}

/** A sentence about the decisions; once the review is closed, about its results. */
function tell(status: Review['status'], ifSilent: Review['ifSilent'], { keep, remove, undecided, skipped, total }: Counts) {
  if (status !== 'closed' || total === 0) return t.told(keep, remove, total)
  const [kept, removed] = ifSilent === 'keep' ? [keep + undecided, remove] : [keep, remove + undecided]
  return closed.came(kept, removed, skipped)
}

function endOf({ status, closedBy, closedAt }: Review) {
  if (!closedAt) return ''
  if (!closedBy) return t.closedByTime(ago(closedAt))
  return (status === 'cancelled' ? t.cancelled : t.closed)(isolated(nameOf(closedBy)), ago(closedAt))
}

/** Warns of groups that give a reviewed role to their members and are not reviewed. */
export function Uncovered({ review: { uncovered } }: { review: Pick<Review, 'uncovered'> }) {
  if (uncovered.length === 0) return null
  const roleOf = (id: number) => {
    const role = roles.data?.find((one) => one.id === id)
    return role ? t.theRole(isolated(titleOfRecord(role))) : t.aRole
  }
  const nameOfGroup = ({ groupId, name }: Review['uncovered'][number]) => {
    const group = groupOf(groupId)
    return isolated(group ? titleOfRecord(group) : name)
  }
  return (
    <ul class="reviews-uncovered">
      {uncovered.slice(0, NAMED).map((one) => (
        <li key={`${one.roleId} ${one.groupId}`}>
          <Icon name="triangle-alert" size={18} />
          <a href={at(`/admin/groups/${one.groupId}`)}>
            <SentenceText text={t.uncovered(nameOfGroup(one), roleOf(one.roleId), formatNumber(one.memberCount))} />
          </a>
        </li>
      ))}
      {uncovered.length > NAMED && <li>{t.uncoveredMore(uncovered.length - NAMED)}</li>}
    </ul>
  )
}

/** The shape of the head while it is loading. */
export const HeadShape = () => <Skeleton count={2} shape="line" height={2} />
