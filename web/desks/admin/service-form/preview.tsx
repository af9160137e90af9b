import { type Signal, useSignal } from '@preact/signals'
import { officeToday } from '../../../frame/office.ts'
import { AnswerFields } from '../../../parts/forms/answers/fields.tsx'
import { type Given, judge, keyOf } from '../../../parts/forms/answers/judging.ts'
import { wrongText } from '../../../parts/forms/answers/wrong.ts'
import { Button } from '../../../parts/show/button.tsx'
import { Segments } from '../../../parts/show/segments.tsx'
import { isWide } from '../../../parts/show/wide.ts'
import { present } from '../../../platform/ago.ts'
import { type Language, language as ofPage } from '../../../platform/language.ts'
import type { FormField } from './model.ts'
import { t } from './texts.ts'

/** The answers typed to try the form, and whether their errors are shown. */
export interface Trial {
  given: Given
  isTried: boolean
}

interface PreviewProps {
  fields: FormField[]
  /** Options that are sold out, as `field.option`. */
  offOptions: readonly string[]
  trial: Signal<Trial>
}

/** The form as people will see it. Answers can be typed to try it, and are never sent. */
export function Preview({ fields, offOptions, trial }: PreviewProps) {
  const language = useSignal<Language>(ofPage.peek())
  const width = useSignal<'wide' | 'narrow'>('wide')
  const { given, isTried } = trial.value
  const judgement = judge(fields, given, { today: officeToday(), now: present(), offOptions })
  const errors = new Map<string, string>()
  if (isTried)
    for (const { path, ...broken } of judgement.errors) {
      const field = fields.find(({ key }) => key === keyOf(path))
      if (field) errors.set(field.key, wrongText(field, broken, language.value))
    }
  return (
    <section class="card service-form-preview" aria-label={t.preview}>
      <div class="service-form-views">
        <Segments
          label={t.language}
          of={[
            ['ar', t.inArabic],
            ['en', t.inEnglish],
          ]}
          value={language.value}
          choose={(next) => {
            language.value = next
          }}
        />
        {isWide.value && (
          <Segments
            label={t.width}
            of={[
              ['wide', t.wide],
              ['narrow', t.narrow],
            ]}
            value={width.value}
            choose={(next) => {
              width.value = next
            }}
          />
        )}
      </div>
      {fields.length === 0 ? (
        <p class="quiet">{t.nothing}</p>
      ) : (
        <>
          <div class="service-form-screen" data-width={width.value}>
            <AnswerFields
              fields={fields}
              given={given}
              judgement={judgement}
              errors={errors}
              offOptions={offOptions}
              today={officeToday()}
              language={language.value}
              change={(key, value) => {
                trial.value = { ...trial.peek(), given: { ...trial.peek().given, [key]: value } }
              }}
            />
          </div>
          <div class="service-form-try">
            <Button
              onClick={() => {
                trial.value = { ...trial.peek(), isTried: true }
              }}
            >
              {t.try}
            </Button>
            <Button
              kind="plain"
              onClick={() => {
                trial.value = { given: {}, isTried: false }
              }}
            >
              {t.clear}
            </Button>
            <p role="status">{isTried && (errors.size > 0 ? t.refused(errors.size) : t.tried)}</p>
          </div>
        </>
      )}
    </section>
  )
}
