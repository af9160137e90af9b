/** Archived days and their PDFs, made without a portal. */
import type { MeetingView } from '../server/work/meetings/meetings/shapes.ts'
import { DEFAULT_FONT } from '../server/work/meetings/schedules/rules.ts'
import type { DayContent } from '../server/work/meetings/schedules/shapes.ts'
import { typeset } from '../server/work/meetings/schedules/typesetting.ts'

const stamp = new Date('2026-11-21T15:00:00Z')
export const meeting = (fields: Partial<MeetingView> = {}): MeetingView => ({
  id: 1,
  date: '2026-11-22',
  startTime: '09:00',
  endTime: '10:15',
  titleAr: 'اجتماع',
  titleEn: 'A meeting',
  locationAr: null,
  locationEn: null,
  meetingUrl: null,
  notes: null,
  status: 'scheduled',
  isHighlighted: false,
  sortOrder: 0,
  attendees: [],
  createdBy: 1,
  createdAt: stamp,
  updatedAt: stamp,
  ...fields,
})
export const person = (name: string, title: string | null = null, kind: 'internal' | 'external' | 'virtual' = 'internal') => ({
  id: 1,
  name,
  title,
  kind,
  userId: null,
})
export const day = (language: 'ar' | 'en', meetings: MeetingView[], fields: Partial<DayContent> = {}): DayContent => ({
  date: '2026-11-22',
  language,
  siteNameAr: 'بوابة الأمانة',
  siteNameEn: 'The Portal',
  font: DEFAULT_FONT,
  meetings,
  ...fields,
})
/** The PDF from the typesetter. */
export async function print(content: DayContent, madeAt = '2026-11-21T15:00:00Z') {
  const { pieces, ...rest } = (await typeset(JSON.stringify({ content, madeAt })))!
  return { pdf: Buffer.concat(pieces), ...rest }
}

/** A day with every part that is printed. */
export const board = [
  meeting({
    titleAr: 'اجتماع اللجنة لمشروع Cloud Platform',
    titleEn: 'Cloud Platform committee',
    locationAr: 'القاعة الكبرى',
    locationEn: 'Main hall',
    notes: 'تقرير الربع الثالث\nThe third draft (v2).',
    isHighlighted: true,
    attendees: [person('خالد العتيبي', 'مدير المكتب'), person('John Smith', 'Acme (Partner)', 'external'), person('منى', null, 'virtual')],
  }),
  meeting({ startTime: '11:30', endTime: null, titleAr: null, titleEn: 'Budget review', meetingUrl: 'https://meet.example.org/j/7' }),
  meeting({ startTime: null, endTime: null, titleAr: 'زيارة الوفد', titleEn: null, status: 'cancelled' }),
  meeting({ startTime: '13:00', endTime: '14:00', titleAr: 'مقابلة', titleEn: 'Interview', status: 'postponed' }),
]
