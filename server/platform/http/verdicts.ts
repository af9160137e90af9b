/** Verdicts on the items of one call: a refused item does not keep the rest from being done. */
import { Type } from 'typebox'
import { type Detail, fieldRules } from '../errors/field-errors.ts'
import { Refusal, type RefusalCode, refusals } from '../errors/refusal.ts'
import { refusalBody } from '../errors/refusal-body.ts'
import { Named, OneOf, Shape } from './shape.ts'

export const RefusalCodes = Named(
  'RefusalCode',
  OneOf(Object.keys(refusals) as RefusalCode[], { description: 'The reason for the refusal; stable, for programs.' }),
)

export const FieldErrors = Type.Array(
  Named(
    'FieldError',
    Shape({
      path: Type.String({ description: 'The field in dotted form, such as `keys.auth`; empty for the whole body.' }),
      rule: Named('FieldRule', OneOf(fieldRules, { description: 'The rule that the field breaks; stable, for programs.' })),
      params: Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'The bounds of the rule, such as `limit`, or the `form` that a text must have.',
      }),
      message: Type.String({ description: 'The same as `messageEn`.' }),
      messageAr: Type.String({ description: 'A sentence to show beside the field, in Arabic.' }),
      messageEn: Type.String({ description: 'The same in English.' }),
    }),
  ),
  { description: 'The failing fields, at most 50.' },
)

export const verdictFields = {
  code: RefusalCodes,
  messageAr: Type.String(),
  messageEn: Type.String(),
  details: Type.Optional(FieldErrors),
}

/** The result of one item, or its refusal. */
export async function judged<R>(act: () => R | Promise<R>): Promise<R | Refusal> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

export function verdictOf(refusal: Refusal) {
  const { code, messageAr, messageEn, details } = refusalBody(refusal) as ReturnType<typeof refusalBody> & { details?: Detail[] }
  return { code, messageAr, messageEn, ...(details && { details }) }
}
