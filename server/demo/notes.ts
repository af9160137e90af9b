/** Notes that the people of the demo write and send each other. */

type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>
interface Made {
  id: number
}

interface Note {
  by: string
  title?: string
  content?: string
  color?: string
  isPinned?: boolean
  isArchived?: boolean
  /** Names of the writer's folder and labels, created on first use. */
  folder?: string
  labels?: string[]
  to?: string[]
  /** Recipients who read it without replying. */
  readBy?: string[]
  /** Replies in order; the writer's own name their recipient. */
  replies?: { by: string; to?: string; content: string }[]
}

const notes: Note[] = [
  {
    by: 'huda',
    title: 'خطة التدريب للربع القادم',
    content:
      'المسودة الأولى جاهزة:\n- برنامج القيادة للمديرين (12 متدرباً)\n- Excel المتقدم للمالية\n- السلامة المهنية للمرافق\nأرجو ملاحظاتكم قبل الخميس.',
    color: 'green',
    isPinned: true,
    folder: 'التدريب',
    labels: ['للمتابعة', 'عاجل'],
    to: ['noura', 'saleh', 'omar'],
    readBy: ['saleh'],
    replies: [
      { by: 'noura', content: 'نحتاج ثمانية مقاعد لدورة Excel المتقدم بدلاً من خمسة.' },
      { by: 'huda', to: 'noura', content: 'تم التعديل، شكراً نورة.' },
    ],
  },
  {
    by: 'huda',
    title: 'أسئلة مقابلة مسؤول المحتوى',
    content: 'الخبرة في النشر بلغتين، نماذج أعمال، إدارة الوقت.',
    folder: 'التوظيف',
    labels: ['للمتابعة'],
  },
  { by: 'huda', content: 'الاتصال بمكتب التأمين الطبي بشأن تجديد العقد', color: 'yellow' },
  { by: 'huda', title: 'قائمة حفل التكريم 2025', content: 'انتهى، تُحفظ للمراجعة.', isArchived: true },
  {
    by: 'omar',
    title: 'Maintenance window, Friday 22:00–23:30',
    content:
      'The portal and the mail server restart one after the other. Help desk: Tariq is on call.\nستتوقف البوابة نحو عشر دقائق، ويعود البريد بعدها.',
    color: 'blue',
    isPinned: true,
    labels: ['Operations'],
    to: ['layla', 'tariq', 'sami', 'khalid'],
    readBy: ['layla', 'khalid'],
    replies: [
      { by: 'tariq', content: 'On call from 21:30. I will post the status every 15 minutes.' },
      { by: 'sami', content: 'Backups are taken at 21:00, so that we can roll back.' },
      { by: 'omar', to: 'sami', content: 'Good, thank you. Please keep them until Sunday.' },
    ],
  },
  {
    by: 'omar',
    title: 'Questions for the network vendor',
    content: 'Delivery time of the switches?\nSpare parts kept in Riyadh?\nثلاث سنوات ضمان أم خمس؟',
    folder: 'Purchasing',
    color: 'purple',
  },
  {
    by: 'maha',
    title: 'زيارة الوفد يوم الثلاثاء',
    content: 'الوصول 9:30 من البوابة الشمالية، ثم جولة في مركز البيانات. يرجى تجهيز بطاقات الزوار والضيافة.',
    color: 'orange',
    labels: ['مراسم'],
    to: ['sultan', 'saleh', 'lama', 'faisal'],
    readBy: ['sultan', 'lama'],
    replies: [{ by: 'saleh', content: 'البطاقات والضيافة جاهزة، وحُجزت ستة مواقف عند البوابة الشمالية.' }],
  },
  {
    by: 'dana',
    title: 'Onboarding checklist',
    content: 'Badge ✓\nLaptop ✓\nVPN token: ask Layla\nطلب صلاحية نظام الحضور',
    isPinned: true,
  },
  {
    by: 'noura',
    title: 'إقفال الميزانية',
    content: 'آخر موعد لرفع الفواتير يوم 25. ما يصل بعده يُرحّل إلى الشهر التالي.',
    color: 'pink',
    to: ['majed', 'aisha', 'hassan', 'rania', 'bandar'],
    readBy: ['majed', 'rania'],
    replies: [{ by: 'aisha', content: 'بقيت فاتورتان من المورّد، وسأرفعهما غداً.' }],
  },
]

/** Writes, sends and answers the notes, each as its author. `ids` maps usernames to ids. */
export async function exchangeNotes(as: (username: string) => Promise<Call>, ids: Map<string, number>) {
  const made = new Map<string, number>()
  const file = async (by: string, part: 'folders' | 'labels', name: string) => {
    const key = `${by} ${part} ${name}`
    const id = made.get(key) ?? (await (await as(by))<Made>('POST', `/notes/${part}`, { name })).id
    made.set(key, id)
    return id
  }
  for (const { by, folder, labels = [], to = [], readBy = [], replies = [], isArchived, ...note } of notes) {
    const folderId = folder ? await file(by, 'folders', folder) : null
    const labelIds: number[] = []
    for (const label of labels) labelIds.push(await file(by, 'labels', label))
    const { id } = await (await as(by))<Made>('POST', '/notes', { ...note, folderId, labelIds })
    if (isArchived) await (await as(by))('PATCH', `/notes/${id}`, { isArchived })
    if (to.length) await (await as(by))('POST', `/notes/${id}/send`, { recipientUserIds: to.map((username) => ids.get(username)) })
    for (const username of readBy) await (await as(username))('GET', `/notes/${id}/thread`)
    for (const { by: writer, to: reader, content } of replies)
      await (await as(writer))('POST', `/notes/${id}/replies`, { content, recipientUserId: reader && ids.get(reader) })
  }
}
