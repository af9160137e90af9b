import { useRef } from 'preact/hooks'
import { useDecisionKeys } from '../../frame/decision-keys.ts'
import { AnswersOf } from '../../parts/forms/answers/list.tsx'
import { Decide, useNote } from '../../parts/show/approval/decide.tsx'
import { Outcome } from '../../parts/show/approval/outcome.tsx'
import { ApprovalSteps } from '../../parts/show/approval/steps.tsx'
import { t as words } from '../../parts/show/approval/texts.ts'
import { Avatar } from '../../parts/show/avatar.tsx'
import { Wanted } from '../../parts/show/due/due.tsx'
import { Empty } from '../../parts/show/empty.tsx'
import { Icon } from '../../parts/show/icon.tsx'
import { Loaded, Skeleton } from '../../parts/show/skeleton.tsx'
import { ago } from '../../platform/ago.ts'
import type { Schemas } from '../../platform/client.ts'
import { exactly } from '../../platform/dates.ts'
import { named, nameOf } from '../../platform/language.ts'
import { Refusal } from '../../platform/refusal.ts'
import { at } from '../../platform/router.ts'
import { useReadAbout } from '../notifications/data.ts'
import { detailsAt, forWhom, orderAt } from '../orders/data.ts'
import { t } from './texts.ts'

const keys = { KeyA: 'approve', KeyR: 'deny' } as const

interface CardProps {
  order: Schemas['ServiceOrder']
  details: Schemas['OrderDetails']
  /** The order that is shown after this one is decided. */
  next: number | undefined
}

/** An order: who ordered what for whom, with its answers, the decisions so far, and the person’s own decision. */
function Card({ order, details, next }: CardProps) {
  const { id, requester, service, notes, createdAt } = order
  useReadAbout('order', id)
  useDecisionKeys(keys, (decision) => words.keys[decision])
  const note = useNote(id)
  const isMine = details.may.includes('approve')
  const wasMine = useRef(false)
  wasMine.current ||= isMine
  return (
    <article class="approvals-one">
      <div class="approvals-head">
        {requester && <Avatar person={requester} size={44} />}
        <div>
          <h2>
            <bdi>{named(service)}</bdi>
          </h2>
          <p>
            <bdi>{requester ? nameOf(requester) : t.someone}</bdi> <strong>{forWhom(order, details)}</strong>{' '}
            <span class="quiet small" title={exactly(createdAt)}>
              {t.asked(ago(createdAt))}
            </span>
          </p>
        </div>
      </div>
      {!isMine && <Outcome order={order} details={details} note={wasMine.current ? (note.value.value ?? '') : ''} />}
      {details.wantedAt && (
        <p class="small">
          <Wanted at={details.wantedAt} />
        </p>
      )}
      {details.formVersion !== null && details.formVersion > 0 && (
        <section class="approvals-answers" aria-label={t.answers}>
          <AnswersOf orderId={id} />
        </section>
      )}
      {notes && (
        <figure class="approvals-notes">
          <figcaption class="quiet small">{t.notes}</figcaption>
          <blockquote dir="auto">{notes}</blockquote>
        </figure>
      )}
      {details.approval && <ApprovalSteps details={details} />}
      <p>
        <a class="link" href={at(`/orders/${id}`)}>
          {t.open}
        </a>
      </p>
      {isMine ? (
        <Decide order={order} details={details} note={note} next={next === undefined ? '/approvals' : `/approvals/${next}`} />
      ) : (
        next !== undefined && (
          <a class="button approvals-next" data-kind="main" href={at(`/approvals/${next}`)}>
            {t.more}
            <Icon name="arrow-right" size={18} />
          </a>
        )
      )}
    </article>
  )
}

export function One({ id, next }: { id: number; next: number | undefined }) {
  const [order, details] = [orderAt(id), detailsAt(id)]
  if ([order, details].some(({ error }) => error instanceof Refusal && error.status === 404))
    return (
      <Empty icon="lock" title={t.gone}>
        {t.goneHint}
      </Empty>
    )
  return (
    <Loaded of={details} shape={<Skeleton count={2} height={10} />}>
      {(known) => <Loaded of={order}>{(one) => <Card order={one} details={known} next={next} />}</Loaded>}
    </Loaded>
  )
}
