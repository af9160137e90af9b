/** Budgets, invoices, purchases, contracts, and papers to be signed. */
import { awaited, type Both, type Page, well, wrong } from './content.ts'

const finance: Both = ['الشؤون المالية', 'Finance']
const office: Both = ['المكتب التنفيذي', 'Executive Office']
const technology: Both = ['تقنية المعلومات', 'Information Technology']
const facilities: Both = ['المرافق والخدمات', 'Facilities']
const projects: Both = ['إدارة المشاريع', 'Projects']
const communications: Both = ['الإعلام والاتصال', 'Communications']
const resources: Both = ['الموارد البشرية', 'Human Resources']

const department: Both = ['الإدارة', 'Department']
const amount: Both = ['المبلغ', 'Amount']
const status: Both = ['الحالة', 'Status']
const supplier: Both = ['المورّد', 'Supplier']

const national: Both = ['الشركة الوطنية للتوريد', 'National Supply Co.']
const gulf: Both = ['شبكات الخليج', 'Gulf Networks']
const haddad: Both = ['حداد وأبناؤه', 'Haddad & Sons']

export const money: Record<string, Page> = {
  approvals: {
    tone: 'rose',
    owner: office,
    title: ['طلبات الاعتماد', 'Requests for approval'],
    about: ['ما رُفع إلى المديرين، وآخر ما بُت فيه.', 'What was put to the heads of departments, and what they decided last.'],
    blocks: () => [
      {
        table: {
          head: [['الطلب', 'Request'], department, amount, ['رُفع', 'Raised'], status],
          rows: [
            [
              ['خوادم النسخ الاحتياطي', 'Backup servers'],
              technology,
              { riyals: 148_000 },
              { day: -1 },
              awaited('عند المالية', 'With Finance'),
            ],
            [
              ['تجديد اشتراك التصميم', 'Design licences'],
              communications,
              { riyals: 21_600 },
              { day: -2 },
              awaited('عند المدير', 'With the head'),
            ],
            [['صيانة المصاعد', 'Lift maintenance'], facilities, { riyals: 64_500 }, { day: -4 }, wrong('متأخر', 'Overdue')],
            [['برنامج القيادة', 'Leadership course'], resources, { riyals: 36_000 }, { day: -5 }, well('اعتُمد اليوم', 'Approved today')],
          ],
        },
      },
    ],
  },
  budget: {
    tone: 'teal',
    owner: finance,
    title: ['المصروف هذا العام', 'Spending this year'],
    about: ['المصروف من ميزانية السنة حتى نهاية الشهر الماضي.', 'Spent of this year’s budget until the end of last month.'],
    blocks: () => [
      {
        figures: [
          { label: ['ميزانية السنة', 'Budget'], value: { riyals: 18_400_000 } },
          { label: ['المصروف', 'Spent'], value: { riyals: 11_960_000 }, note: ['65 في المئة', '65 per cent'] },
          { label: ['الملتزم به', 'Committed'], value: { riyals: 2_310_000 } },
        ],
      },
      {
        title: ['حسب الإدارة', 'By department'],
        bars: [
          { label: technology, percent: 78 },
          { label: facilities, percent: 71 },
          { label: projects, percent: 66 },
          { label: resources, percent: 54 },
          { label: communications, percent: 49 },
        ],
      },
    ],
  },
  indicators: {
    tone: 'blue',
    owner: office,
    title: ['نتائج هذا الربع', 'This quarter’s results'],
    about: ['الربع الحالي مقارنة بالمستهدف.', 'This quarter against its targets.'],
    blocks: () => [
      {
        figures: [
          { label: ['رضا المستفيدين', 'Satisfaction'], value: '91%', note: ['المستهدف 90', 'target 90'] },
          { label: ['إنجاز الطلبات في موعدها', 'Orders on time'], value: '96%', note: ['المستهدف 95', 'target 95'] },
          { label: ['دوران الموظفين', 'Staff turnover'], value: '4.1%', note: ['المستهدف دون 6', 'target below 6'] },
          { label: ['توافر الأنظمة', 'Availability'], value: '99.93%', note: ['المستهدف 99.9', 'target 99.9'] },
        ],
      },
      {
        title: ['تقدم المبادرات', 'Initiatives'],
        bars: [
          { label: ['التحول الرقمي', 'Digital transformation'], percent: 62 },
          { label: ['المستودع الجديد', 'New warehouse'], percent: 100 },
          { label: ['خفض استهلاك الطاقة', 'Energy saving'], percent: 44 },
          { label: ['برنامج القيادات', 'Leadership programme'], percent: 30 },
        ],
      },
    ],
  },
  accounting: {
    tone: 'teal',
    owner: finance,
    title: ['فواتير الموردين', 'Suppliers’ invoices'],
    about: ['ما وصل منها، وما استُحق، وما صُرف.', 'Those that came in, those that are due, and those that are paid.'],
    blocks: () => [
      {
        figures: [
          { label: ['مستحق هذا الأسبوع', 'Due this week'], value: { riyals: 182_300 } },
          { label: ['فواتير مفتوحة', 'Open invoices'], value: '14' },
          { label: ['إقفال الشهر', 'Month closes'], value: { day: 7 } },
        ],
      },
      {
        table: {
          head: [['الفاتورة', 'Invoice'], supplier, amount, ['الاستحقاق', 'Due'], status],
          rows: [
            ['INV-20418', national, { riyals: 74_200 }, { day: 1 }, awaited('للصرف', 'To be paid')],
            ['INV-20411', gulf, { riyals: 58_900 }, { day: 2 }, awaited('قيد المطابقة', 'Being matched')],
            ['INV-20397', haddad, { riyals: 49_200 }, { day: -1 }, wrong('متأخرة', 'Overdue')],
            ['INV-20388', national, { riyals: 12_650 }, { day: -6 }, well('صُرفت', 'Paid')],
            ['INV-20371', gulf, { riyals: 31_400 }, { day: -8 }, well('صُرفت', 'Paid')],
          ],
        },
      },
    ],
  },
  purchasing: {
    tone: 'amber',
    owner: finance,
    title: ['أوامر الشراء', 'Purchase orders'],
    about: ['من الطلب إلى التسليم.', 'From request to delivery.'],
    blocks: () => [
      {
        columns: [
          {
            title: ['عروض أسعار', 'Quotes'],
            cards: [
              { title: ['محولات شبكة', 'Network switches'], meta: [technology, { riyals: 96_000 }] },
              { title: ['كراسي مكتبية', 'Office chairs'], meta: [facilities, { riyals: 27_500 }] },
            ],
          },
          {
            title: ['أُرسل إلى المورّد', 'Ordered'],
            cards: [
              {
                title: ['كاميرات الاستوديو', 'Studio cameras'],
                meta: [communications, { riyals: 43_000 }],
                state: awaited('خلال أسبوع', 'Within a week'),
              },
            ],
          },
          {
            title: ['استُلم', 'Delivered'],
            cards: [
              { title: ['قرطاسية الربع', 'Stationery'], meta: [national, { riyals: 8_400 }], state: well('مطابق', 'Checked') },
              { title: ['ورق طباعة', 'Printing paper'], meta: [haddad, { riyals: 5_900 }], state: well('مطابق', 'Checked') },
            ],
          },
        ],
      },
    ],
  },
  contracts: {
    tone: 'plum',
    owner: ['الشؤون القانونية', 'Legal Affairs'],
    title: ['العقود السارية', 'Contracts in force'],
    about: ['أقربها انتهاءً أولًا.', 'Those that end soonest come first.'],
    blocks: () => [
      {
        table: {
          head: [['العقد', 'Contract'], ['الطرف', 'Party'], department, ['ينتهي', 'Ends'], status],
          rows: [
            [['صيانة المصاعد', 'Lift maintenance'], haddad, facilities, { month: 1 }, wrong('يُجدَّد الآن', 'Renew now')],
            [['خطوط الاتصال', 'Leased lines'], gulf, technology, { month: 2 }, awaited('قيد التفاوض', 'In negotiation')],
            [
              ['التأمين الطبي', 'Medical insurance'],
              ['شركة الأمان', 'Al-Aman Insurance'],
              resources,
              { month: 5 },
              well('سارٍ', 'In force'),
            ],
            [['التوريد العام', 'General supplies'], national, finance, { month: 8 }, well('سارٍ', 'In force')],
            [
              ['الاستشارات الهندسية', 'Engineering advice'],
              ['مكتب الأفق', 'Al-Ofoq Office'],
              projects,
              { month: 11 },
              well('سارٍ', 'In force'),
            ],
          ],
        },
      },
    ],
  },
}
