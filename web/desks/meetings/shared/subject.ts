import type { Schemas } from '../../../platform/client.ts'
import { inLanguage } from '../../../platform/language.ts'

/** The name of the meeting that a request is about or proposes. */
export const subjectOf = ({ details, meeting }: Pick<Schemas['MeetingRequest'], 'details' | 'meeting'>) =>
  meeting
    ? inLanguage(meeting.titleAr, meeting.titleEn)
    : inLanguage(details['titleAr'] as string | undefined, details['titleEn'] as string | undefined)
