/** Pages about the people who work here. */
import { departed, groups, people } from '../organisation/organisation.ts'
import { resources } from './departments.ts'
import { awaited, day, figures, over, type Page, percent, riyals, search, table, well, wrong } from './parts.ts'

const departments = new Map<string, string>(groups.map(({ key, name, descriptionAr }) => [key, `${descriptionAr} | ${name}`]))
const entries = people
  .filter(({ username }) => !departed.includes(username))
  .map(({ username, displayNameAr, displayNameEn, group }, place) => [
    `${displayNameAr} | ${displayNameEn}`,
    departments.get(group)!,
    String(4101 + place),
    `${username}@example.org`,
  ])
const folded = (text: string) => text.toLowerCase().replace(/[أإآ]/g, 'ا').replaceAll('ى', 'ي').replaceAll('ة', 'ه')

/** The people whose name, department, extension and address together contain all the words. */
function find(query: string) {
  const words = folded(query).split(/\s+/)
  const found = entries.filter((entry) => words.every((word) => folded(entry.join(' ')).includes(word)))
  const { length } = found
  return {
    summary: `النتائج: ${length} | ${length} ${length === 1 ? 'person' : 'people'}`,
    part: table(['الاسم | Name', 'الإدارة | Department', 'التحويلة | Extension', 'البريد | Email'], ...found),
  }
}

function fileState(place: number) {
  if (place % 6 === 4) return wrong('هوية منتهية | ID expired')
  if (place % 4 === 2) return awaited('ينقصه المؤهل | Certificate missing')
  return well('مكتمل | Complete')
}

export const staff: Record<string, Page> = {
  directory: [
    'الأسماء والإدارات والتحويلات. | Names, departments and extensions.',
    search('اسم أو إدارة أو تحويلة | Name, department or extension', find),
  ],
  leave: [
    'أنواع الإجازات ومن هو في إجازة اليوم. | Kinds of leave, and who is away today.',
    figures(
      ['الإجازة السنوية | Annual leave', '30', 'يوم عمل | working days'],
      ['في إجازة اليوم | Away today', '4', 'من 39 موظفًا | of 39 people'],
      ['طلبات تنتظر | Requests waiting', '3'],
    ),
    'أنواع الإجازات | Kinds of leave',
    table(
      ['النوع | Kind', 'المدة | Length', 'تُطلب قبل | Ask before', 'الموافقة | Approved by'],
      ['سنوية | Annual', '30 يوم عمل | 30 working days', 'أسبوعين | Two weeks', 'المدير المباشر | Manager'],
      ['مرضية | Sick', 'بتقرير طبي | With a certificate', 'في اليوم نفسه | The same day', resources],
      ['أمومة | Maternity', '12 أسبوعًا | 12 weeks', 'شهر | A month', resources],
      ['أبوة | Paternity', '3 أيام | 3 days', 'في اليوم نفسه | The same day', 'المدير المباشر | Manager'],
      ['حج | Hajj', 'مرة، 15 يومًا | Once, 15 days', 'شهرين | Two months', resources],
    ),
    'في إجازة اليوم | Away today',
    table(
      ['الاسم | Name', 'حتى | Until'],
      ['وفاء الشمري | Wafa Al-Shammari', day(3)],
      ['ناصر المطيري | Nasser Al-Mutairi', day(1)],
      ['زياد النجار | Ziad Al-Najjar', day(6)],
      ['سمر يعقوب | Samar Yaqoub', 'منتصف اليوم | Midday'],
    ),
  ],
  attendance: [
    'يُحدَّث كل ربع ساعة من بوابات الدخول. | Updated every quarter of an hour from the gates.',
    figures(
      ['في المبنى | In the building', '31'],
      ['عن بُعد | Remote', '4'],
      ['في إجازة | On leave', '4'],
      ['متوسط الدخول | Average arrival', '07:52'],
    ),
    'نسبة الحضور | Present, by department',
    table(
      ['الإدارة | Department', 'الحضور | Present'],
      ...[...departments.values()].map((name, place) => [name, percent(74 + ((7 * (place + 2)) % 26))]),
    ),
  ],
  payslips: [
    'يُصرف الراتب في السابع والعشرين من كل شهر. المثال لموظف غير حقيقي. | Salaries are paid on the 27th. The example is nobody’s.',
    'مثال: كشف الشهر الماضي | An example: last month',
    table(
      ['البند | Item', 'المبلغ | Amount'],
      ['الراتب الأساسي | Basic salary', riyals(11_200)],
      ['بدل سكن | Housing', riyals(2_800)],
      ['بدل نقل | Transport', riyals(900)],
      ['التأمينات الاجتماعية | Social insurance', riyals(-1_092)],
      ['الصافي | Net', riyals(13_808)],
    ),
  ],
  training: [
    'يُسجَّل في البرامج بموافقة المدير المباشر. | Sign up with your manager’s agreement.',
    table(
      ['البرنامج | Course', 'المحتوى | Contents', 'الموعد | When', 'المقاعد | Seats'],
      [
        'القيادة للمديرين | Leadership for managers',
        'ثلاثة أيام مع مدرب مقيم | Three days, in Arabic',
        day(4),
        awaited('بقي مقعدان | Two left'),
      ],
      ['Excel المتقدم للمالية | Advanced Excel for finance', 'الجداول المحورية | Pivot tables', day(6), well('متاح | Open')],
      ['السلامة المهنية | Safety at work', 'إلزامي كل سنتين | Every two years', day(8), well('متاح | Open')],
      ['كتابة الأخبار بلغتين | Writing news in two languages', 'ورشة | A workshop', day(9), over('اكتمل العدد | Full')],
      ['أساسيات أمن المعلومات | Security basics', 'ساعتان عن بُعد | Two hours online', 'في أي وقت | Any time', well('متاح | Open')],
    ),
  ],
  recruitment: [
    'الوظائف الشاغرة ومراحل المرشحين. | Open positions and where candidates stand.',
    figures(
      ['وظائف شاغرة | Open positions', '3'],
      ['مرشحون | Candidates', '27'],
      ['متوسط مدة التعيين | Time to hire', '34 يومًا | 34 days'],
    ),
    table(
      ['الوظيفة | Position', 'المرشحون | Candidates', 'المرحلة | Stage'],
      ['مسؤول محتوى | Content officer', '1', well('أُرسل العرض | Offer sent')],
      ['مهندس شبكات | Network engineer', '4', awaited('مقابلات هذا الأسبوع | Interviews this week')],
      ['مسؤول محتوى | Content officer', '14', over('فرز | Screening')],
      ['محاسب أول | Senior accountant', '8', over('فرز | Screening')],
    ),
  ],
  personnel: [
    'ما اكتمل منها وما ينقص غيره. | Which are complete, and what the others lack.',
    table(
      ['الموظف | Name', 'الإدارة | Department', 'الملف | File'],
      ...entries.slice(5, 19).map(([name, department], place) => [name!, department!, fileState(place)]),
    ),
  ],
}
