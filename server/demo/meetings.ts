/** A week of the executive office: meetings, attendees and tasks. */
import { people as roster } from './organisation.ts'
import { workingDay } from './requests.ts'

type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>

interface Attendee {
  /** Someone with an account; without it, a guest by name. */
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
  /** Today, or how many working days from tomorrow. */
  day: 'today' | number
  at?: [start: string, end?: string]
  titleAr: string
  titleEn?: string
  attendees: Attendee[]
  tasks?: { by: string; titleAr: string; titleEn: string; moves?: 'in_progress' | 'done' }[]
  [field: string]: unknown
}
const meetings: Meeting[] = [
  {
    day: 'today',
    at: ['09:00', '09:30'],
    titleAr: 'الموجز الصباحي',
    titleEn: 'Morning briefing',
    ...office,
    attendees: [chief, manager, media],
  },
  {
    day: 'today',
    at: ['10:00', '11:30'],
    titleAr: 'مجلس الإدارة: الميزانية السنوية',
    titleEn: 'Board: the annual budget',
    ...hall,
    isHighlighted: true,
    notes: 'تُعرض النسخة الثالثة من الميزانية.\nThe third draft is presented.',
    attendees: [chief, manager, finance, legal, guest('Sir John Whitfield', 'Independent member'), remote('د. ليلى المنصور', 'عضو المجلس')],
    tasks: [
      { by: 'maha', titleAr: 'توزيع محضر الاجتماع', titleEn: 'Send out the minutes' },
      { by: 'faisal', titleAr: 'حجز غرفة الضيوف', titleEn: 'Book the guest room', moves: 'done' },
    ],
  },
  {
    day: 'today',
    at: ['13:00', '14:00'],
    titleAr: 'مراجعة المشاريع',
    titleEn: 'Project review',
    ...hall,
    attendees: [chief, projects, technology, finance],
  },
  { day: 'today', titleAr: 'توقيع المراسلات', titleEn: 'Signing correspondence', ...office, attendees: [chief, manager] },
  {
    day: 0,
    at: ['09:00', '10:00'],
    titleAr: 'لقاء شركة سيمنز',
    titleEn: 'Meeting with Siemens',
    ...hall,
    attendees: [chief, technology, projects, guest('Anna Müller', 'Vice President'), guest('Paul O’Brien', 'Sales')],
  },
  {
    day: 0,
    at: ['11:00', '12:00'],
    titleAr: 'لجنة الموارد البشرية',
    titleEn: 'Human resources committee',
    status: 'postponed',
    ...hall,
    attendees: [people, legal, manager],
  },
  {
    day: 1,
    at: ['10:00', '11:00'],
    titleAr: 'مكالمة مع مكتب لندن',
    titleEn: 'Call with the London office',
    meetingUrl: 'https://meet.example.org/london',
    attendees: [chief, media, remote('Margaret Hale', 'Head of the London office')],
    tasks: [{ by: 'reem', titleAr: 'إعداد نقاط الحديث', titleEn: 'Prepare the talking points', moves: 'in_progress' }],
  },
  {
    day: 2,
    at: ['08:30', '09:30'],
    titleAr: 'زيارة معالي الوزير',
    titleEn: 'Visit by the minister',
    isHighlighted: true,
    ...office,
    attendees: [chief, manager, guest('معالي م. خالد الفالح', 'وزير')],
  },
  {
    day: 3,
    at: ['12:00'],
    titleAr: 'غداء عمل',
    titleEn: 'Working lunch',
    attendees: [chief, finance, guest('يوسف حداد', 'Haddad & Sons')],
  },
  {
    day: 4,
    at: ['09:00', '12:00'],
    titleAr: 'ورشة الاستراتيجية',
    titleEn: 'Strategy workshop',
    ...hall,
    attendees: [chief, manager, technology, people, finance, legal, media, projects],
  },
]

/** Creates the meetings as the office's manager, and moves each task as its assignee. */
export async function holdMeetings(admin: Call, signIn: (username: string) => Promise<Call>) {
  const office = await signIn('maha')
  const ids = new Map((await admin<{ id: number; username: string }[]>('GET', '/users')).map(({ id, username }) => [username, id]))
  const known = ({ username, ...attendee }: Attendee) => ({ ...attendee, userId: username ? ids.get(username) : null })
  for (const { day, at: [startTime = null, endTime = null] = [], attendees, tasks = [], ...fields } of meetings) {
    const date = day === 'today' ? new Date().toISOString().slice(0, 10) : workingDay(day)
    const meeting = { ...fields, date, startTime, endTime, attendees: attendees.map(known) }
    const { id: meetingId } = await office<{ id: number }>('POST', '/executive-meetings', meeting)
    for (const { by, moves, ...task } of tasks) {
      const fields = { ...task, meetingId, assigneeId: ids.get(by), dueDate: workingDay(1) }
      const { id } = await office<{ id: number }>('POST', '/executive-meetings/tasks', fields)
      if (moves) await (await signIn(by))('PATCH', `/executive-meetings/tasks/${id}`, { status: moves })
    }
  }
}
