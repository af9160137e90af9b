import { useSignal } from '@preact/signals'
import { kinds } from '../../../../server/work/service-forms/rules.ts'
import { TextField } from '../../../parts/forms/field.tsx'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { language } from '../../../platform/language.ts'
import type { Fields, Kind } from './model.ts'
import { t } from './texts.ts'

interface AddingProps {
  fields: Fields
  close: () => void
  add: (kind: Kind, words: { ar: string; en: string }) => void
}

/** Asks for the kind and the label of a new field, and for nothing else. */
export function Adding({ fields, close, add }: AddingProps) {
  const kind = useSignal<Kind>('text')
  const words = useSignal({ ar: '', en: '' })
  const isTold = useSignal(false)
  const isText = kind.value === 'info'
  const sides = language.value === 'ar' ? (['ar', 'en'] as const) : (['en', 'ar'] as const)
  const isEmpty = !words.value.ar.trim() && !words.value.en.trim()
  const labels = isText ? { ar: t.textAr, en: t.textEn } : { ar: t.labelAr, en: t.labelEn }
  /** The kinds to choose from. Only one field of a form can ask when the order is wanted. */
  const offered = kinds.filter((one) => one !== 'wanted_at' || !fields.some((field) => field.kind === one))
  return (
    <Dialog title={t.addTitle} close={close} class="service-form-adding">
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          isTold.value = isEmpty
          if (isEmpty) event.currentTarget.querySelector<HTMLElement>('.field input')?.focus()
          else add(kind.value, words.value)
        }}
      >
        <fieldset class="service-form-kinds">
          <legend>{t.kind}</legend>
          {offered.map((one) => (
            <label key={one}>
              <input type="radio" name="kind" checked={kind.value === one} onChange={() => (kind.value = one)} />
              {t.kinds[one]}
            </label>
          ))}
        </fieldset>
        <div class="form-pair">
          {sides.map((side, at) => (
            <TextField
              key={side}
              label={labels[side]}
              {...(at === 1 && { hint: t.oneIsEnough })}
              error={at === 0 && isTold.value && isEmpty ? t.labelNeeded : undefined}
              maxLength={isText ? 2000 : 200}
              autocomplete="off"
              dir={side === 'ar' ? 'rtl' : 'ltr'}
              value={words.value[side]}
              onInput={(event) => {
                words.value = { ...words.value, [side]: event.currentTarget.value }
              }}
            />
          ))}
        </div>
        <Button kind="main" type="submit" icon="plus">
          {t.addIt}
        </Button>
      </form>
    </Dialog>
  )
}
