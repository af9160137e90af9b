/** Pages about money: budgets, invoices, purchases, contracts, and requests for approval. */

import { communications, facilities, finance, projects, resources, technology } from './departments.ts'
import { awaited, day, figures, month, type Page, percent, riyals, table, well, wrong } from './parts.ts'

const department = 'الإدارة | Department'
const amount = 'المبلغ | Amount'
const status = 'الحالة | Status'

const national = 'الشركة الوطنية للتوريد | National Supply Co.'
const gulf = 'شبكات الخليج | Gulf Networks'
const haddad = 'حداد وأبناؤه | Haddad & Sons'

export const money: Record<string, Page> = {
  approvals: [
    'ما رُفع إلى المديرين، وآخر ما بُت فيه. | Requests to the heads of departments, and their latest decisions.',
    table(
      ['الطلب | Request', department, amount, 'رُفع | Raised', status],
      ['خوادم النسخ الاحتياطي | Backup servers', technology, riyals(148_000), day(-1), awaited('عند المالية | With Finance')],
      ['تجديد اشتراك التصميم | Design licences', communications, riyals(21_600), day(-2), awaited('عند المدير | With the head')],
      ['صيانة المصاعد | Lift maintenance', facilities, riyals(64_500), day(-4), wrong('متأخر | Overdue')],
      ['برنامج القيادة | Leadership course', resources, riyals(36_000), day(-5), well('اعتُمد اليوم | Approved today')],
    ),
  ],
  budget: [
    'المصروف من ميزانية السنة حتى نهاية الشهر الماضي. | Spent of this year’s budget until the end of last month.',
    figures(
      ['ميزانية السنة | Budget', riyals(18_400_000)],
      ['المصروف | Spent', riyals(11_960_000), '65 في المئة | 65 per cent'],
      ['الملتزم به | Committed', riyals(2_310_000)],
    ),
    'حسب الإدارة | By department',
    table(
      [department, 'المصروف | Spent'],
      [technology, percent(78)],
      [facilities, percent(71)],
      [projects, percent(66)],
      [resources, percent(54)],
      [communications, percent(49)],
    ),
  ],
  indicators: [
    'الربع الحالي مقارنة بالمستهدف. | This quarter against its targets.',
    figures(
      ['رضا المستفيدين | Satisfaction', '91%', 'المستهدف 90 | target 90'],
      ['إنجاز الطلبات في موعدها | Orders on time', '96%', 'المستهدف 95 | target 95'],
      ['دوران الموظفين | Staff turnover', '4.1%', 'المستهدف دون 6 | target below 6'],
      ['توافر الأنظمة | Availability', '99.93%', 'المستهدف 99.9 | target 99.9'],
    ),
    'تقدم المبادرات | Initiatives',
    table(
      ['المبادرة | Initiative', 'التقدم | Progress'],
      ['التحول الرقمي | Digital transformation', percent(62)],
      ['المستودع الجديد | New warehouse', percent(100)],
      ['خفض استهلاك الطاقة | Energy saving', percent(44)],
      ['برنامج القيادات | Leadership programme', percent(30)],
    ),
  ],
  accounting: [
    'ما وصل منها، وما استُحق، وما صُرف. | Received, due and paid.',
    figures(
      ['مستحق هذا الأسبوع | Due this week', riyals(182_300)],
      ['فواتير مفتوحة | Open invoices', '14'],
      ['إقفال الشهر | Month closes', day(7)],
    ),
    table(
      ['الفاتورة | Invoice', 'المورّد | Supplier', amount, 'الاستحقاق | Due', status],
      ['INV-20418', national, riyals(74_200), day(1), awaited('للصرف | To be paid')],
      ['INV-20411', gulf, riyals(58_900), day(2), awaited('قيد المطابقة | Being matched')],
      ['INV-20397', haddad, riyals(49_200), day(-1), wrong('متأخرة | Overdue')],
      ['INV-20388', national, riyals(12_650), day(-6), well('صُرفت | Paid')],
      ['INV-20371', gulf, riyals(31_400), day(-8), well('صُرفت | Paid')],
    ),
  ],
  purchasing: [
    'من الطلب إلى التسليم. | From request to delivery.',
    table(
      ['الطلب | Order', 'لمن أو ممن | For or from', amount, status],
      ['محولات شبكة | Network switches', technology, riyals(96_000), awaited('عروض أسعار | Quotes')],
      ['كراسي مكتبية | Office chairs', facilities, riyals(27_500), awaited('عروض أسعار | Quotes')],
      ['كاميرات الاستوديو | Studio cameras', communications, riyals(43_000), awaited('تصل خلال أسبوع | Due within a week')],
      ['قرطاسية الربع | Stationery', national, riyals(8_400), well('استُلم | Delivered')],
      ['ورق طباعة | Printing paper', haddad, riyals(5_900), well('استُلم | Delivered')],
    ),
  ],
  contracts: [
    'أقربها انتهاءً أولًا. | Those that end soonest come first.',
    table(
      ['العقد | Contract', 'الطرف | Party', department, 'ينتهي | Ends', status],
      ['صيانة المصاعد | Lift maintenance', haddad, facilities, month(1), wrong('يُجدَّد الآن | Renew now')],
      ['خطوط الاتصال | Leased lines', gulf, technology, month(2), awaited('قيد التفاوض | In negotiation')],
      ['التأمين الطبي | Medical insurance', 'شركة الأمان | Al-Aman Insurance', resources, month(5), well('سارٍ | In force')],
      ['التوريد العام | General supplies', national, finance, month(8), well('سارٍ | In force')],
      ['الاستشارات الهندسية | Engineering advice', 'مكتب الأفق | Al-Ofoq Office', projects, month(11), well('سارٍ | In force')],
    ),
  ],
}
