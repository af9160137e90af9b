import type { Schemas } from '../../../platform/client.ts'

/**
 * The title of `reset_asked` in `server/lists/notices/notices.ts`. Nothing else distinguishes this notice from other notices about a
 * person.
 */
const TITLE = 'Password reset requested'

/** Whether the notification says that a person who still exists has forgotten their password. */
export const asksForLink = ({ relatedId, titleEn }: Pick<Schemas['Notification'], 'relatedId' | 'titleEn'>) =>
  relatedId !== null && titleEn === TITLE
