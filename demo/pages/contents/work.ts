/** The working pages of two departments: the systems' state, and the project board. */
import { awaited, type Page, well, wrong } from './content.ts'

export const work: Record<string, Page> = {
  monitoring: {
    tone: 'slate',
    owner: ['تقنية المعلومات', 'Information Technology'],
    title: ['حال الأنظمة', 'Systems'],
    about: ['آخر قراءة قبل دقيقة.', 'Last checked a minute ago.'],
    blocks: () => [
      {
        figures: [
          { label: ['أنظمة تعمل', 'Up'], value: '11 / 12' },
          { label: ['التوافر في 30 يومًا', 'Availability, 30 days'], value: '99.93%' },
          { label: ['حوادث مفتوحة', 'Open incidents'], value: '1' },
        ],
      },
      {
        table: {
          head: [
            ['النظام', 'System'],
            ['الحال', 'State'],
            ['زمن الرد', 'Response'],
            ['الخادم', 'Server'],
          ],
          rows: [
            [['البوابة', 'Portal'], well('يعمل', 'Up'), '38 ms', 'app-01'],
            [['البريد', 'Mail'], well('يعمل', 'Up'), '112 ms', 'mail-01'],
            [['المحاسبة', 'Accounting'], well('يعمل', 'Up'), '205 ms', 'erp-02'],
            [['التخزين', 'Storage'], awaited('بطيء', 'Slow'), '940 ms', 'nas-01'],
            [['كاميرات البوابات', 'Gate cameras'], wrong('متوقف', 'Down'), '—', 'cam-07'],
          ],
        },
      },
      {
        title: ['آخر الحوادث', 'Recent incidents'],
        articles: [
          {
            title: ['انقطاع كاميرا البوابة الشمالية', 'North gate camera offline'],
            meta: [{ day: 0 }, ['خالد الرشيد', 'Khalid Al-Rasheed']],
            text: [['كابل تالف؛ يُبدَّل بعد الظهر.', 'A damaged cable; it is replaced this afternoon.']],
          },
          {
            title: ['بطء البريد صباحًا', 'Slow mail in the morning'],
            meta: [{ day: -3 }, ['سامي عطية', 'Sami Attia']],
            text: [['امتلأ قرص السجلات، ووُسِّع.', 'A disk of logs was full, and was extended.']],
          },
        ],
      },
    ],
  },
  'project-board': {
    tone: 'teal',
    owner: ['إدارة المشاريع', 'Projects'],
    title: ['مشاريع هذا الشهر', 'This month’s projects'],
    about: ['ما يُعمل عليه، ومن يقوده.', 'What is under way, and who leads it.'],
    blocks: () => [
      {
        columns: [
          {
            title: ['مخطط', 'Planned'],
            cards: [
              { title: ['تجديد البهو', 'New lobby'], meta: [['لينا صباغ', 'Lina Sabbagh']] },
              { title: ['بوابة الموردين', 'Suppliers’ portal'], meta: [['مازن عبدالله', 'Mazen Abdullah']] },
            ],
          },
          {
            title: ['قيد التنفيذ', 'Under way'],
            cards: [
              {
                title: ['نقل مركز البيانات', 'Data centre move'],
                state: awaited('المرحلة 1 من 4', 'Step 1 of 4'),
                meta: [['هند الراشد', 'Hind Al-Rashed']],
              },
              {
                title: ['خفض استهلاك الطاقة', 'Energy saving'],
                state: wrong('متأخر أسبوعًا', 'A week late'),
                meta: [['تركي الدخيل', 'Turki Al-Dakhil']],
              },
              { title: ['أرشفة العقود', 'Contract archive'], meta: [['سمر يعقوب', 'Samar Yaqoub']] },
            ],
          },
          {
            title: ['أُنجز', 'Done'],
            cards: [
              {
                title: ['المستودع الجديد', 'New warehouse'],
                state: well('قبل موعده', 'Ahead of time'),
                meta: [['بندر العجمي', 'Bandar Al-Ajmi']],
              },
            ],
          },
        ],
      },
    ],
  },
}
