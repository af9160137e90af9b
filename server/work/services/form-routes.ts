import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { changed, unchanged } from '../../platform/changes/outcome.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { IdParams, Int, Shape } from '../../platform/http/shape.ts'
import { addVersion, findForm, findKinds, findVersion } from '../service-forms/queries.ts'
import { NewForm, ServiceForm } from '../service-forms/shapes.ts'
import { checkReadBy } from './approval-steps.ts'
import { defineForm, versionAfter } from './form-definition.ts'
import { findHandling, findKnownService, lockServiceForChange } from './queries.ts'

export const readServiceForm = query('GET /services/:id/form', {
  summary: 'The form with which people order a service',
  description: 'Version 0 without fields where it has none. Administrators read former versions by `version`.',
  allow: 'signed-in',
  scope: 'services:read',
  record: ServiceForm,
  params: IdParams,
  query: Shape({ version: Type.Optional(Int) }),
  reply: ServiceForm,
  refuses: ['not_found', 'forbidden'],
  run: async ({ db, actor, params: { id }, query: { version } }) => {
    await findKnownService(db, id, actor)
    if (version === undefined) return findForm(db, id)
    if (!actor.isAdmin) refuse('forbidden')
    return (await findVersion(db, id, version)) ?? refuse('not_found')
  },
})

export const replaceServiceForm = command('PUT /services/:id/form', {
  summary: 'Replace the form with which people order a service',
  description:
    'It replaces the whole and makes a new version; the same fields again change nothing. Orders keep the version with which they were placed. A key keeps its kind for ever. At most 60 fields, 200 options in all, 64 KiB and 1,000 versions. Everyone gets `services_changed`.',
  allow: 'admin',
  scope: 'admin:write',
  record: ServiceForm,
  params: IdParams,
  body: NewForm,
  reply: ServiceForm,
  refuses: ['not_found', 'too_many_items'],
  run: async ({ tx, ifMatch, params: { id }, body }) => {
    await lockServiceForChange(tx, id)
    const before = await findForm(tx, id)
    await ifMatch(() => before)
    const fields = defineForm(body.fields, await findKinds(tx, id))
    if (isDeepStrictEqual(fields, before.fields)) return unchanged(before)
    checkReadBy((await findHandling(tx, id)).steps, fields)
    const version = versionAfter(before.version)
    await addVersion(tx, id, { version, fields })
    const keysOf = (some: typeof fields) => some.map(({ key }) => key)
    const [keys, keysBefore] = [keysOf(fields), keysOf(before.fields)]
    const facts = {
      version,
      addedKeys: keys.filter((key) => !keysBefore.includes(key)),
      removedKeys: keysBefore.filter((key) => !keys.includes(key)),
    }
    return changed(await findForm(tx, id), { kind: 'service.form_changed', targetId: id, facts })
  },
})
