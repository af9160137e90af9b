import { Type } from 'typebox'
import { Line, Name, Named, Nullable, PartialShape, Shape, Timestamp } from '../../platform/http/shape.ts'
import { ZONE } from './time-zones.ts'

export const AppSettings = Named(
  'AppSettings',
  Shape({
    siteNameAr: Type.String(),
    siteNameEn: Type.String(),
    registrationOpen: Type.Boolean(),
    footerTextAr: Type.String(),
    footerTextEn: Type.String(),
    timeZone: Type.String({
      description: 'The office’s time zone as an IANA name: mails give times in it, and the times of meetings are local to it.',
    }),
    currency: Nullable(Type.String({ description: 'The currency of prices, as an ISO 4217 code; null shows prices as written.' })),
    updatedAt: Type.Optional(Timestamp),
  }),
  {
    siteNameAr: 'بوابة',
    siteNameEn: 'Bawaba',
    footerTextAr: 'البوابة الداخلية',
    footerTextEn: 'The internal portal',
    timeZone: 'Asia/Riyadh',
    currency: 'SAR',
  },
)

const SiteName = Name({ min: 1, max: 200 })
const FooterText = Line({ min: 1, max: 300 })
export const SettingsEdit = Named(
  'AppSettingsChanges',
  PartialShape({
    siteNameAr: SiteName,
    siteNameEn: SiteName,
    registrationOpen: Type.Boolean({ description: 'Whether people may create their own accounts.' }),
    footerTextAr: FooterText,
    footerTextEn: FooterText,
    timeZone: Type.String({
      pattern: ZONE,
      form: 'timeZone',
      maxLength: 100,
      description: 'An IANA name such as `Asia/Riyadh`: one of `GET /settings/time-zones`.',
    }),
    currency: Nullable(Type.String({ pattern: '^[A-Z]{3}$', form: 'currency', description: 'An ISO 4217 code such as `SAR`, or null.' })),
  }),
  { siteNameEn: 'Bawaba', registrationOpen: false },
)

export const TimeZones = Named('TimeZones', Shape({ names: Type.Array(Type.String()) }), { names: ['Africa/Cairo', 'Asia/Riyadh', 'UTC'] })

export const settingsEvents = {
  /** Sent to everyone. */
  settings_changed: Shape({}),
}
