/** About the people who work here. */
import { departed, groups, people } from '../../organisation/organisation.ts'
import { awaited, type Both, over, type Page, type State, well, wrong } from './content.ts'

const resources: Both = ['الموارد البشرية', 'Human Resources']
const staffed = people.filter(({ username }) => !departed.includes(username))

const departments = groups.map(({ key, name, descriptionAr }) => ({ key, name: [descriptionAr, name] as Both }))
const departmentOf = new Map<string, Both>(departments.map(({ key, name }) => [key, name]))
const until: Both = ['حتى', 'until']
const head: Both = ['رئاسة الإدارة', 'Head of department']

const entries = staffed.map(({ username, displayNameAr, displayNameEn, group, roles }, place) => ({
  name: [displayNameAr, displayNameEn] as Both,
  department: departmentOf.get(group)!,
  isHead: roles.includes('department_head'),
  telephone: String(4101 + place),
  mail: `${username}@example.org`,
}))
const folded = (text: string) => text.toLowerCase().replace(/[أإآ]/g, 'ا').replaceAll('ى', 'ي').replaceAll('ة', 'ه')

/** The people whose name, department, telephone number or address contains all the words. */
function find(query: string) {
  const wanted = folded(query).split(/\s+/)
  return entries.filter(({ name, department, telephone, mail }) => {
    const text = folded([...name, ...department, telephone, mail].join(' '))
    return wanted.every((word) => text.includes(word))
  })
}

const shareOf = (place: number, from: number, span: number) => from + ((place * 7) % span)

export const staff: Record<string, Page> = {
  directory: {
    tone: 'teal',
    owner: resources,
    title: ['ابحث عن زميل', 'Find a colleague'],
    about: ['الأسماء والإدارات والتحويلات.', 'Names, departments and extensions.'],
    blocks: (query) => {
      const found = find(query)
      const { length } = found
      return [
        {
          search: {
            label: ['اسم أو إدارة أو تحويلة', 'Name, department or extension'],
            value: query,
            found: [`النتائج: ${length}`, `${length} ${length === 1 ? 'person' : 'people'}`],
          },
        },
        {
          cards: found.map(({ name, department, isHead, telephone, mail }) => ({
            title: name,
            meta: [department, ...(isHead ? [head] : []), telephone, mail],
          })),
        },
      ]
    },
  },
  leave: {
    tone: 'blue',
    owner: resources,
    title: ['إجازاتنا', 'Time off'],
    about: ['أنواع الإجازات ومن هو في إجازة اليوم.', 'Kinds of leave, and who is away today.'],
    blocks: () => [
      {
        figures: [
          { label: ['الإجازة السنوية', 'Annual leave'], value: '30', note: ['يوم عمل', 'working days'] },
          { label: ['في إجازة اليوم', 'Away today'], value: '4', note: ['من 39 موظفًا', 'of 39 people'] },
          { label: ['طلبات تنتظر', 'Requests waiting'], value: '3' },
        ],
      },
      {
        title: ['أنواع الإجازات', 'Kinds of leave'],
        table: {
          head: [
            ['النوع', 'Kind'],
            ['المدة', 'Length'],
            ['تُطلب قبل', 'Ask before'],
            ['الموافقة', 'Approved by'],
          ],
          rows: [
            [
              ['سنوية', 'Annual'],
              ['30 يوم عمل', '30 working days'],
              ['أسبوعين', 'Two weeks'],
              ['المدير المباشر', 'Manager'],
            ],
            [['مرضية', 'Sick'], ['بتقرير طبي', 'With a certificate'], ['في اليوم نفسه', 'The same day'], resources],
            [['أمومة', 'Maternity'], ['12 أسبوعًا', '12 weeks'], ['شهر', 'A month'], resources],
            [
              ['أبوة', 'Paternity'],
              ['3 أيام', '3 days'],
              ['في اليوم نفسه', 'The same day'],
              ['المدير المباشر', 'Manager'],
            ],
            [['حج', 'Hajj'], ['مرة، 15 يومًا', 'Once, 15 days'], ['شهرين', 'Two months'], resources],
          ],
        },
      },
      {
        title: ['في إجازة اليوم', 'Away today'],
        cards: [
          { title: ['وفاء الشمري', 'Wafa Al-Shammari'], meta: [{ day: 3, prefix: until }] },
          { title: ['ناصر المطيري', 'Nasser Al-Mutairi'], meta: [{ day: 1, prefix: until }] },
          { title: ['زياد النجار', 'Ziad Al-Najjar'], meta: [{ day: 6, prefix: until }] },
          { title: ['سمر يعقوب', 'Samar Yaqoub'], meta: [['نصف يوم', 'half a day']] },
        ],
      },
    ],
  },
  attendance: {
    tone: 'plum',
    owner: resources,
    title: ['الحضور اليوم', 'Attendance today'],
    about: ['يُحدَّث كل ربع ساعة من بوابات الدخول.', 'Updated every quarter of an hour from the gates.'],
    blocks: () => [
      {
        figures: [
          { label: ['في المبنى', 'In the building'], value: '31' },
          { label: ['عن بُعد', 'Remote'], value: '4' },
          { label: ['في إجازة', 'On leave'], value: '4' },
          { label: ['متوسط الدخول', 'Average arrival'], value: '07:52' },
        ],
      },
      {
        title: ['نسبة الحضور', 'Present, by department'],
        bars: departments.map(({ name }, place) => ({ label: name, percent: shareOf(place + 2, 74, 26) })),
      },
      {
        title: ['أوقات الدوام', 'Hours'],
        table: {
          head: [
            ['الفئة', 'Group'],
            ['الحضور', 'From'],
            ['الانصراف', 'Until'],
          ],
          rows: [
            [['الدوام المرن', 'Flexible hours'], '07:00–09:00', '15:00–17:00'],
            [['الاستقبال', 'Reception'], '07:30', '15:30'],
            [['الدعم الفني', 'Help desk'], '07:00', '19:00'],
          ],
        },
      },
    ],
  },
  payslips: {
    tone: 'teal',
    owner: ['الشؤون المالية', 'Finance'],
    title: ['رواتب هذا العام', 'Salaries'],
    about: ['يُصرف الراتب في السابع والعشرين من كل شهر. المثال لموظف غير حقيقي.', 'Salaries are paid on the 27th. The example is nobody’s.'],
    blocks: () => [
      {
        title: ['مثال: كشف الشهر الماضي', 'An example: last month'],
        table: {
          head: [
            ['البند', 'Item'],
            ['المبلغ', 'Amount'],
          ],
          rows: [
            [['الراتب الأساسي', 'Basic salary'], { riyals: 11_200 }],
            [['بدل سكن', 'Housing'], { riyals: 2_800 }],
            [['بدل نقل', 'Transport'], { riyals: 900 }],
            [['التأمينات الاجتماعية', 'Social insurance'], { riyals: -1_092 }],
            [['الصافي', 'Net'], { riyals: 13_808 }],
          ],
        },
      },
      {
        title: ['الأشهر السابقة', 'Earlier months'],
        table: {
          head: [
            ['الشهر', 'Month'],
            ['الصافي', 'Net'],
            ['الحالة', 'Status'],
          ],
          rows: [-1, -2, -3, -4, -5].map((month) => [{ month }, { riyals: month === -3 ? 15_408 : 13_808 }, well('صُرف', 'Paid')]),
        },
      },
    ],
  },
  training: {
    tone: 'amber',
    owner: resources,
    title: ['برامج هذا الربع', 'Courses this quarter'],
    about: ['يُسجَّل في البرامج بموافقة المدير المباشر.', 'Sign up with your manager’s agreement.'],
    blocks: () => [
      {
        cards: [
          {
            title: ['القيادة للمديرين', 'Leadership for managers'],
            state: awaited('بقي مقعدان', 'Two seats left'),
            text: ['ثلاثة أيام، بالعربية، مع مدرب مقيم.', 'Three days, in Arabic, with a resident trainer.'],
            meta: [{ day: 4 }],
          },
          {
            title: ['Excel المتقدم للمالية', 'Advanced Excel for finance'],
            state: well('متاح', 'Open'),
            text: ['الجداول المحورية والنماذج المالية.', 'Pivot tables and financial models.'],
            meta: [{ day: 6 }],
          },
          {
            title: ['السلامة المهنية', 'Safety at work'],
            state: well('متاح', 'Open'),
            text: ['إلزامي لفريق المرافق كل سنتين.', 'Every two years for the facilities team.'],
            meta: [{ day: 8 }],
          },
          {
            title: ['كتابة الأخبار بلغتين', 'Writing news in two languages'],
            state: over('اكتمل العدد', 'Full'),
            text: ['ورشة لفريق الإعلام وضيوفه.', 'A workshop by the communications team.'],
            meta: [{ day: 9 }],
          },
          {
            title: ['أساسيات أمن المعلومات', 'Security basics'],
            state: well('متاح', 'Open'),
            text: ['ساعتان عن بُعد، لكل موظف جديد.', 'Two hours online, for every newcomer.'],
            meta: [['في أي وقت', 'at any time']],
          },
        ],
      },
    ],
  },
  recruitment: {
    tone: 'rose',
    owner: resources,
    title: ['من التقديم إلى التعيين', 'From application to offer'],
    about: ['الوظائف الشاغرة ومراحل المرشحين.', 'Open positions and where candidates stand.'],
    blocks: () => [
      {
        figures: [
          { label: ['وظائف شاغرة', 'Open positions'], value: '3' },
          { label: ['مرشحون', 'Candidates'], value: '27' },
          { label: ['متوسط مدة التعيين', 'Time to hire'], value: ['34 يومًا', '34 days'] },
        ],
      },
      {
        columns: [
          {
            title: ['فرز', 'Screening'],
            cards: [
              { title: ['مسؤول محتوى', 'Content officer'], meta: [['14 مرشحًا', '14 candidates']] },
              { title: ['محاسب أول', 'Senior accountant'], meta: [['8 مرشحين', '8 candidates']] },
            ],
          },
          {
            title: ['مقابلات', 'Interviews'],
            cards: [
              {
                title: ['مهندس شبكات', 'Network engineer'],
                meta: [['4 مرشحين', '4 candidates']],
                state: awaited('هذا الأسبوع', 'This week'),
              },
            ],
          },
          {
            title: ['عرض', 'Offer'],
            cards: [
              {
                title: ['مسؤول محتوى', 'Content officer'],
                meta: [['مرشحة واحدة', 'One candidate']],
                state: well('أُرسل العرض', 'Offer sent'),
              },
            ],
          },
        ],
      },
    ],
  },
  personnel: {
    tone: 'plum',
    owner: resources,
    title: ['اكتمال الملفات', 'State of the files'],
    about: ['ما اكتمل منها وما ينقص غيره.', 'Which are complete, and what the others lack.'],
    blocks: () => [
      {
        table: {
          head: [
            ['الموظف', 'Name'],
            ['الإدارة', 'Department'],
            ['الملف', 'File'],
          ],
          rows: entries.slice(5, 19).map(({ name, department }, place) => [name, department, fileState(place)]),
        },
      },
    ],
  },
}

function fileState(place: number): State {
  if (place % 6 === 4) return wrong('هوية منتهية', 'ID expired')
  if (place % 4 === 2) return awaited('ينقصه المؤهل', 'Certificate missing')
  return well('مكتمل', 'Complete')
}
