/** The forms of the demo's services. Until forms were introduced, people ordered with a note. */

/** The working day on which forms were introduced; those that ask when something is wanted were introduced today. */
const FORMS_DAY = -3
export const formDays = [FORMS_DAY, 0] as const
const asksWhen = ['guests', 'driver']
export const formsSince = (day: number) => Object.entries(forms).filter(([key]) => asksWhen.includes(key) === (day === 0))

const option = (key: string, ar: string, en: string, most?: number) => ({ key, ar, en, ...(most && { most }) })
const field = (key: string, kind: string, labelAr: string, labelEn: string, settings: object = {}) => ({
  ...{ key, kind, labelAr, labelEn },
  ...settings,
})

const room = (required = true) =>
  field('room', 'choice', 'المكان', 'Where to', {
    required,
    options: [
      option('desk', 'مكتبي', 'My desk'),
      option('hall', 'قاعة الاجتماعات الكبرى', 'The large meeting room'),
      option('projects', 'غرفة المشاريع', 'The projects room'),
      option('interviews', 'غرفة المقابلات', 'The interview room'),
      option('studio', 'الاستوديو', 'The studio'),
    ],
  })
const wanted = (leadMinutes: number) => field('wanted', 'wanted_at', 'متى تريده؟', 'When do you want it?', { leadMinutes, maxDays: 30 })

/** The fields of each form, by the service's key. */
const forms: Record<string, object[]> = {
  coffee: [
    field('cups', 'items', 'كم فنجانًا؟', 'How many cups?', {
      required: true,
      mostTotal: 30,
      options: [option('light', 'شقراء', 'Light roast', 20), option('dark', 'داكنة', 'Dark roast', 20)],
    }),
    room(),
    wanted(10),
  ],
  guests: [
    field('people', 'number', 'عدد الضيوف', 'How many guests?', { required: true, min: 1, max: 10 }),
    room(),
    field('served', 'choices', 'ماذا نقدّم؟', 'What shall we serve?', {
      required: true,
      options: [
        option('coffee', 'قهوة وتمر', 'Coffee and dates'),
        option('tea', 'شاي', 'Tea'),
        option('pastries', 'معجنات', 'Pastries'),
        option('fruit', 'فواكه', 'Fruit'),
      ],
    }),
    field('allergies', 'text', 'حساسية من طعام؟', 'Any allergies?', {
      when: [{ field: 'served', op: 'any', value: ['pastries', 'fruit'] }],
    }),
    field('wanted', 'wanted_at', 'متى يصلون؟', 'When do they arrive?', { required: true, leadMinutes: 60, maxDays: 60, withinHours: true }),
  ],
  printing: [
    field('what', 'text', 'ماذا نطبع؟', 'What shall we print?', { required: true }),
    field('copies', 'number', 'عدد النسخ', 'How many copies?', { required: true, min: 1, max: 500 }),
    field('colour', 'yes_no', 'بالألوان؟', 'In colour?'),
    field('binding', 'choice', 'التجليد', 'Binding', {
      options: [option('none', 'بلا تجليد', 'None'), option('staples', 'دبابيس', 'Staples'), option('cover', 'غلاف', 'A cover')],
    }),
  ],
  repair: [
    field('kind', 'choice', 'ما الذي تعطّل؟', 'What is broken?', {
      required: true,
      options: [
        option('cooling', 'التكييف', 'Air conditioning'),
        option('light', 'الإضاءة', 'A light'),
        option('furniture', 'الأثاث', 'Furniture'),
        option('lift', 'المصعد', 'A lift'),
        option('other', 'شيء آخر', 'Something else'),
      ],
    }),
    field('stuck', 'yes_no', 'هل في المصعد أحد؟', 'Is somebody in it?', {
      required: true,
      when: [{ field: 'kind', op: 'any', value: ['lift'] }],
    }),
    field('call', 'info', 'اتصل الآن', 'Call now', {
      textAr: 'اتصل بالأمن على 999 ولا تنتظر هذا الطلب.',
      textEn: 'Call security on 999; do not wait for this order.',
      when: [{ field: 'stuck', op: 'any', value: [true] }],
    }),
    field('place', 'text', 'أين؟', 'Where is it?', { required: true, hintAr: 'الطابق ورقم المكتب', hintEn: 'The floor and the office' }),
    field('more', 'paragraph', 'صف العطل', 'Describe it', { maxLength: 500 }),
  ],
  driver: [
    field('to', 'text', 'إلى أين؟', 'Where to?', { required: true }),
    field('passengers', 'number', 'عدد الركاب', 'How many passengers?', { required: true, min: 1, max: 6 }),
    field('back', 'yes_no', 'ذهابًا وإيابًا؟', 'There and back?', { required: true }),
    field('wanted', 'wanted_at', 'متى تنطلق؟', 'When do you leave?', { required: true, leadMinutes: 30, maxDays: 60 }),
  ],
  laptop: [
    field('from', 'date', 'من يوم', 'From', { required: true, earliestDays: 0, latestDays: 90 }),
    field('until', 'date', 'إلى يوم', 'Until', { required: true, earliestDays: 0, latestDays: 180 }),
    field('system', 'choice', 'النظام', 'System', {
      required: true,
      options: [option('windows', 'ويندوز', 'Windows'), option('mac', 'ماك', 'Mac')],
    }),
    field('care', 'yes_no', 'أتعهّد بإعادته سليمًا', 'I will return it undamaged', { required: true, mustBeYes: true }),
  ],
  software: [
    field('name', 'text', 'اسم البرنامج', 'Which software?', { required: true }),
    field('cost', 'number', 'تكلفته في السنة', 'What it costs a year', { required: true, min: 0, unitAr: 'ريال', unitEn: 'SAR' }),
    field('reason', 'paragraph', 'لماذا تحتاج إليه؟', 'Why do you need it?', {
      required: true,
      when: [{ field: 'cost', op: 'atLeast', value: 1000 }],
    }),
    field('for', 'person', 'من سيستخدمه؟', 'Who will use it?'),
  ],
  move: [
    field('who', 'person', 'من ينتقل؟', 'Who moves?', { required: true }),
    field('to', 'text', 'إلى أي مكتب؟', 'To which office?', { required: true }),
    field('boxes', 'number', 'عدد الصناديق', 'How many boxes?', { required: true, min: 0, max: 100 }),
    wanted(480),
  ],
}
