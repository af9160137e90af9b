import './style.css'
import { isolated, type Language, language as ofPage } from '../../../platform/language.ts'
import { Attach, type Attached } from '../files/files.tsx'
import {
  ChoiceAnswer,
  ChoicesAnswer,
  type ControlProps,
  DateAnswer,
  NumberAnswer,
  TextAnswer,
  WantedAnswer,
  YesNoAnswer,
} from './controls.tsx'
import { ItemsAnswer } from './items.tsx'
import { type FormField, type Given, type Judgement, type Mark, own } from './judging.ts'
import { aroundAddresses } from './linked.ts'
import { PersonAnswer } from './person.tsx'
import { both } from './texts.ts'
import { answerText, hintOf, labelOf, said } from './words.ts'

const accepted = { any: undefined, images: 'image/*', pdf: 'application/pdf' } as const

/** A field for files, which are uploaded as soon as they are chosen. */
function FilesAnswer({ field: { most, types = 'any' }, label, hint, error, value, change }: ControlProps) {
  const accept = accepted[types]
  return (
    <div class="field">
      <p class="answers-label">{label}</p>
      {hint && <p class="quiet small">{hint}</p>}
      <Attach
        label={label}
        value={(value ?? []) as readonly Attached[]}
        most={most ?? 1}
        change={change}
        {...(accept && { accept })}
        error={error}
      />
    </div>
  )
}

const controls = {
  text: TextAnswer,
  paragraph: TextAnswer,
  number: NumberAnswer,
  choice: ChoiceAnswer,
  choices: ChoicesAnswer,
  items: ItemsAnswer,
  yes_no: YesNoAnswer,
  date: DateAnswer,
  person: PersonAnswer,
  wanted_at: WantedAnswer,
  files: FilesAnswer,
}
/** The kinds of fields that are narrow enough to stand side by side. */
const short: readonly FormField['kind'][] = ['text', 'number', 'date', 'person', 'choice', 'yes_no']

const Info = ({ text }: { text: string }) => (
  <p class="answers-text" dir="auto">
    {aroundAddresses(text).map((part, n) =>
      n % 2 ? (
        <a key={n} class="link" href={part} target="_blank" rel="noopener noreferrer" dir="ltr">
          {part}
        </a>
      ) : (
        part
      ),
    )}
  </p>
)

function Marked({ mark, language }: { mark: Mark; language: Language }) {
  const t = both[language]
  const before = mark.before && answerText(mark.before.field, mark.before.value, language)
  return (
    <p class="answers-mark small">
      <span class="chip" data-kind="warn">
        {t[mark.why]}
      </span>
      {before && <span>{t.before(isolated(before))}</span>}
    </p>
  )
}

/** A remark that a field has its text only in the other language and shows that; undefined or false if no remark is needed. */
function missing({ kind, labelAr, labelEn, textAr, textEn }: FormField, language: Language) {
  const [ar, en] = kind === 'info' ? [textAr, textEn] : [labelAr, labelEn]
  if (Boolean(ar) === Boolean(en)) return undefined
  return (ar ? 'en' : 'ar') === language && (ar ? both[language].onlyArabic : both[language].onlyEnglish)
}

interface AnswerFieldsProps {
  fields: readonly FormField[]
  given: Given
  /** The result of `judge`, which tells which fields are visible. */
  judgement: Judgement
  change: (key: string, value: unknown) => void
  /** Error texts by the keys of fields. */
  errors?: ReadonlyMap<string, string>
  marks?: ReadonlyMap<string, Mark>
  /** Options that are sold out, as `field.option`. */
  offOptions?: readonly string[]
  /** Today in the office's time zone. */
  today: string
  /** Whether to tell administrators which fields have no text in the language. */
  tellsGaps?: boolean
  /** The language of the form; by default that of the page. */
  language?: Language
}

/** The fields of a form, for answering. Fields that the answers hide are not rendered. */
export function AnswerFields(props: AnswerFieldsProps) {
  const { fields, given, judgement, change, errors, marks, offOptions = [], today, tellsGaps = false, language = ofPage.value } = props
  const shown = fields.filter(({ key }) => judgement.visible.includes(key))
  return (
    <div class="answers" lang={language} dir={language === 'ar' ? 'rtl' : 'ltr'}>
      {shown.some(({ required, mustBeYes }) => required || mustBeYes) && <p class="quiet small">{both[language].allRequired}</p>}
      {shown.map((field) => {
        const { key, kind } = field
        const error = errors?.get(key)
        const mark = marks?.get(key)
        const lacking = tellsGaps && missing(field, language)
        const Control = kind === 'info' ? undefined : controls[kind]
        return (
          <div
            key={key}
            class="answers-field"
            data-field={key}
            data-short={short.includes(kind) || undefined}
            data-required={field.required || field.mustBeYes || undefined}
            data-wrong={error ? true : undefined}
            data-marked={mark ? true : undefined}
          >
            {mark && <Marked mark={mark} language={language} />}
            {Control ? (
              <Control
                field={field}
                label={isolated(labelOf(field, language))}
                hint={hintOf(field, language)}
                error={error}
                value={own(given, key)}
                change={(value) => change(key, value)}
                language={language}
                today={today}
                isOff={(option) => offOptions.includes(`${key}.${option.key}`)}
              />
            ) : (
              <Info text={said(language, field.textAr, field.textEn)} />
            )}
            {lacking && <span class="chip answers-lacking">{lacking}</span>}
          </div>
        )
      })}
    </div>
  )
}
