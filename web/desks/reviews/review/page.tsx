import '../shared/style.css'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { PageProps } from '../../../addresses.ts'
import { useTitle } from '../../../frame/site.ts'
import { useWayBack } from '../../../frame/way-back.ts'
import { Empty } from '../../../parts/show/empty.tsx'
import { lazily } from '../../../parts/show/lazily.tsx'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import { useReadAbout } from '../../../people/notifications/data.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { at } from '../../../platform/router.ts'
import { base, type Review, reviewOf, titleOf } from '../data.ts'
import { t } from '../texts.ts'
import { Head, HeadShape, type Question } from './head.tsx'
import { Items } from './items.tsx'

const Closing = lazily(async () => (await import('./closing.tsx')).Closing)
const Cancelling = lazily(async () => (await import('./closing.tsx')).Cancelling)
const EditReview = lazily(async () => (await import('../shared/form.tsx')).EditReview)

/** How often the page reloads a review that is being closed. */
const AGAIN_MS = 2000

/** One review: its progress, and its items to decide. */
export default function OneReview({ params }: PageProps) {
  const id = Number(params['id'])
  const review = reviewOf(id)
  const isGone = review.error instanceof Refusal && review.error.status === 404
  useTitle(isGone ? t.gone : review.data ? titleOf(review.data) : t.review)
  useWayBack(base(), t.title)
  useReadAbout('access_review', id)
  if (isGone)
    return (
      <Empty
        icon="search"
        title={t.gone}
        isPage
        act={
          <a class="button" data-kind="main" href={at(base())}>
            {t.toList}
          </a>
        }
      >
        {t.goneHint}
      </Empty>
    )
  return (
    <Loaded of={review} shape={<HeadShape />}>
      {(data) => <Whole key={id} review={data} version={review.version} />}
    </Loaded>
  )
}

function Whole({ review, version }: { review: Review; version: string | undefined }) {
  const question = useSignal<Question | undefined>(undefined)
  const { id, status } = review
  // The portal sends an event when closing ends, but none about its progress.
  useEffect(() => {
    if (status !== 'closing') return
    const timer = setInterval(() => reviewOf(id).refresh(), AGAIN_MS)
    return () => clearInterval(timer)
  }, [id, status])
  const close = () => {
    question.value = undefined
  }
  return (
    <div class="reviews">
      <Head
        review={review}
        ask={(asked) => {
          question.value = asked
        }}
      />
      {/* A closed review starts with a different filter. */}
      <Items key={`${id} ${status === 'open'}`} review={review} />
      {question.value === 'edit' && <EditReview review={review} version={version} close={close} />}
      {question.value === 'close' && <Closing review={review} close={close} />}
      {question.value === 'cancel' && <Cancelling review={review} close={close} />}
    </div>
  )
}
