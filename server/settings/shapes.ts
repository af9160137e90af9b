import { Type } from 'typebox'
import { Line, PartialShape, Shape, Timestamp } from '../platform/http/shape.ts'

export const AppSettings = Shape({
  siteNameAr: Type.String(),
  siteNameEn: Type.String(),
  registrationOpen: Type.Boolean(),
  footerTextAr: Type.String(),
  footerTextEn: Type.String(),
  updatedAt: Type.Optional(Timestamp),
})

const SiteName = Line({ min: 1, max: 200 })
const FooterText = Line({ min: 1, max: 300 })
export const SettingsEdit = PartialShape({
  siteNameAr: SiteName,
  siteNameEn: SiteName,
  registrationOpen: Type.Boolean({ description: 'Whether people may create accounts for themselves.' }),
  footerTextAr: FooterText,
  footerTextEn: FooterText,
})
