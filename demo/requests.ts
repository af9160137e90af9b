/** Requests to the executive office, and the decisions on them. */
import { workingDay } from './organisation/calendar.ts'
import type { Act, When } from './story.ts'

interface DemoRequest {
  by: string
  when: When
  type: 'create' | 'reschedule'
  /** The index of the earlier request that created the meeting to reschedule. */
  follows?: number
  details: Record<string, unknown>
  reason?: string
  decided?: { by: string; when: When; status: 'approved' | 'needs_edit'; reviewNotes: string }
}
const requests = (): DemoRequest[] => [
  {
    by: 'reem',
    when: [-4, '10:20'],
    type: 'create',
    details: {
      date: workingDay(3),
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
    decided: { by: 'sultan', when: [-3, '09:10'], status: 'approved', reviewNotes: 'نبدأ بملخص من صفحة واحدة.' },
  },
  {
    by: 'faisal',
    when: [-2, '11:05'],
    type: 'reschedule',
    follows: 0,
    details: { date: workingDay(4), startTime: '08:00', endTime: '09:30' },
    reason: 'يغادر أحد المستشارين إلى المطار قبل الظهر.',
    decided: {
      by: 'maha',
      when: [-1, '08:40'],
      status: 'needs_edit',
      reviewNotes: 'الموعد مبكر على الضيوف؛ اقترح موعداً بعد العاشرة.',
    },
  },
  {
    by: 'reem',
    when: [0, '11:45'],
    type: 'create',
    details: {
      date: workingDay(3),
      startTime: '11:00',
      endTime: '12:00',
      titleAr: 'لقاء وفد الغرفة التجارية',
      titleEn: 'Meeting with the chamber of commerce',
      locationAr: 'مكتب الرئيس التنفيذي',
      locationEn: 'Office of the chief executive',
    },
    reason: 'الوفد في الرياض يومين فقط، وقد طلب اللقاء كتابةً.',
  },
]

/** The acts for each request: its requester makes it and, if it is decided, its reviewer decides. */
export function requestActs(): Act[] {
  const ids: number[] = []
  const meetingIds: (number | null)[] = []
  const path = '/executive-meetings/requests'
  return requests().flatMap(({ by, when, type, follows, details, reason, decided }, place): Act[] => {
    const ask: Act['play'] = async (as) => {
      const meetingId = follows === undefined ? null : meetingIds[follows]
      ids[place] = (await (await as(by))<{ id: number }>('POST', path, { type, meetingId, details, reason })).id
    }
    if (!decided) return [{ when, play: ask }]
    const { by: reviewer, when: decidedAt, ...decision } = decided
    const decide: Act['play'] = async (as) => {
      meetingIds[place] = (await (await as(reviewer))<{ meetingId: number | null }>('PATCH', `${path}/${ids[place]}`, decision)).meetingId
    }
    return [
      { when, play: ask },
      { when: decidedAt, play: decide },
    ]
  })
}
