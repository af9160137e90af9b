import { departure } from '../../platform/changes/departures.ts'

/** Someone's own settings go with them; the archives they made stay. */
export const scheduleDepartures = [departure({ of: 'users', holds: ['font_settings.user_id', 'pdf_archives.created_by'] })]
