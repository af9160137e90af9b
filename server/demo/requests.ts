/** Requests to the executive office, and the decisions on them. */

type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>

const DAY_MS = 24 * 3600 * 1000
const WEEKEND = [5, 6]
/** The working day that is `later` working days after the next one. */
export function workingDay(later: number) {
  for (let day = Date.now() + DAY_MS; ; day += DAY_MS)
    if (!WEEKEND.includes(new Date(day).getUTCDay()) && later-- === 0) return new Date(day).toISOString().slice(0, 10)
}

interface Asked {
  by: string
  type: 'create' | 'reschedule'
  /** The index of the earlier request that created its meeting. */
  follows?: number
  details: Record<string, unknown>
  decided?: { by: string; status: 'approved' | 'needs_edit'; reviewNotes: string }
}
const requests = (): Asked[] => [
  {
    by: 'reem',
    type: 'create',
    details: {
      date: workingDay(2),
      startTime: '10:00',
      endTime: '11:30',
      titleAr: 'مراجعة خطة التحول الرقمي',
      titleEn: 'Digital transformation plan review',
      locationAr: 'قاعة الاجتماعات الكبرى',
      locationEn: 'Main meeting room',
      attendees: [
        { name: 'عمر باوزير', title: 'مدير تقنية المعلومات' },
        { name: 'Deloitte', title: 'Advisers', kind: 'external' },
      ],
    },
    decided: { by: 'sultan', status: 'approved', reviewNotes: 'نبدأ بملخص من صفحة واحدة.' },
  },
  {
    by: 'faisal',
    type: 'reschedule',
    follows: 0,
    details: { date: workingDay(3), startTime: '08:00', endTime: '09:30' },
    decided: { by: 'maha', status: 'needs_edit', reviewNotes: 'الموعد مبكر على الضيوف؛ اقترح موعداً بعد العاشرة.' },
  },
  {
    by: 'reem',
    type: 'create',
    details: {
      date: workingDay(2),
      startTime: '11:00',
      endTime: '12:00',
      titleAr: 'لقاء وفد الغرفة التجارية',
      titleEn: 'Meeting with the chamber of commerce',
      locationAr: 'مكتب الرئيس التنفيذي',
      locationEn: 'Office of the chief executive',
    },
  },
]

/** Makes the requests and decisions as the people named; `as` returns a person's calls. */
export async function makeRequests(as: (username: string) => Promise<Call>) {
  const meetingIds: (number | null)[] = []
  for (const { by, type, follows, details, decided } of requests()) {
    const meetingId = follows === undefined ? null : meetingIds[follows]
    const path = '/executive-meetings/requests'
    const { id } = await (await as(by))<{ id: number }>('POST', path, { type, meetingId, details })
    const { by: reviewer, ...decision } = decided ?? {}
    const request = reviewer ? await (await as(reviewer))<{ meetingId: number | null }>('PATCH', `${path}/${id}`, decision) : null
    meetingIds.push(request?.meetingId ?? null)
  }
}
