import type { Schemas } from '../../platform/client.ts'

/** The title of `reset_asked` in `server/lists/notices/notices.ts`. Nothing else tells the notice from others about a person. */
const TITLE = 'Password reset requested'

/** Whether somebody who still exists asks the administrators for a new password. */
export const asksForLink = ({ relatedId, titleEn }: Pick<Schemas['Notification'], 'relatedId' | 'titleEn'>) =>
  relatedId !== null && titleEn === TITLE
