/** Refusals in the terms of SCIM. */
import { Refusal, type RefusalCode } from '../../platform/errors/refusal.ts'
import type { ScimType } from '../../platform/http/scim.ts'

/** `detail` is for the directory's administrator, in English, as in all of SCIM. */
export const scimRefusal = (scimType: ScimType, detail: string, code: RefusalCode = 'validation_failed') =>
  new Refusal(code, { status: scimType === 'uniqueness' ? 409 : 400, body: { scimType, detail } })

export const refuseScim = (scimType: ScimType, detail: string, code?: RefusalCode): never => {
  throw scimRefusal(scimType, detail, code)
}
