import { departure } from '../../platform/changes/departures.ts'

/** A deleted person's own settings are deleted; the archives they made stay. */
export const scheduleDepartures = [departure({ of: 'users', holds: ['font_settings.user_id', 'pdf_archives.created_by'] })]
