/** Refusals as SCIM reports them. */
import { Refusal, type RefusalCode } from '../../platform/errors/refusal.ts'
import type { ScimType } from '../../platform/http/scim.ts'

/** `detail` is for the directory's administrator, in English, as in all of SCIM. `about` is the account that the refusal is about. */
export const scimRefusal = (scimType: ScimType, detail: string, code: RefusalCode = 'validation_failed', about?: number) =>
  new Refusal(code, { status: scimType === 'uniqueness' ? 409 : 400, body: { scimType, detail }, ...(about && { about }) })

export const refuseScim = (scimType: ScimType, detail: string, code?: RefusalCode): never => {
  throw scimRefusal(scimType, detail, code)
}

/** Refuses to leave a required attribute without a value; to remove it is `mutability` (RFC 7644, 3.5.2.2). */
export const refuseMissing = (op: string, name: string) =>
  refuseScim(op === 'remove' ? 'mutability' : 'invalidValue', `${name} is required.`)
