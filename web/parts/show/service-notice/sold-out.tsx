import { inLanguage, isolated } from '../../../platform/language.ts'
import { Switch } from '../../forms/switch.tsx'
import { attempt } from '../failures.ts'
import { Loaded } from '../skeleton.tsx'
import { formOf, markSoldOut, noticeOf } from './data.ts'
import { t } from './texts.ts'

type Form = NonNullable<ReturnType<typeof formOf>['data']>

/** The options of a service's form, each with a switch that takes effect at once. Renders nothing if the form has no options. */
export function SoldOut({ id }: { id: number }) {
  return <Loaded of={formOf(id)}>{({ fields }) => <Options id={id} fields={fields} />}</Loaded>
}

function Options({ id, fields }: { id: number; fields: Form['fields'] }) {
  const off = noticeOf(id).data?.offOptions ?? []
  const choices = fields.filter(({ options = [] }) => options.length > 0)
  if (choices.length === 0) return <p class="quiet">{t.noOptions}</p>
  return (
    <div class="service-notice-options">
      <p class="quiet small">{t.soldOutHint}</p>
      {choices.map(({ key, labelAr, labelEn, options = [] }) => {
        const name = inLanguage(labelAr, labelEn)
        return (
          <div key={key} role="group" aria-label={name}>
            <p>
              <bdi>{name}</bdi>
            </p>
            {options.map((option) => {
              const one = `${key}.${option.key}`
              return (
                <Switch
                  key={one}
                  label={t.soldOutOf(isolated(inLanguage(option.ar, option.en)))}
                  on={off.includes(one)}
                  change={(isOff) => attempt(markSoldOut(id, one, isOff))}
                />
              )
            })}
          </div>
        )
      })}
    </div>
  )
}
