import type { Choice } from './data.ts'
import { t } from './texts.ts'

type Area = keyof typeof t.areas
type Type = keyof typeof t.types
const areas = Object.keys(t.areas) as Area[]
const typesOf = (area: Area) => (Object.keys(t.types) as Type[]).filter((type) => type.startsWith(`${area}.`))
const wholeOf = <A extends Area>(area: A): `${A}.*` => `${area}.*`

interface Props {
  value: readonly Choice[]
  error?: string | undefined
  change: (types: Choice[]) => void
}

/** Chooses the types of messages that a webhook gets: whole areas, or some types of an area. */
export const TypesField = ({ value, error, change }: Props) => (
  <fieldset class="webhooks-types" aria-describedby="webhook-types-wrong" aria-invalid={error ? true : undefined}>
    <legend>{t.tells}</legend>
    <p id="webhook-types-wrong" class="error small" role="alert">
      {error}
    </p>
    <div class="webhooks-areas">
      {areas.map((area) => (
        <AreaChoice key={area} area={area} value={value} change={change} />
      ))}
    </div>
  </fieldset>
)

function AreaChoice({ area, value, change }: Omit<Props, 'error'> & { area: Area }) {
  const all: Choice = wholeOf(area)
  const isWhole = value.includes(all)
  const types = typesOf(area)
  const chosen = types.filter((type) => value.includes(type))
  const others = value.filter((one) => one !== all && !types.some((type) => type === one))
  return (
    <div class="webhooks-area">
      <label class="webhooks-choice">
        <input type="checkbox" checked={isWhole} onChange={(event) => change(event.currentTarget.checked ? [...others, all] : others)} />
        {t.areas[area]}
      </label>
      {!isWhole && types.length > 1 && (
        <details open={chosen.length > 0}>
          <summary class="small">
            {t.onlySome} <span class="unseen">{t.areas[area]}</span>
          </summary>
          {types.map((type) => (
            <label key={type} class="webhooks-choice">
              <input
                type="checkbox"
                checked={value.includes(type)}
                onChange={(event) => change(event.currentTarget.checked ? [...value, type] : value.filter((one) => one !== type))}
              />
              {t.types[type]}
            </label>
          ))}
        </details>
      )}
    </div>
  )
}
