/** Notes that the people of the demo write and send each other. */
import type { As } from './calls.ts'
import type { Act, When } from './story.ts'

interface Made {
  id: number
}

interface Note {
  by: string
  when: When
  title?: string
  content?: string
  color?: string
  isPinned?: boolean
  isArchived?: boolean
  /** Names of the writer's folder and labels, created on first use. */
  folder?: string
  labels?: string[]
  to?: string[]
  /** When recipients read the note without replying, by their usernames. */
  readBy?: Record<string, When>
  /** `to` is the recipient of a reply by the note's writer. */
  replies?: { by: string; when: When; to?: string; content: string }[]
}

const notes: Note[] = [
  {
    by: 'huda',
    when: [-3, '09:40'],
    title: 'خطة التدريب للربع القادم',
    content:
      'المسودة الأولى جاهزة:\n- برنامج القيادة للمديرين (12 متدرباً)\n- Excel المتقدم للمالية\n- السلامة المهنية للمرافق\nأرجو ملاحظاتكم قبل الخميس.',
    color: 'green',
    isPinned: true,
    folder: 'التدريب',
    labels: ['للمتابعة', 'عاجل'],
    to: ['noura', 'saleh', 'omar'],
    readBy: { saleh: [-3, '11:05'] },
    replies: [
      { by: 'noura', when: [-3, '13:30'], content: 'نحتاج ثمانية مقاعد لدورة Excel المتقدم بدلاً من خمسة.' },
      { by: 'huda', when: [-2, '08:50'], to: 'noura', content: 'تم التعديل، شكراً نورة.' },
    ],
  },
  {
    by: 'huda',
    when: [-6, '12:15'],
    title: 'أسئلة مقابلة مسؤول المحتوى',
    content: 'الخبرة في النشر بلغتين، نماذج أعمال، إدارة الوقت.',
    folder: 'التوظيف',
    labels: ['للمتابعة'],
  },
  {
    by: 'huda',
    when: [0, '11:20'],
    content: 'الاتصال بمكتب التأمين الطبي بشأن تجديد العقد',
    color: 'yellow',
  },
  { by: 'huda', when: [-13, '14:30'], title: 'قائمة حفل التكريم', content: 'انتهى، تُحفظ للمراجعة.', isArchived: true },
  {
    by: 'omar',
    when: [-2, '10:15'],
    title: 'Maintenance window, Friday 22:00–23:30',
    content:
      'The portal and the mail server restart one after the other. Help desk: Tariq is on call.\nستتوقف البوابة نحو عشر دقائق، ويعود البريد بعدها.',
    color: 'blue',
    isPinned: true,
    labels: ['Operations'],
    to: ['layla', 'tariq', 'sami', 'khalid'],
    readBy: { layla: [-2, '10:40'], khalid: [-2, '12:20'] },
    replies: [
      { by: 'tariq', when: [-2, '11:10'], content: 'On call from 21:30. I will post the status every 15 minutes.' },
      { by: 'sami', when: [-2, '13:45'], content: 'Backups are taken at 21:00, so that we can roll back.' },
      { by: 'omar', when: [-1, '08:25'], to: 'sami', content: 'Good, thank you. Please keep them until Sunday.' },
    ],
  },
  {
    by: 'omar',
    when: [-9, '15:10'],
    title: 'Questions for the network vendor',
    content: 'Delivery time of the switches?\nSpare parts kept in Riyadh?\nثلاث سنوات ضمان أم خمس؟',
    folder: 'Purchasing',
    color: 'purple',
  },
  {
    by: 'maha',
    when: [0, '09:30'],
    title: 'زيارة الوفد يوم الثلاثاء',
    content: 'الوصول 9:30 من البوابة الشمالية، ثم جولة في مركز البيانات. يرجى تجهيز بطاقات الزوار والضيافة.',
    color: 'orange',
    labels: ['مراسم'],
    to: ['sultan', 'saleh', 'lama', 'faisal'],
    readBy: { sultan: [0, '09:55'], lama: [0, '10:40'] },
    replies: [{ by: 'saleh', when: [0, '13:15'], content: 'البطاقات والضيافة جاهزة، وحُجزت ستة مواقف عند البوابة الشمالية.' }],
  },
  {
    by: 'dana',
    when: [-8, '09:30'],
    title: 'Onboarding checklist',
    content: 'Badge ✓\nLaptop ✓\nVPN token: ask Layla\nطلب صلاحية نظام الحضور',
    isPinned: true,
  },
  {
    by: 'dana',
    when: [-1, '12:30'],
    title: 'VPN token',
    content: 'My token asks for a second code since this morning. Is that the new rule, or shall I come by?',
    to: ['layla'],
    replies: [{ by: 'layla', when: [0, '14:10'], content: 'القاعدة جديدة منذ أمس: الرمز الثاني يصلك في التطبيق. مرّي بي إن لم يصل.' }],
  },
  {
    by: 'noura',
    when: [-10, '08:45'],
    title: 'إقفال الميزانية',
    content: 'آخر موعد لرفع الفواتير يوم 25. ما يصل بعده يُرحّل إلى الشهر التالي.',
    color: 'pink',
    to: ['majed', 'aisha', 'hassan', 'rania', 'bandar'],
    readBy: { majed: [-10, '09:20'], rania: [-9, '10:30'] },
    replies: [{ by: 'aisha', when: [-10, '10:05'], content: 'بقيت فاتورتان من المورّد، وسأرفعهما غداً.' }],
  },
  {
    by: 'layla',
    when: [-12, '14:20'],
    title: 'تسليم نوبة الضيافة',
    content: 'مفتاح المخزن عند منى.\nالتمر يكفي حتى نهاية الأسبوع.\nثلاجة الطابق الثاني تحتاج صيانة.',
    color: 'green',
    to: ['mona', 'jaber'],
    readBy: { jaber: [-11, '08:10'] },
    replies: [{ by: 'mona', when: [-12, '15:00'], content: 'وصل، وطلبت الصيانة للثلاجة.' }],
  },
]

/** The acts for each note, each by its author. `userIds` maps usernames to ids, and is filled before the acts are played. */
export function noteActs(userIds: Map<string, number>): Act[] {
  const made = new Map<string, number>()
  const file = async (as: As, by: string, part: 'folders' | 'labels', name: string) => {
    const key = `${by} ${part} ${name}`
    const id = made.get(key) ?? (await (await as(by))<Made>('POST', `/notes/${part}`, { name })).id
    made.set(key, id)
    return id
  }
  return notes.flatMap(({ by, when, folder, labels = [], to = [], readBy = {}, replies = [], isArchived, ...note }): Act[] => {
    let id: number
    const write: Act['play'] = async (as) => {
      const writer = await as(by)
      const folderId = folder ? await file(as, by, 'folders', folder) : null
      const labelIds: number[] = []
      for (const label of labels) labelIds.push(await file(as, by, 'labels', label))
      id = (await writer<Made>('POST', '/notes', { ...note, folderId, labelIds })).id
      if (isArchived) await writer('PATCH', `/notes/${id}`, { isArchived })
      if (to.length) await writer('POST', `/notes/${id}/send`, { recipientUserIds: to.map((username) => userIds.get(username)) })
    }
    const about = () => ({ relatedType: 'note', relatedId: id })
    return [
      { when, play: write },
      ...Object.entries(readBy).map(([username, when]): Act => {
        const read: Act['play'] = async (as) => {
          const reader = await as(username)
          await reader('GET', `/notes/${id}/thread`)
          await reader('POST', '/notifications/read-about', about())
        }
        return { when, play: read }
      }),
      ...replies.map(({ by: author, when, to: reader, content }): Act => {
        const reply: Act['play'] = async (as) => {
          const writer = await as(author)
          await writer('POST', '/notifications/read-about', about())
          await writer('POST', `/notes/${id}/replies`, { content, recipientUserId: reader && userIds.get(reader) })
        }
        return { when, play: reply }
      }),
    ]
  })
}
