import { unchanged } from '../../platform/changes/outcome.ts'
import { command } from '../../platform/http/endpoint.ts'
import { IdParams } from '../../platform/http/shape.ts'
import { checkReturnTo } from './addresses.ts'
import { findActive, findById } from './queries.ts'
import { GoTo, Return, SlugParams, Start } from './shapes.ts'
import { begin } from './starting.ts'

export const startSignIn = command('POST /auth/oidc/:slug/start', {
  summary: 'Begin to sign in with a provider',
  description:
    'Answers with the address to which the browser goes next. Nothing is stored but a cookie, `portal_sso`, of which the browser may have five; an attempt lasts 10 minutes.',
  allow: 'anyone',
  params: SlugParams,
  body: Start,
  reply: GoTo,
  refuses: ['not_found', 'unavailable', 'secrets_not_configured'],
  prepare: async ({ db, params: { slug }, body: { loginHint, returnTo }, ...call }) => {
    const attempt = { purpose: 'sign_in', returnTo: checkReturnTo(returnTo), session: null } as const
    return begin(await findActive(db, slug), { ...attempt, loginHint }, call)
  },
  run: async ({ prepared, request, cookie }) => unchanged({ url: prepared.goTo(request, cookie) }),
})

export const startLinking = command('POST /auth/me/identities/:slug/start', {
  summary: 'Begin to connect one’s account with a provider',
  description: 'The callback leads to `returnTo`, by default `/account/security`, with `failed` in its query if it does not work.',
  allow: 'signed-in',
  confirm: 'person',
  params: SlugParams,
  body: Return,
  reply: GoTo,
  refuses: ['not_found', 'unavailable', 'secrets_not_configured'],
  prepare: async ({ db, params: { slug }, body: { returnTo }, ...call }) =>
    begin(await findActive(db, slug), { purpose: 'link', returnTo: checkReturnTo(returnTo), session: call.request.sessionToken }, call),
  run: async ({ prepared, request, cookie }) => unchanged({ url: prepared.goTo(request, cookie) }),
})

export const startConfirming = command('POST /auth/me/confirm/:slug', {
  summary: 'Begin to prove who one is with a provider',
  description:
    'The provider is told to ask for the person’s presence. The identity must be the caller’s own. The callback leads to `returnTo`, by default `/account/security`, with `failed` in its query if it does not work.',
  allow: 'signed-in',
  params: SlugParams,
  body: Return,
  reply: GoTo,
  refuses: ['not_found', 'unavailable', 'secrets_not_configured'],
  prepare: async ({ db, params: { slug }, body: { returnTo }, ...call }) => {
    const attempt = { purpose: 'confirm', returnTo: checkReturnTo(returnTo), session: call.request.sessionToken, isFresh: true } as const
    return begin(await findActive(db, slug), attempt, call)
  },
  run: async ({ prepared, request, cookie }) => unchanged({ url: prepared.goTo(request, cookie) }),
})

export const startTrying = command('POST /admin/sign-in/providers/:id/try', {
  summary: 'Begin to try a provider, active or not',
  description: 'The callback leads to `/admin/sign-in?tried=<slug>`, and writes nothing of people, identities, groups and sessions.',
  allow: 'admin',
  confirm: 'person',
  params: IdParams,
  reply: GoTo,
  refuses: ['not_found', 'unavailable', 'secrets_not_configured'],
  prepare: async ({ db, params: { id }, ...call }) =>
    begin(await findById(db, id), { purpose: 'try', returnTo: null, session: call.request.sessionToken, isFresh: false }, call),
  run: async ({ prepared, request, cookie }) => unchanged({ url: prepared.goTo(request, cookie) }),
})
