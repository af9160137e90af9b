import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { lockPerson, setFields } from '../../people/users/queries.ts'
import { guardBreakGlass } from '../../platform/auth/break-glass.ts'
import { meansOf } from '../../platform/auth/confirmation.ts'
import { changed, unchanged } from '../../platform/changes/outcome.ts'
import { quotaExceeded, refuse } from '../../platform/errors/refusal.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { IdParams, Nothing } from '../../platform/http/shape.ts'
import { displayName } from '../../platform/text.ts'
import { readSettings } from '../../site/settings/queries.ts'
import { CHALLENGE_MS, challengeFor, keepChallenge, useChallenge } from './challenges.ts'
import { afterRemoval, withFactor } from './enrol.ts'
import {
  addPasskey,
  listCredentials,
  listPasskeys,
  lockPasskey,
  readFactors,
  readPasskeyOwner,
  removeFactors,
  setPasskey,
} from './queries.ts'
import { knownTransports, MOST_PASSKEYS, ownShare } from './rules.ts'
import { AddedPasskey, CreationOptions, NewPasskey, Passkey, PasskeyRename } from './shapes.ts'
import { ALGORITHMS, rpIdOf, verifyAttestation } from './webauthn.ts'

const HANDLE_BYTES = 32
const wrong = () => refuse('invalid_factor', { status: 400 })

export const requestNewPasskey = command('POST /auth/me/passkeys/options', {
  cookies: 'challenge',
  summary: 'Options with which a browser makes a passkey',
  description:
    'The challenge is kept in the cookie `portal_challenge`, for five minutes, this session and one use; a browser keeps those of five tabs.',
  allow: 'signed-in',
  confirm: 'person',
  reply: CreationOptions,
  run: async ({ tx, actor, session, config, request, cookie }) => {
    const person = await readPasskeyOwner(tx, actor.id)
    const handle = (person.handle ?? randomBytes(HANDLE_BYTES)).toString('base64url')
    const { siteNameAr, siteNameEn } = await readSettings(tx)
    const challenge = keepChallenge({ request, cookie }, { purpose: 'enrol', sessionId: session.id, userId: actor.id, handle })
    const options = {
      challenge,
      rp: { id: rpIdOf(config), name: actor.language === 'ar' ? siteNameAr : siteNameEn },
      user: { id: handle, name: person.username, displayName: displayName(person, actor.language) },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
      timeout: CHALLENGE_MS,
      excludeCredentials: await listCredentials(tx, actor.id),
      authenticatorSelection: { residentKey: 'required' as const, requireResidentKey: true, userVerification: 'required' as const },
      attestation: 'none' as const,
    }
    return unchanged({ options })
  },
})

export const createPasskey = command('POST /auth/me/passkeys', {
  summary: 'Add a passkey that the browser made',
  description: 'The session counts as one with two factors from then on. The first factor comes with recovery codes.',
  allow: 'signed-in',
  confirm: 'person',
  locks: 'caller',
  body: NewPasskey,
  reply: AddedPasskey,
  status: 201,
  refuses: [{ code: 'invalid_factor', status: 400 }, 'quota_exceeded'],
  prepare: async ({ body: { attestation }, actor, session, config, request }) => {
    const challenge = challengeFor(request, 'enrol', { sessionId: session.id, userId: actor.id }, attestation) ?? wrong()
    const made = (await verifyAttestation(attestation, config, challenge.challenge)) ?? wrong()
    return { challenge, made: { ...made, transports: knownTransports.filter((one) => attestation.response.transports?.includes(one)) } }
  },
  run: async ({ tx, actor, session, body: { name }, prepared: { challenge, made }, request, cookie }) => {
    const { handle } = await lockPerson(tx, actor.id)
    const { passkeyCount } = await readFactors(tx, actor.id)
    if (passkeyCount >= MOST_PASSKEYS) throw quotaExceeded({ quota: 'passkeys', used: passkeyCount, allowed: MOST_PASSKEYS })
    if (!(await useChallenge(tx, challenge, { request, cookie }))) wrong()
    // Two tabs may have begun the first passkey with different user handles; the first one to arrive decides.
    if (handle && handle.toString('base64url') !== challenge.handle) wrong()
    if (!handle) await setFields(tx, actor.id, { handle: Buffer.from(challenge.handle!, 'base64url') })
    const { added: passkey, recoveryCodes } = await withFactor(
      tx,
      { userId: actor.id, sessionId: session.id },
      async () => (await addPasskey(tx, actor.id, { name, ...made })) ?? wrong(),
    )
    const facts = { factor: 'passkey', name } as const
    return changed({ ...passkey, recoveryCodes }, { kind: 'factor.added', targetId: actor.id, facts })
  },
})

export const listMyPasskeys = query('GET /auth/me/passkeys', {
  summary: 'The caller’s passkeys, the oldest first',
  allow: 'signed-in',
  reply: Type.Array(Passkey),
  run: ({ db, actor }) => listPasskeys(db, actor.id),
})

export const renamePasskey = command('PATCH /auth/me/passkeys/:id', {
  summary: 'Rename a passkey',
  allow: 'signed-in',
  params: IdParams,
  body: PasskeyRename,
  reply: Passkey,
  refuses: ['not_found', 'rate_limited'],
  limits: ({ actor }) => [ownShare('passkey_names', actor.id)],
  run: async ({ tx, actor, params: { id }, body: { name } }) => {
    const { counter: _, ...passkey } = (await lockPasskey(tx, actor.id, id)) ?? refuse('not_found')
    if (passkey.name === name) return unchanged(passkey)
    const facts = { changed: { name: { from: passkey.name, to: name } } }
    return changed(await setPasskey(tx, id, { name }), { kind: 'passkey.renamed', targetId: actor.id, facts })
  },
})

export const removePasskey = command('DELETE /auth/me/passkeys/:id', {
  summary: 'Remove a passkey',
  description: 'Somebody who could not sign in without it keeps it. With the last factor, the recovery codes are gone.',
  allow: 'signed-in',
  confirm: 'person',
  locks: 'caller',
  params: IdParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found', 'last_sign_in_method', 'last_break_glass'],
  run: async ({ tx, actor, params }) => {
    await lockPerson(tx, actor.id)
    const keepBreakGlass = await guardBreakGlass(tx)
    const [removed] = await removeFactors(tx, actor.id, { kind: 'passkey', passkeyId: params.id })
    if (!removed) return refuse('not_found')
    const { hasPassword, isOpen, hasIdentity, methods } = await meansOf(tx, actor.id)
    if (!(hasPassword && isOpen) && !methods.includes('passkey') && !hasIdentity) refuse('last_sign_in_method')
    await afterRemoval(tx, actor.id)
    await keepBreakGlass()
    return changed(null, { kind: 'factor.removed', targetId: actor.id, facts: removed })
  },
})
