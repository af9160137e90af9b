/** Three weeks of orders, each processed by its receiver. */
import { momentOf, workingDay } from './organisation/calendar.ts'
import type { Act } from './story.ts'

/**
 * An order: its working day, its requester, service and note, and its receiver. `times` are when it was placed, received,
 * prepared and completed; a dash skips a step, and missing times at the end are still to come.
 */
interface Order {
  day: number
  by: string
  service: string
  notes?: string
  answers?: Answers
  receiver?: string
  times: string
  cancelled?: string
  /** The beneficiary, if not the requester. */
  for?: string
  /** The approvals, in their order. */
  approvals?: Decision[]
  denied?: Decision
}
type Decision = [by: string, time: string, note?: string]

/** The answers to the form of the service. Moments in them are counted from the real time at which the order is placed. */
type Answers = (idOf: (username: string) => number) => Record<string, unknown>
const onDay = (day: number, time: string) => new Date(momentOf(day, time, new Date())).toISOString()

type Line = [day: number, by: string, service: string, receiver: string, times: string, notes?: string | Answers]
const completed: Line[] = [
  [-15, 'maha', 'coffee', 'layla', '10:40 10:43 10:46 10:55', 'قاعة الاجتماعات الكبرى، أربعة فناجين'],
  [-15, 'ibrahim', 'printing', 'tariq', '11:20 11:31 11:40 12:30', 'نسختان من لائحة العقود، بغلاف'],
  [-15, 'lama', 'stationery', 'mona', '13:05 13:12 - 13:50', 'أقلام للسبورة وأوراق ملاحظات'],
  [-14, 'bandar', 'guests', 'layla', '08:50 08:54 09:10 09:55', 'ستة ضيوف عند العاشرة، غرفة المشاريع'],
  [-14, 'noura', 'tea', 'mona', '10:15 10:18 10:21 10:28'],
  [-14, 'ziad', 'cleaning', 'jaber', '12:40 12:55 13:05 13:45', 'بعد نقل الخزائن'],
  [-13, 'huda', 'coffee', 'layla', '09:20 09:22 09:25 09:33'],
  [-13, 'karim', 'printing', 'tariq', '11:10 11:24 11:35 13:10', 'Two hundred brochures, folded'],
  [-13, 'majed', 'stationery', 'mona', '14:00 14:09 - 14:40'],
  [-12, 'sultan', 'guests', 'saleh', '08:20 08:23 08:40 09:25', 'وفد من سبعة أشخاص، مكتب الرئيس'],
  [-12, 'hind', 'water', 'jaber', '10:05 10:11 - 10:20', 'صندوقان، الطابق الثاني'],
  [-12, 'yousef', 'repair', 'saleh', '11:30 11:52 12:10 14:30', 'مكيف غرفة المقابلات لا يبرّد'],
  [-11, 'faisal', 'driver', 'layla', '08:35 08:40 08:50 10:30', 'إلى الغرفة التجارية، ذهابًا وإيابًا'],
  [-11, 'rania', 'coffee', 'mona', '09:45 09:48 09:51 10:00'],
  [-11, 'mazen', 'printing', 'tariq', '13:15 13:22 13:30 14:25', 'مخططات مقاس A1، ثلاث نسخ'],
  [-10, 'noura', 'courier', 'jaber', '09:05 09:16 09:30 11:40', 'شيكات إلى البنك الأهلي'],
  [-10, 'shahd', 'tea', 'layla', '10:50 10:52 10:55 11:03'],
  [-10, 'sami', 'repair', 'saleh', '12:05 12:30 12:45 15:10', 'باب غرفة الخوادم لا يُغلق'],
  [-9, 'maha', 'guests', 'layla', '08:15 08:17 08:30 08:55', 'ضيوف معالي الوزير، ثمانية أشخاص'],
  [-9, 'aisha', 'stationery', 'mona', '11:00 11:08 - 11:30', 'عشرون ملفًا أزرق'],
  [-9, 'wafa', 'water', 'jaber', '13:40 13:46 - 13:55'],
  [-8, 'huda', 'printing', 'tariq', '09:10 09:19 09:30 10:45', 'حقائب تدريبية، اثنتا عشرة نسخة'],
  [-8, 'lama', 'coffee', 'layla', '10:30 10:32 10:35 10:44', 'الاستوديو'],
  [-8, 'turki', 'cleaning', 'jaber', '14:10 14:25 14:30 15:05'],
  [-7, 'bandar', 'driver', 'saleh', '08:25 08:31 08:45 12:20', 'زيارة موقع المستودع الجديد'],
  [-7, 'dana', 'stationery', 'mona', '09:50 09:58 - 10:25', 'A notebook and two markers, please'],
  [-7, 'salma', 'tea', 'layla', '11:15 11:17 11:20 11:29'],
  [-6, 'khalid', 'laptop', 'tariq', '09:00 09:12 09:20 10:05', 'For the training room, until Thursday'],
  [-6, 'amal', 'coffee', 'layla', '10:10 10:13 10:16 10:24', 'مقابلات التوظيف، ثلاثة فناجين'],
  [-6, 'hassan', 'courier', 'jaber', '12:20 12:33 12:45 14:50', 'عقد التوريد إلى الشركة الوطنية'],
  [-5, 'sultan', 'coffee', 'layla', '08:40 08:41 08:44 08:51'],
  [-5, 'ibrahim', 'guests', 'saleh', '09:30 09:35 09:50 10:25', 'مكتب المحاماة، خمسة أشخاص'],
  [-5, 'adel', 'repair', 'saleh', '13:00 13:18 13:30 15:20', 'إضاءة الاستوديو'],
  [-4, 'dana', 'coffee', 'layla', '09:15 09:17 09:20 09:28'],
  [-4, 'lina', 'printing', 'tariq', '11:40 11:48 12:00 12:50', 'تقرير التقدم، ست نسخ'],
  [-4, 'fatima', 'water', 'mona', '13:25 13:30 - 13:40'],
  [-3, 'reem', 'driver', 'layla', '08:30 08:34 08:45 11:15', 'استقبال ضيف من المطار'],
  [-3, 'samar', 'stationery', 'mona', '10:20 10:31 - 11:00'],
  [-3, 'noura', 'coffee', 'layla', '12:10 12:12 12:15 12:22', () => ({ cups: { light: 3, dark: 2 }, room: 'projects' })],
  [
    ...([-2, 'maha', 'printing', 'tariq', '08:45 08:52 09:00 09:50'] as const),
    () => ({ what: 'جدول أعمال مجلس الإدارة', copies: 12, colour: false, binding: 'cover' }),
  ],
  [-2, 'dana', 'water', 'jaber', '10:35 10:44 - 10:52'],
  [
    ...([-2, 'ahmad', 'repair', 'saleh', '11:50 12:05 12:20 14:15'] as const),
    () => ({ kind: 'lift', stuck: false, place: 'مصعد البضائع، الطابق الأول', more: 'يتوقف قبل الطابق بشبر' }),
  ],
  [-1, 'huda', 'tea', 'layla', '09:05 09:07 09:10 09:18'],
  [-1, 'hind', 'guests', 'mona', '10:00 10:06 10:20 10:55', 'ورشة المشاريع، تسعة أشخاص'],
  [-1, 'omar', 'courier', 'jaber', '11:25 11:37 11:50 13:30', 'Signed licence papers to the ministry'],
  [-1, 'dana', 'tea', 'mona', '14:20 14:23 14:26 14:34'],
  [0, 'huda', 'coffee', 'layla', '09:00 09:03 09:06 09:15', () => ({ cups: { light: 6 }, room: 'hall' })],
]

const loan = (from: number, until: number, system: 'mac' | 'windows') => () => ({
  ...{ from: workingDay(from), until: workingDay(until), system },
  care: true,
})

const others: Order[] = [
  {
    ...{ day: 0, by: 'dana', service: 'laptop', receiver: 'tariq', answers: loan(1, 3, 'mac') },
    times: '10:10 10:20 - 11:05',
    approvals: [['omar', '10:16']],
  },
  {
    ...{ day: 0, by: 'shahd', service: 'software', times: '11:30' },
    answers: () => ({ name: 'Canva', cost: 1500, reason: 'تصاميم حملة الشتاء' }),
    denied: ['lama', '12:20', 'لدينا رخصة مشتركة تكفينا هذه السنة.'],
  },
  {
    ...{ day: 0, by: 'khalid', service: 'software', times: '13:20' },
    answers: () => ({ name: 'AutoCAD', cost: 9800, reason: 'Drawings of the new server room' }),
    approvals: [['omar', '14:10', 'تنتهي رخصتنا الحالية هذا الشهر.']],
  },
  { ...{ day: 0, by: 'sami', service: 'laptop', answers: loan(2, 9, 'windows') }, times: '15:10' },
  { ...{ day: 0, by: 'majed', service: 'laptop', answers: loan(1, 2, 'windows'), notes: 'للتدقيق في الفرع' }, times: '15:25' },
  { day: -14, by: 'adel', service: 'coffee', times: '11:45', cancelled: '11:46' },
  { day: -11, by: 'badr', service: 'repair', notes: 'كرسي مكسور', receiver: 'saleh', times: '10:10 10:30', cancelled: '11:05' },
  { day: -6, by: 'samar', service: 'driver', times: '13:30', cancelled: '13:52' },
  { day: -2, by: 'rania', service: 'stationery', times: '14:40', cancelled: '14:44' },
  {
    day: -1,
    by: 'khalid',
    service: 'repair',
    answers: () => ({ kind: 'light', place: 'Second floor, the second desk by the window', more: 'It flickers.' }),
    receiver: 'jaber',
    times: '13:10 13:25',
    cancelled: '14:05',
  },
  {
    day: 0,
    by: 'sultan',
    service: 'guests',
    answers: () => ({ people: 8, room: 'hall', served: ['coffee', 'fruit'], wanted: onDay(1, '10:00') }),
    receiver: 'layla',
    times: '13:30 13:34 14:20',
  },
  { day: 0, by: 'dana', service: 'tea', times: '13:50', cancelled: '13:52' },
  {
    day: 0,
    by: 'noura',
    service: 'printing',
    answers: () => ({ what: 'The budget', copies: 40, colour: true, binding: 'cover' }),
    receiver: 'tariq',
    times: '14:05 14:15 14:35',
  },
  {
    day: 0,
    by: 'reem',
    service: 'driver',
    for: 'sultan',
    answers: () => ({ to: 'المطار', passengers: 2, back: false, wanted: onDay(1, '09:00') }),
    receiver: 'layla',
    times: '14:40 14:55',
  },
  { day: 0, by: 'amal', service: 'stationery', receiver: 'tariq', times: '15:00 15:12' },
  { day: 0, by: 'maha', service: 'courier', notes: 'مظروف إلى وزارة المالية', times: '15:20' },
  { day: 0, by: 'salma', service: 'water', notes: 'الطابق الثالث', times: '15:40' },
  {
    day: 0,
    by: 'lina',
    service: 'software',
    answers: () => ({ name: 'Primavera', cost: 4200, reason: 'جدولة مشروع المستودع' }),
    times: '15:45',
  },
  {
    day: 0,
    by: 'bandar',
    service: 'move',
    answers: (id) => ({ who: id('lina'), to: '214', boxes: 6, wanted: onDay(3, '13:00') }),
    times: '15:48',
  },
  { day: 0, by: 'dana', service: 'coffee', answers: () => ({ cups: { dark: 1 }, room: 'desk' }), times: '15:52' },
]

const orders: Order[] = [
  ...completed.map(([day, by, service, receiver, times, notes]) => ({
    ...{ day, by, service, receiver, times },
    ...(typeof notes === 'function' ? { answers: notes } : notes && { notes }),
  })),
  ...others,
]

/** The acts for each order. Both maps of ids are filled before the acts are played. */
export const orderActs = (serviceIds: Map<string, number>, userIds: Map<string, number>): Act[] =>
  orders.flatMap(
    ({ day, by, service, notes = null, answers, receiver, times, cancelled, for: beneficiary, approvals = [], denied }): Act[] => {
      const [placed, received = '-', preparing = '-', completed = '-'] = times.split(' ')
      let id: number
      const move = (who: string, time: string, path: string, body?: unknown): Act[] =>
        time === '-' ? [] : [{ when: [day, time], play: async (as) => (await as(who))('PATCH', `/orders/${id}/${path}`, body) }]
      const decide = (act: 'approve' | 'deny', [who, time, note]: Decision): Act => ({
        when: [day, time],
        play: async (as) => (await as(who))('POST', `/orders/${id}/${act}`, note ? { note } : {}),
      })
      return [
        {
          when: [day, placed!],
          play: async (as) => {
            const order = {
              serviceId: serviceIds.get(service),
              notes,
              ...(answers && { answers: answers((username) => userIds.get(username)!) }),
              ...(beneficiary && { forUserId: userIds.get(beneficiary) }),
            }
            id = (await (await as(by))<{ id: number }>('POST', '/orders', order)).id
          },
        },
        ...approvals.map((one) => decide('approve', one)),
        ...(denied ? [decide('deny', denied)] : []),
        ...move(receiver!, received, 'confirm-receipt'),
        ...move(receiver!, preparing, 'status', { status: 'preparing' }),
        ...move(receiver!, completed, 'status', { status: 'completed' }),
        ...move(by, cancelled ?? '-', 'status', { status: 'cancelled' }),
      ]
    },
  )
