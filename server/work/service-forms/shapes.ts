import { Type } from 'typebox'
import { Count, Line, Name, Named, Nullable, OneOf, PartialShape, Shape, Text, Timestamp } from '../../platform/http/shape.ts'
import { type Condition, kinds, LARGEST, operators } from './rules.ts'

const KEY = '[a-z][a-z0-9_]{0,31}'
export const Key = Type.String({ pattern: `^${KEY}$`, form: 'fieldKey', maxLength: 32 })
/** An option of a field, such as `drink.tea`. */
export const OptionName = Type.String({ pattern: `^${KEY}\\.${KEY}$`, form: 'offOption', maxLength: 65 })

const Label = Nullable(Name({ max: 200, clears: true }))
const Hint = Nullable(Text({ max: 500, clears: true }))
const Unit = Nullable(Line({ max: 40, clears: true }))
const LongText = Nullable(Text({ max: 2000, clears: true }))
const Bound = Nullable(Type.Number({ minimum: -LARGEST, maximum: LARGEST }))
const Days = Nullable(Type.Integer({ minimum: -36_500, maximum: 36_500 }))
const ofKind = (what: string, kind: string) => ({ description: `${what}; of \`${kind}\`` })

const Value = Type.Unsafe<Condition['value']>({
  anyOf: [
    { type: 'array', items: { type: ['string', 'boolean'], maxLength: 32 }, minItems: 1, maxItems: 100 },
    { type: 'number', minimum: -LARGEST, maximum: LARGEST },
  ],
  description: 'Keys of options, or true and false, for `any` and `none`; a number for the others',
})
const NewOption = Shape({
  key: Key,
  ar: Type.Optional(Label),
  en: Type.Optional(Label),
  most: Type.Optional(Type.Integer({ minimum: 1, maximum: 999, description: 'Of `items`: how many of it, 99 if omitted' })),
})
const Kind = OneOf(kinds)
const Op = OneOf(operators)
/** More fields than a form may have, so that the refusal can name the limit. */
const FIELDS_SENT = 200
const exampleField = { key: 'drink', kind: 'choice' as const, labelEn: 'Which drink?', options: [{ key: 'tea', en: 'Tea' }], when: [] }

const settings = {
  maxLength: Type.Integer({ minimum: 1, maximum: 4000, description: 'Of `text`, at most 500, and of `paragraph`' }),
  pattern: OneOf(['any', 'email', 'phone', 'url'], ofKind('What it looks like', 'text')),
  min: Bound,
  max: Bound,
  decimals: Type.Integer({ minimum: 0, maximum: 4, ...ofKind('Decimal places', 'number') }),
  unitAr: Unit,
  unitEn: Unit,
  options: Type.Array(NewOption, { maxItems: 100, description: 'Of `choice`, `choices` and `items`' }),
  least: Nullable(Type.Integer({ minimum: 1, maximum: 100, ...ofKind('How many at least', 'choices') })),
  most: Nullable(Type.Integer({ minimum: 1, maximum: 100, description: 'How many at most; of `choices` and `files`, there at most 5' })),
  mostTotal: Nullable(Type.Integer({ minimum: 1, maximum: 99_900, ...ofKind('How many in all', 'items') })),
  mustBeYes: Type.Boolean(ofKind('Only yes will do', 'yes_no')),
  earliestDays: Days,
  latestDays: Days,
  leadMinutes: Type.Integer({ minimum: 0, maximum: 28_800, ...ofKind('Working minutes from now at least', 'wanted_at') }),
  maxDays: Type.Integer({ minimum: 1, maximum: 366, ...ofKind('Days ahead at most', 'wanted_at') }),
  withinHours: Type.Boolean(ofKind('Only while the team works', 'wanted_at')),
  types: OneOf(['any', 'images', 'pdf'], ofKind('Which files', 'files')),
  textAr: LongText,
  textEn: LongText,
}
const NewCondition = Named('NewFormCondition', Shape({ field: Key, op: Op, value: Value }))
export const NewConditions = (description: string) => Type.Array(NewCondition, { maxItems: 3, description })
const NewField = Named(
  'NewFormField',
  Shape({
    key: Key,
    kind: Kind,
    ...PartialShape({ labelAr: Label, labelEn: Label, hintAr: Hint, hintEn: Hint, required: Type.Boolean({ default: false }) }).properties,
    when: Type.Optional(NewConditions('All must hold for the field to be visible.')),
    ...PartialShape(settings).properties,
  }),
  exampleField,
)
export const NewForm = Named('NewServiceForm', Shape({ fields: Type.Array(NewField, { maxItems: FIELDS_SENT }) }), {
  fields: [exampleField],
})

const Words = Nullable(Type.String())
const NumberOrNull = Nullable(Type.Number())
const Option = Named('FormOption', Shape({ key: Type.String(), ar: Words, en: Words, most: Type.Optional(Count) }), {
  key: 'tea',
  en: 'Tea',
})
export const Conditions = Type.Array(
  Named('FormCondition', Shape({ field: Type.String(), op: Op, value: Value }), { field: 'drink', op: 'any', value: ['tea'] }),
)
const FormField = Named(
  'FormField',
  Shape({
    key: Type.String(),
    kind: Kind,
    labelAr: Words,
    labelEn: Words,
    hintAr: Words,
    hintEn: Words,
    required: Type.Boolean(),
    when: Conditions,
    ...PartialShape({
      maxLength: Count,
      pattern: settings.pattern,
      min: NumberOrNull,
      max: NumberOrNull,
      decimals: Count,
      unitAr: Words,
      unitEn: Words,
      options: Type.Array(Option),
      least: Nullable(Count),
      most: Nullable(Count),
      mostTotal: Nullable(Count),
      mustBeYes: Type.Boolean(),
      earliestDays: NumberOrNull,
      latestDays: NumberOrNull,
      leadMinutes: Count,
      maxDays: Count,
      withinHours: Type.Boolean(),
      types: settings.types,
      textAr: Words,
      textEn: Words,
    }).properties,
  }),
  { key: 'drink', kind: 'choice', labelEn: 'Which drink?', options: [{ key: 'tea', ar: null, en: 'Tea' }], when: [] },
)
export const FormFields = Type.Array(FormField, { description: 'Each has the settings of its kind.' })
export const ServiceForm = Named(
  'ServiceForm',
  Shape({
    version: Type.Integer({ minimum: 0, description: '0 where the service has no form' }),
    fields: FormFields,
    updatedAt: Nullable(Timestamp),
  }),
  { version: 2, updatedAt: '2026-03-01T08:30:00.000Z' },
)
