import { Type } from 'typebox'
import { findAdministrators } from '../../platform/auth/last-admin.ts'
import { kind } from '../../platform/changes/change-kind.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { Language } from '../../platform/tables.ts'
import { displayName, momentFor } from '../../platform/text.ts'
import { readSettings } from '../../site/settings/queries.ts'
import { findProgram } from './queries.ts'

const Token = {
  tokenId: Type.Integer(),
  tokenName: Type.String(),
  lastFour: Type.String(),
  username: Type.String(),
  /** Whether the token belongs to a service account. */
  ofService: Type.Optional(Type.Literal(true)),
}
const Moment = Type.String()
/** The party that ended the token: its owner, an administrator, or somebody who found it. */
const Ender = Type.Union([Type.Literal('owner'), Type.Literal('administrator'), Type.Literal('finder')])
const Newest = Type.Union([Type.Literal('made'), Type.Literal('found'), Type.Literal('ended'), Type.Literal('ends_soon')])

/** The notices of a person's token, and of a service account's. */
const templates = {
  made: ['token_made', 'service_token_made'],
  found: ['token_found', 'service_token_found'],
  ended: ['token_ended', 'service_token_ended'],
  ends_soon: ['token_ends_soon', 'service_token_ends_soon'],
} as const

/** An event of a token, which the token's owner is notified of. */
export interface News {
  targetId: number
  facts: { news: keyof typeof templates; name: string; lastFour: string; expiresAt: string }
}
/** The recipients of notices about a token: its person, or the contact of the service account and the administrators. */
export async function recipientsOf(tx: Tx, userId: number) {
  const program = await findProgram(tx, userId)
  return program ? [...new Set([...(await findAdministrators(tx)), program.contactUserId ?? []].flat())] : [userId]
}

/** The notice of an event, with its recipients. */
async function noticeOf(tx: Tx, { targetId, facts: { news, name, lastFour, expiresAt } }: News) {
  const { timeZone } = await readSettings(tx)
  const program = await findProgram(tx, targetId)
  const textsIn = (language: Language) => ({
    name,
    lastFour,
    until: momentFor(language, new Date(expiresAt), timeZone),
    account: program ? displayName(program, language) : '',
  })
  const recipients = await recipientsOf(tx, targetId)
  return { recipients, template: templates[news][program ? 1 : 0], params: { ar: textsIn('ar'), en: textsIn('en') } }
}

export const tokenChanges = {
  'token.created': kind({
    targetType: 'user',
    facts: Type.Object({ ...Token, scopes: Type.Array(Type.String()), expiresAt: Moment }),
    isSecurityEvent: true,
    audits: () => ({ action: 'token.create' }),
    emits: (_tx, { targetId }) => [{ event: 'security_changed', data: {}, to: [targetId] }],
  }),
  'token.revoked': kind({
    targetType: 'user',
    facts: Type.Object({ ...Token, by: Ender }),
    isSecurityEvent: true,
    audits: () => ({ action: 'token.revoke' }),
    emits: (_tx, { targetId }) => [{ event: 'security_changed', data: {}, to: [targetId] }],
  }),
  /**
   * Notifies the owner of a token, even of one made in their own session, because a thief may have made it. The author is therefore the
   * portal.
   */
  'token.announced': kind({
    targetType: 'user',
    facts: Type.Object({ news: Newest, name: Type.String(), lastFour: Type.String(), expiresAt: Moment }),
    isKept: false,
    audits: 'nothing',
    notifies: async (tx, change) => [{ ...(await noticeOf(tx, change)), type: 'system', relatedType: null, relatedId: null }],
    emits: 'nothing',
  }),
}
