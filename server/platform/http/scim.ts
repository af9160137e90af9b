/** SCIM (RFC 7644) has a media type and a shape of errors of its own, at all addresses below `/api/scim/v2`. */
import type { FastifyRequest } from 'fastify'
import { type Refusal, type RefusalCode, refusalStatus } from '../errors/refusal.ts'
import { refusalBody } from '../errors/refusal-body.ts'

export const SCIM = '/scim/v2'
const BELOW = new RegExp(`^/api${SCIM}(?:[/?]|$)`)
export const speaksScim = ({ url }: Pick<FastifyRequest, 'url'>) => BELOW.test(url)

export const SCIM_TYPE = 'application/scim+json; charset=utf-8'
export const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'

export const scimTypes = [
  'uniqueness',
  'invalidFilter',
  'invalidValue',
  'invalidSyntax',
  'invalidPath',
  'mutability',
  'noTarget',
  'tooMany',
] as const
export type ScimType = (typeof scimTypes)[number]

/** The usual `scimType` of a refusal that does not name one. */
const usual: Partial<Record<RefusalCode, ScimType>> = {
  validation_failed: 'invalidSyntax',
  username_taken: 'uniqueness',
  email_taken: 'uniqueness',
  name_taken: 'uniqueness',
  grants_admin: 'uniqueness',
}

/** A refusal in the shape of SCIM, with the portal's own fields. Its body may have a `scimType` and a `detail`. */
export function scimBody(refusal: Refusal) {
  const { scimType = usual[refusal.code], detail, ...body } = refusalBody(refusal) as Record<string, unknown> & { messageEn: string }
  return {
    schemas: [ERROR_SCHEMA],
    status: String(refusalStatus(refusal)),
    ...(scimType !== undefined && { scimType }),
    detail: detail ?? body.messageEn,
    ...body,
  }
}
