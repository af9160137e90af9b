import { requireInAdministration } from '../../platform/auth/confirmation.ts'
import { changedFields } from '../../platform/changes/change-kind.ts'
import { changed, unchanged } from '../../platform/changes/outcome.ts'
import { refuseField } from '../../platform/errors/refusal.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { lockSettings, readSettings, saveSettings } from './queries.ts'
import { AppSettings, SettingsEdit, TimeZones } from './shapes.ts'
import { isTimeZone, listTimeZones } from './time-zones.ts'

export const showSettings = query('GET /settings', {
  summary: 'The name and the footer of the portal, and whether registration is open',
  description: 'The sign-in page shows them, too.',
  allow: 'anyone',
  scope: 'settings:read',
  record: AppSettings,
  reply: AppSettings,
  run: ({ db }) => readSettings(db),
})

export const showTimeZones = query('GET /settings/time-zones', {
  summary: 'The time zones that the office can be in',
  allow: 'admin',
  scope: 'admin:read',
  reply: TimeZones,
  run: async ({ db }) => ({ names: await listTimeZones(db) }),
})

const currencies = new Set(Intl.supportedValuesOf('currency'))
/** Refuses an unknown currency. */
function checkCurrency(currency: string | null) {
  if (currency !== null && !currencies.has(currency)) refuseField('currency', 'pattern', { form: 'currency' })
}

/** The target id of the settings, which have a single row. */
const THE_SETTINGS = 1

export const changeSettings = command('PATCH /settings', {
  summary: 'Change the settings',
  description: 'Omitted fields do not change.',
  allow: 'admin',
  scope: 'admin:write',
  record: AppSettings,
  body: SettingsEdit,
  reply: AppSettings,
  run: async ({ tx, session, ifMatch, body }) => {
    if (body.timeZone !== undefined && !(await isTimeZone(tx, body.timeZone))) refuseField('timeZone', 'pattern', { form: 'timeZone' })
    if (body.currency !== undefined) checkCurrency(body.currency)
    const before = await lockSettings(tx)
    await ifMatch(() => before)
    const differences = changedFields(before, body)
    if (Object.keys(differences).length === 0) return unchanged(before)
    if ('registrationOpen' in differences) await requireInAdministration(tx, session)
    return changed(await saveSettings(tx, body), { kind: 'settings.updated', targetId: THE_SETTINGS, facts: { changed: differences } })
  },
})
