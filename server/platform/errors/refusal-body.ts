/** The texts and the body of a refusal. */
import { type Refusal, type RefusalCode, type RefusalExtras, refusals } from './refusal.ts'

/** The `error` texts that the specification fixes; everywhere else `error` is the English sentence. */
const fixedErrors: Partial<Record<RefusalCode, string>> = {
  unauthorized: 'Unauthorized',
  forbidden: 'Forbidden',
  foreign_origin: 'Forbidden',
  system_role_permissions: 'system_role_permissions',
  already_claimed: 'already_claimed',
  undo_window_expired: 'undo_window_expired',
}

const MOST_NAMED = 20

const isJsonAlone = (takes: string[]) => takes.length === 1 && takes[0] === 'application/json'

/** The texts of a refusal. They name the first 20 unknown ids, and the media types that are possible, unless these are JSON alone. */
function textsOf(code: RefusalCode, { body, takes, gives }: RefusalExtras): readonly [number, string, string] {
  if (takes && !isJsonAlone(takes))
    return [415, `Only ${takes.join(' or ')} is accepted.`, `لا تُقبل البيانات إلا بصيغة ${takes.join(' أو ')}.`]
  if (gives) return [406, `This is available only as ${gives.join(' or ')}.`, `لا يتوفر هذا إلا بصيغة ${gives.join(' أو ')}.`]
  const ids = body?.['unknownIds']
  if (code !== 'unknown_ids' || !Array.isArray(ids) || ids.length === 0) return refusals[code]
  const named = ids.slice(0, MOST_NAMED)
  const more = ids.length > MOST_NAMED ? ', …' : ''
  return [400, `These ids do not exist: ${named.join(', ')}${more}.`, `المعرّفات الآتية غير موجودة: ${named.join('، ')}${more && '، …'}.`]
}

export function refusalBody({ code, extras }: Refusal) {
  const [, en, ar] = textsOf(code, extras)
  return { error: fixedErrors[code] ?? en, code, messageAr: ar, messageEn: en, ...extras.body }
}
