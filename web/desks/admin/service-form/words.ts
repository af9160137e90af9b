import { isolated, listed } from '../../../platform/language.ts'
import { conditionInWords, nameOf, optionName } from '../shared/conditions/words.ts'
import type { Fields, FormField } from './model.ts'
import { t } from './texts.ts'

export const namesOf = (fields: Fields) => listed(fields.map((field) => isolated(t.quoted(nameOf(field)))))

/** A field in words, to compare two versions of a form. */
export const fieldInWords = (fields: Fields, field: FormField) =>
  [
    `${nameOf(field)} (${t.kinds[field.kind]}${field.required ? t.comma + t.required : ''})`,
    ...(field.options?.length ? [field.options.map(optionName).join(t.comma)] : []),
    ...field.when.map((condition, at) => conditionInWords(fields, condition, at, t.onlyIf)),
  ].join(' – ')
