import './view.css'
import { resource } from '../../../platform/cache.ts'
import { hijriDay } from '../../../platform/dates.ts'
import { language } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'
import { Loaded } from '../../show/skeleton.tsx'
import type { FormField } from './judging.ts'
import { t } from './view-texts.ts'
import { answerText, labelOf } from './words.ts'

interface AnswerListProps {
  /** The fields of the form version that was answered. */
  fields: readonly FormField[]
  answers: Readonly<Record<string, unknown>>
  /** The files that the answers refer to. */
  files: readonly { id: string; name: string }[]
  orderId: number
}

/** Links to the files of an answer. */
const Files = ({ ids, files, orderId }: { ids: readonly string[] } & Pick<AnswerListProps, 'files' | 'orderId'>) => (
  <>
    {files
      .filter(({ id }) => ids.includes(id))
      .map(({ id, name }) => (
        <a key={id} class="link" href={at(`/api/orders/${orderId}/files/${id}`)} target="_blank" rel="noopener">
          <bdi>{name}</bdi>
        </a>
      ))}
  </>
)

/** The answers, each under its question. */
function AnswerList({ fields, answers, files, orderId }: AnswerListProps) {
  const answered = fields.filter(({ key, kind }) => kind !== 'info' && Object.hasOwn(answers, key))
  if (answered.length === 0) return <p class="quiet small">{t.unanswered}</p>
  return (
    <dl class="answers-list">
      {answered.map((field) => {
        const value = answers[field.key]
        return (
          <div key={field.key}>
            <dt class="quiet small">
              <bdi>{labelOf(field, language.value)}</bdi>
            </dt>
            <dd title={field.kind === 'date' ? hijriDay(String(value), 'UTC') : undefined}>
              {field.kind === 'files' ? (
                <Files ids={value as string[]} files={files} orderId={orderId} />
              ) : (
                <bdi>{answerText(field, value, language.value)}</bdi>
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

/** The answers with which an order was placed, with the texts of the form version that was answered. */
export const AnswersOf = ({ orderId }: { orderId: number }) => (
  <Loaded of={resource('/orders/{id}/details', { path: { id: orderId } })}>
    {({ fields, answers, files }) => <AnswerList fields={fields ?? []} answers={answers ?? {}} files={files} orderId={orderId} />}
  </Loaded>
)
