/** Pages for everyone: news, the calendar, documents, policies and pictures. */

import { communications, facilities, finance, legal, projects, resources, technology } from './departments.ts'
import { article, day, month, type Page, pictures, table } from './parts.ts'

const since = 'سارية منذ | In force since'

export const company: Record<string, Page> = {
  news: [
    'ما جرى في المنظمة وما هو آتٍ، من إدارة الإعلام والاتصال. | What happened in the organisation, and what comes next.',
    article(
      'مركز البيانات الجديد يبدأ العمل | The new data centre goes live',
      [day(0), technology],
      'بدأ مركز البيانات في المبنى الشمالي عمله بعد شهرين من الاختبار. تستهلك أجهزته كهرباء أقل بثلاثين في المئة، وتنتقل إليه الأنظمة على أربع مراحل لا يلاحظها أحد. | After two months of tests, the data centre in the north building is in service. It needs thirty per cent less power, and our systems move there in four steps that nobody should notice.',
      'المرحلة الأولى مساء الجمعة: تتوقف البوابة نحو عشر دقائق. | The first step is on Friday evening: the portal pauses for about ten minutes.',
    ),
    article(
      'نتائج استبيان الموظفين: ثمانية من كل عشرة راضون | Staff survey: eight in ten are content',
      [day(-1), resources],
      'شارك 36 موظفًا من 39، وارتفع الرضا عن بيئة العمل ست نقاط عن العام الماضي. أكثر ما طُلب: مرونة أوسع في أوقات الحضور، ومواقف مظللة. | 36 of 39 people took part, and satisfaction rose by six points. The two most frequent wishes: more flexible hours, and shaded parking.',
    ),
    article(
      'جائزة التميز لفريق إدارة المشاريع | Excellence award for the project team',
      [day(-3), projects],
      'نال الفريق الجائزة عن إنجاز المستودع الجديد قبل موعده بأسبوعين ودون تجاوز الميزانية. يُكرَّم الفريق في لقاء المديرين المقبل. | The team was honoured for finishing the new warehouse two weeks early and within budget.',
    ),
    article(
      'حملة التبرع بالدم في بهو المبنى الرئيس | Blood donation in the main lobby',
      [day(-4), facilities],
      'يستقبل فريق مستشفى الملك فهد المتبرعين من التاسعة حتى الثانية. أحضر هويتك وتناول فطورًا خفيفًا. | The hospital’s team is here from nine to two. Bring your ID and have a light breakfast.',
    ),
  ],
  calendar: [
    'مواعيد تهم الجميع. | Dates that matter to everyone.',
    table(
      ['الموعد | Event', 'اليوم | Day', 'الوقت | Time', 'المكان | Place'],
      ['لقاء الموظفين الجدد | Welcome for new colleagues', day(1), '09:00', 'القاعة الكبرى | Main meeting room'],
      ['عيادة التطعيم الموسمي | Seasonal vaccination', day(1), '13:00', 'العيادة، الدور الأرضي | Clinic, ground floor'],
      ['يوم السلامة: تجربة إخلاء | Safety day: evacuation drill', day(2), '10:30', 'المبنى الرئيس | Main building'],
      ['ملتقى الابتكار | Innovation forum', day(4), '08:30', 'مسرح المبنى الشمالي | Theatre, north building'],
      ['آخر موعد لطلبات التدريب | Training requests close', day(4), '15:00', '—'],
      ['غداء الإدارات | Departments’ lunch', day(7), '12:00', 'المقهى | Cafeteria'],
      ['صرف الرواتب | Payday', day(10), '—', '—'],
    ),
  ],
  documents: [
    'أحدث نسخة من كل نموذج. | The latest version of each.',
    table(
      ['الوثيقة | Document', 'الإدارة | Department', 'النوع | Type', 'آخر تحديث | Updated'],
      ['نموذج طلب شراء | Purchase request', finance, 'XLSX', day(-2)],
      ['قالب عرض تقديمي | Presentation template', communications, 'PPTX', day(-5)],
      ['ورق رسمي بلغتين | Letterhead, both languages', communications, 'DOCX', day(-9)],
      ['إقرار عهدة | Equipment receipt', technology, 'PDF', day(-12)],
      ['نموذج إخلاء طرف | Clearance form', resources, 'PDF', day(-16)],
      ['تقرير زيارة موقع | Site visit report', projects, 'DOCX', day(-21)],
      ['عقد خدمات نموذجي | Standard service contract', legal, 'DOCX', day(-30)],
    ),
  ],
  policies: [
    'خلاصة كل سياسة في سطور؛ يسري النص الكامل المعتمد. | Each policy in a few lines; the full text applies.',
    article(
      'العمل عن بُعد | Remote work',
      [since, month(-4)],
      'يومان في الأسبوع لمن تسمح طبيعة عمله، باتفاق مع المدير المباشر. يكون الموظف متاحًا من التاسعة حتى الثالثة. | Two days a week where the work allows it, agreed with your manager. Be available from nine to three.',
    ),
    article(
      'حماية البيانات | Data protection',
      [since, month(-7)],
      'لا تُنقل بيانات المستفيدين إلى أجهزة شخصية ولا إلى خدمات سحابية غير معتمدة. يُبلَّغ عن أي تسرب خلال ساعة. | Personal data stays off private devices and unapproved cloud services. Report any leak within an hour.',
    ),
    article(
      'المصروفات والسفر | Expenses and travel',
      [since, month(-11)],
      'تُرفع الفواتير خلال أسبوعين من العودة. درجة السفر سياحية لما دون خمس ساعات. | Hand in receipts within two weeks. Flights under five hours are in economy.',
    ),
    article(
      'الهدايا وتضارب المصالح | Gifts and conflicts of interest',
      [since, month(-14)],
      'تُقبل الهدايا الرمزية فقط، وما زاد على 200 ريال يُعاد أو يُسلَّم إلى الشؤون القانونية. | Token gifts only; anything above 200 riyals is returned or handed to Legal Affairs.',
    ),
  ],
  'media-library': [
    'معتمدة من إدارة الإعلام، وبدقة كاملة عند الطلب. | Cleared by Communications; full size on request.',
    pictures(
      ['المبنى الشمالي عند الفجر | North building at dawn', 'تصوير: كريم منصور | Photo: Karim Mansour'],
      ['الطريق إلى المستودع | The road to the warehouse', 'تصوير: شهد البلوي | Photo: Shahd Al-Balawi'],
      ['مساء من سطح المبنى | Evening from the roof', 'تصوير: عادل السيد | Photo: Adel El-Sayed'],
      ['زيارة الوادي مع فريق المشاريع | The valley, with the project team', 'تصوير: كريم منصور | Photo: Karim Mansour'],
      ['يوم العائلة | Family day', 'تصوير: شهد البلوي | Photo: Shahd Al-Balawi'],
      ['ضباب أول الشتاء | The first fog of winter', 'تصوير: عادل السيد | Photo: Adel El-Sayed'],
    ),
  ],
}
