/** The executive office's meetings of three weeks and of the week to come, with attendees and tasks. */

import type { As } from './calls.ts'
import { workingDay } from './organisation/calendar.ts'
import { people as roster } from './organisation/organisation.ts'
import type { Act, When } from './story.ts'

interface Attendee {
  /** A person with an account, or a guest by name. */
  username?: string
  name: string
  title?: string
  kind?: 'internal' | 'external' | 'virtual'
}
const colleague = (username: string, title: string): Attendee => {
  const { displayNameAr } = roster.find((one) => one.username === username)!
  return { username, name: displayNameAr, title }
}
const chief = colleague('sultan', 'الرئيس التنفيذي')
const manager = colleague('maha', 'مديرة مكتب الرئيس التنفيذي')
const technology = colleague('omar', 'مدير تقنية المعلومات')
const people = colleague('huda', 'مديرة الموارد البشرية')
const finance = colleague('noura', 'مديرة المالية')
const legal = colleague('ibrahim', 'مدير الشؤون القانونية')
const media = colleague('lama', 'مديرة الإعلام')
const projects = colleague('bandar', 'مدير المشاريع')
const guest = (name: string, title: string): Attendee => ({ name, title, kind: 'external' })
const remote = (name: string, title: string): Attendee => ({ name, title, kind: 'virtual' })

const hall = { locationAr: 'قاعة الاجتماعات الكبرى', locationEn: 'Main meeting room' }
const office = { locationAr: 'مكتب الرئيس التنفيذي', locationEn: 'Office of the chief executive' }

interface Meeting {
  /** In working days from today. */
  day: number
  /** When the office scheduled it. */
  made: When
  at?: [start: string, end?: string]
  titleAr: string
  titleEn: string
  attendees: Attendee[]
  becomes?: { status: 'completed' | 'postponed'; when: When }
  tasks?: { by: string; titleAr: string; titleEn: string; due: number; moves?: { status: 'in_progress' | 'done'; when: When } }[]
  [field: string]: unknown
}
const meetings: Meeting[] = [
  {
    day: -12,
    made: [-14, '09:30'],
    at: ['09:00', '10:00'],
    titleAr: 'استقبال وفد الغرفة التجارية',
    titleEn: 'Reception of the chamber of commerce',
    ...office,
    attendees: [chief, manager, guest('فهد السديري', 'رئيس الوفد')],
    becomes: { status: 'completed', when: [-12, '10:20'] },
  },
  {
    day: -9,
    made: [-13, '11:15'],
    at: ['10:00', '11:00'],
    titleAr: 'مراجعة العقود السنوية',
    titleEn: 'Review of the annual contracts',
    ...hall,
    attendees: [chief, legal, finance],
    becomes: { status: 'completed', when: [-9, '11:15'] },
    tasks: [
      {
        by: 'maha',
        titleAr: 'إرسال قائمة العقود المنتهية',
        titleEn: 'Send the list of expiring contracts',
        due: -7,
        moves: { status: 'done', when: [-8, '12:20'] },
      },
    ],
  },
  {
    day: -5,
    made: [-8, '10:05'],
    at: ['11:00', '12:30'],
    titleAr: 'لقاء مديري الإدارات',
    titleEn: 'Heads of departments',
    ...hall,
    attendees: [chief, manager, technology, people, finance, legal, media, projects],
    becomes: { status: 'completed', when: [-5, '12:40'] },
  },
  {
    day: -1,
    made: [-3, '08:30'],
    at: ['09:30', '10:30'],
    titleAr: 'متابعة خطة التحول الرقمي',
    titleEn: 'Follow-up of the digital plan',
    ...office,
    attendees: [chief, technology, projects],
    becomes: { status: 'completed', when: [-1, '10:40'] },
  },
  {
    day: 0,
    made: [-6, '08:20'],
    at: ['09:00', '09:30'],
    titleAr: 'الموجز الصباحي',
    titleEn: 'Morning briefing',
    ...office,
    attendees: [chief, manager, media],
  },
  {
    day: 0,
    made: [-10, '13:10'],
    at: ['10:00', '11:30'],
    titleAr: 'مجلس الإدارة: الميزانية السنوية',
    titleEn: 'Board: the annual budget',
    ...hall,
    isHighlighted: true,
    notes: 'تُعرض النسخة الثالثة من الميزانية.\nThe third draft is presented.',
    attendees: [chief, manager, finance, legal, guest('Sir John Whitfield', 'Independent member'), remote('د. ليلى المنصور', 'عضو المجلس')],
    tasks: [
      { by: 'maha', titleAr: 'توزيع محضر الاجتماع', titleEn: 'Send out the minutes', due: 2 },
      {
        by: 'faisal',
        titleAr: 'حجز غرفة الضيوف',
        titleEn: 'Book the guest room',
        due: 0,
        moves: { status: 'done', when: [-2, '09:25'] },
      },
    ],
  },
  {
    day: 0,
    made: [-4, '11:50'],
    at: ['13:00', '14:00'],
    titleAr: 'مراجعة المشاريع',
    titleEn: 'Project review',
    ...hall,
    attendees: [chief, projects, technology, finance],
  },
  {
    day: 0,
    made: [-1, '15:05'],
    titleAr: 'توقيع المراسلات',
    titleEn: 'Signing correspondence',
    ...office,
    attendees: [chief, manager],
  },
  {
    day: 1,
    made: [-7, '10:40'],
    at: ['09:00', '10:00'],
    titleAr: 'لقاء شركة سيمنز',
    titleEn: 'Meeting with Siemens',
    ...hall,
    attendees: [chief, technology, projects, guest('Anna Müller', 'Vice President'), guest('Paul O’Brien', 'Sales')],
  },
  {
    day: 1,
    made: [-5, '14:15'],
    at: ['11:00', '12:00'],
    titleAr: 'لجنة الموارد البشرية',
    titleEn: 'Human resources committee',
    ...hall,
    attendees: [people, legal, manager],
    becomes: { status: 'postponed', when: [0, '12:20'] },
  },
  {
    day: 2,
    made: [-2, '12:55'],
    at: ['10:00', '11:00'],
    titleAr: 'مكالمة مع مكتب لندن',
    titleEn: 'Call with the London office',
    meetingUrl: 'https://meet.example.org/london',
    attendees: [chief, media, remote('Margaret Hale', 'Head of the London office')],
    tasks: [
      {
        by: 'reem',
        titleAr: 'إعداد نقاط الحديث',
        titleEn: 'Prepare the talking points',
        due: 1,
        moves: { status: 'in_progress', when: [-1, '11:10'] },
      },
    ],
  },
  {
    day: 3,
    made: [-3, '15:20'],
    at: ['08:30', '09:30'],
    titleAr: 'زيارة معالي الوزير',
    titleEn: 'Visit by the minister',
    isHighlighted: true,
    ...office,
    attendees: [chief, manager, guest('معالي د. منصور الراشد', 'وزير')],
  },
  {
    day: 4,
    made: [-1, '12:05'],
    at: ['12:00'],
    titleAr: 'غداء عمل',
    titleEn: 'Working lunch',
    attendees: [chief, finance, guest('يوسف حداد', 'Haddad & Sons')],
  },
  {
    day: 5,
    made: [0, '10:30'],
    at: ['09:00', '12:00'],
    titleAr: 'ورشة الاستراتيجية',
    titleEn: 'Strategy workshop',
    ...hall,
    attendees: [chief, manager, technology, people, finance, legal, media, projects],
  },
]

/** The acts for each meeting, by the office's manager, and for each task by its assignee. `userIds` is filled before the acts run. */
export const meetingActs = (userIds: Map<string, number>): Act[] =>
  meetings.flatMap(({ day, made, at: [startTime = null, endTime = null] = [], attendees, becomes, tasks = [], ...fields }): Act[] => {
    let meetingId: number
    const taskIds: number[] = []
    const known = ({ username, ...attendee }: Attendee) => ({ ...attendee, userId: username ? userIds.get(username) : null })
    const schedule: Act['play'] = async (as) => {
      const office = await as('maha')
      const meeting = { ...fields, date: workingDay(day), startTime, endTime, attendees: attendees.map(known) }
      meetingId = (await office<{ id: number }>('POST', '/executive-meetings', meeting)).id
      for (const { by, moves, due, ...task } of tasks) {
        const body = { ...task, meetingId, assigneeId: userIds.get(by), dueDate: workingDay(due) }
        taskIds.push((await office<{ id: number }>('POST', '/executive-meetings/tasks', body)).id)
      }
    }
    const change = async (as: As, status: string) => (await as('maha'))('PATCH', `/executive-meetings/${meetingId}`, { status })
    return [
      { when: made, play: schedule },
      ...(becomes ? [{ when: becomes.when, play: (as: As) => change(as, becomes.status) }] : []),
      ...tasks.flatMap(({ by, moves }, place): Act[] => {
        if (!moves) return []
        const { when, status } = moves
        return [{ when, play: async (as) => (await as(by))('PATCH', `/executive-meetings/tasks/${taskIds[place]}`, { status }) }]
      }),
    ]
  })
