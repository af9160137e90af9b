/** For everyone: news, the calendar, documents, policies and pictures. */
import { type Both, type Page, well } from './content.ts'

const communications: Both = ['الإعلام والاتصال', 'Communications']
const office: Both = ['المكتب التنفيذي', 'Executive Office']
const legal: Both = ['الشؤون القانونية', 'Legal Affairs']
const since: Both = ['سارية منذ', 'In force since']
const pdf = 'PDF'

export const company: Record<string, Page> = {
  news: {
    tone: 'blue',
    owner: communications,
    title: ['أخبار هذا الأسبوع', 'This week’s news'],
    about: ['ما جرى في المنظمة وما هو آتٍ، من إدارة الإعلام والاتصال.', 'What happened in the organisation, and what comes next.'],
    blocks: () => [
      {
        articles: [
          {
            title: ['مركز البيانات الجديد يبدأ العمل', 'The new data centre goes live'],
            meta: [{ day: 0 }, ['تقنية المعلومات', 'Information Technology']],
            text: [
              [
                'بدأ مركز البيانات في المبنى الشمالي عمله بعد شهرين من الاختبار. تستهلك أجهزته كهرباء أقل بثلاثين في المئة، وتنتقل إليه الأنظمة على أربع مراحل لا يلاحظها أحد.',
                'After two months of tests, the data centre in the north building is in service. It needs thirty per cent less power, and our systems move there in four steps that nobody should notice.',
              ],
              [
                'المرحلة الأولى مساء الجمعة: تتوقف البوابة نحو عشر دقائق.',
                'The first step is on Friday evening: the portal pauses for about ten minutes.',
              ],
            ],
          },
          {
            title: ['نتائج استبيان الموظفين: ثمانية من كل عشرة راضون', 'Staff survey: eight in ten are content'],
            meta: [{ day: -1 }, ['الموارد البشرية', 'Human Resources']],
            text: [
              [
                'شارك 36 موظفًا من 39، وارتفع الرضا عن بيئة العمل ست نقاط عن العام الماضي. أكثر ما طُلب: مرونة أوسع في أوقات الحضور، ومواقف مظللة.',
                '36 of 39 people took part, and satisfaction rose by six points. The two most frequent wishes: more flexible hours, and shaded parking.',
              ],
            ],
          },
          {
            title: ['جائزة التميز لفريق إدارة المشاريع', 'Excellence award for the project team'],
            meta: [{ day: -3 }, ['إدارة المشاريع', 'Projects']],
            text: [
              [
                'نال الفريق الجائزة عن إنجاز المستودع الجديد قبل موعده بأسبوعين ودون تجاوز الميزانية. يُكرَّم الفريق في لقاء المديرين المقبل.',
                'The team was honoured for finishing the new warehouse two weeks early and within budget.',
              ],
            ],
          },
          {
            title: ['حملة التبرع بالدم في بهو المبنى الرئيس', 'Blood donation in the main lobby'],
            meta: [{ day: -4 }, ['المرافق', 'Facilities']],
            text: [
              [
                'يستقبل فريق مستشفى الملك فهد المتبرعين من التاسعة حتى الثانية. أحضر هويتك وتناول فطورًا خفيفًا.',
                'The hospital’s team is here from nine to two. Bring your ID and have a light breakfast.',
              ],
            ],
          },
        ],
      },
      {
        title: ['انضموا إلينا', 'New colleagues'],
        cards: [
          { title: ['دانة العنزي', 'Dana Al-Anazi'], meta: [['تقنية المعلومات', 'Information Technology']] },
          { title: ['سلمى الأنصاري', 'Salma Al-Ansari'], meta: [['الموارد البشرية', 'Human Resources']] },
          { title: ['لينا صباغ', 'Lina Sabbagh'], meta: [['إدارة المشاريع', 'Projects']] },
        ],
      },
    ],
  },
  calendar: {
    tone: 'amber',
    owner: office,
    title: ['الأيام المقبلة', 'The coming days'],
    about: ['مواعيد تهم الجميع.', 'Dates that matter to everyone.'],
    blocks: () => [
      {
        days: [
          {
            day: 1,
            lines: [
              { time: '09:00', title: ['لقاء الموظفين الجدد', 'Welcome for new colleagues'], meta: ['القاعة الكبرى', 'Main meeting room'] },
              {
                time: '13:00',
                title: ['عيادة التطعيم الموسمي', 'Seasonal vaccination'],
                meta: ['العيادة، الدور الأرضي', 'Clinic, ground floor'],
              },
            ],
          },
          {
            day: 2,
            lines: [
              {
                time: '10:30',
                title: ['يوم السلامة: تجربة إخلاء', 'Safety day: evacuation drill'],
                meta: ['المبنى الرئيس', 'Main building'],
              },
            ],
          },
          {
            day: 4,
            lines: [
              { time: '08:30', title: ['ملتقى الابتكار', 'Innovation forum'], meta: ['مسرح المبنى الشمالي', 'Theatre, north building'] },
              { time: '15:00', title: ['آخر موعد لطلبات التدريب', 'Training requests close'] },
            ],
          },
          { day: 7, lines: [{ time: '12:00', title: ['غداء الإدارات', 'Departments’ lunch'], meta: ['المقهى', 'Cafeteria'] }] },
          {
            day: 10,
            lines: [{ title: ['صرف الرواتب', 'Payday'] }, { time: '14:00', title: ['إقفال الشهر المالي', 'End of the financial month'] }],
          },
        ],
      },
    ],
  },
  documents: {
    tone: 'plum',
    owner: office,
    title: ['النماذج المعتمدة', 'Approved forms'],
    about: ['أحدث نسخة من كل نموذج.', 'The latest version of each.'],
    blocks: () => [
      {
        table: {
          head: [
            ['الوثيقة', 'Document'],
            ['الإدارة', 'Department'],
            ['النوع', 'Type'],
            ['آخر تحديث', 'Updated'],
          ],
          rows: [
            [['نموذج طلب شراء', 'Purchase request'], ['الشؤون المالية', 'Finance'], 'XLSX', { day: -2 }],
            [['قالب عرض تقديمي', 'Presentation template'], communications, 'PPTX', { day: -5 }],
            [['ورق رسمي بلغتين', 'Letterhead, both languages'], communications, 'DOCX', { day: -9 }],
            [['إقرار عهدة', 'Equipment receipt'], ['تقنية المعلومات', 'Information Technology'], pdf, { day: -12 }],
            [['نموذج إخلاء طرف', 'Clearance form'], ['الموارد البشرية', 'Human Resources'], pdf, { day: -16 }],
            [['تقرير زيارة موقع', 'Site visit report'], ['إدارة المشاريع', 'Projects'], 'DOCX', { day: -21 }],
            [['عقد خدمات نموذجي', 'Standard service contract'], legal, 'DOCX', { day: -30 }],
          ],
        },
      },
    ],
  },
  policies: {
    tone: 'rose',
    owner: legal,
    title: ['السياسات بإيجاز', 'Policies in brief'],
    about: ['خلاصة كل سياسة في سطور؛ يسري النص الكامل المعتمد.', 'Each policy in a few lines; the full text applies.'],
    blocks: () => [
      {
        articles: [
          {
            title: ['العمل عن بُعد', 'Remote work'],
            meta: [{ month: -4, prefix: since }],
            text: [
              [
                'يومان في الأسبوع لمن تسمح طبيعة عمله، باتفاق مع المدير المباشر. يكون الموظف متاحًا من التاسعة حتى الثالثة.',
                'Two days a week where the work allows it, agreed with your manager. Be available from nine to three.',
              ],
            ],
          },
          {
            title: ['حماية البيانات', 'Data protection'],
            meta: [{ month: -7, prefix: since }],
            text: [
              [
                'لا تُنقل بيانات المستفيدين إلى أجهزة شخصية ولا إلى خدمات سحابية غير معتمدة. يُبلَّغ عن أي تسرب خلال ساعة.',
                'Personal data stays off private devices and unapproved cloud services. Report any leak within an hour.',
              ],
            ],
          },
          {
            title: ['المصروفات والسفر', 'Expenses and travel'],
            meta: [{ month: -11, prefix: since }],
            text: [
              [
                'تُرفع الفواتير خلال أسبوعين من العودة. درجة السفر سياحية لما دون خمس ساعات.',
                'Hand in receipts within two weeks. Flights under five hours are in economy.',
              ],
            ],
          },
          {
            title: ['الهدايا وتضارب المصالح', 'Gifts and conflicts of interest'],
            meta: [{ month: -14, prefix: since }],
            text: [
              [
                'تُقبل الهدايا الرمزية فقط، وما زاد على 200 ريال يُعاد أو يُسلَّم إلى الشؤون القانونية.',
                'Token gifts only; anything above 200 riyals is returned or handed to Legal Affairs.',
              ],
            ],
          },
        ],
      },
    ],
  },
  'media-library': {
    tone: 'rose',
    owner: communications,
    title: ['صور للنشر', 'Pictures for publishing'],
    about: ['معتمدة من إدارة الإعلام، وبدقة كاملة عند الطلب.', 'Cleared by Communications; full size on request.'],
    blocks: () => [
      {
        pictures: [
          { title: ['المبنى الشمالي عند الفجر', 'North building at dawn'], meta: ['تصوير: كريم منصور', 'Photo: Karim Mansour'] },
          { title: ['الطريق إلى المستودع', 'The road to the warehouse'], meta: ['تصوير: شهد البلوي', 'Photo: Shahd Al-Balawi'] },
          { title: ['مساء من سطح المبنى', 'Evening from the roof'], meta: ['تصوير: عادل السيد', 'Photo: Adel El-Sayed'] },
          {
            title: ['زيارة الوادي مع فريق المشاريع', 'The valley, with the project team'],
            meta: ['تصوير: كريم منصور', 'Photo: Karim Mansour'],
          },
          { title: ['يوم العائلة', 'Family day'], meta: ['تصوير: شهد البلوي', 'Photo: Shahd Al-Balawi'] },
          { title: ['ضباب أول الشتاء', 'The first fog of winter'], meta: ['تصوير: عادل السيد', 'Photo: Adel El-Sayed'] },
        ],
      },
      {
        title: ['الهوية البصرية', 'Brand'],
        cards: [
          { title: ['الشعار بلغتين', 'Logo in both languages'], state: well('معتمد', 'Approved'), meta: ['SVG, PNG'] },
          { title: ['دليل الألوان والخطوط', 'Colours and type'], state: well('معتمد', 'Approved'), meta: [pdf] },
        ],
      },
    ],
  },
}
