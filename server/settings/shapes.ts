import { Type } from 'typebox'
import { Line, Name, Named, PartialShape, Shape, Timestamp } from '../platform/http/shape.ts'

export const AppSettings = Named(
  'AppSettings',
  Shape({
    siteNameAr: Type.String(),
    siteNameEn: Type.String(),
    registrationOpen: Type.Boolean(),
    footerTextAr: Type.String(),
    footerTextEn: Type.String(),
    updatedAt: Type.Optional(Timestamp),
  }),
  { siteNameAr: 'بوابة', siteNameEn: 'Bawaba', footerTextAr: 'البوابة الداخلية', footerTextEn: 'The internal portal' },
)

const SiteName = Name({ min: 1, max: 200 })
const FooterText = Line({ min: 1, max: 300 })
export const SettingsEdit = Named(
  'AppSettingsChanges',
  PartialShape({
    siteNameAr: SiteName,
    siteNameEn: SiteName,
    registrationOpen: Type.Boolean({ description: 'Whether people may create accounts for themselves.' }),
    footerTextAr: FooterText,
    footerTextEn: FooterText,
  }),
  { siteNameEn: 'Bawaba', registrationOpen: false },
)

export const settingsEvents = {
  /** To everyone. */
  settings_changed: Shape({}),
}
