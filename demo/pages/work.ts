/** The working pages of two departments: the systems' state, and the project board. */
import { article, awaited, day, figures, over, type Page, table, well, wrong } from './parts.ts'

export const work: Record<string, Page> = {
  monitoring: [
    'آخر قراءة قبل دقيقة. | Last checked a minute ago.',
    figures(
      ['أنظمة تعمل | Up', '11 / 12'],
      ['التوافر في 30 يومًا | Availability, 30 days', '99.93%'],
      ['حوادث مفتوحة | Open incidents', '1'],
    ),
    table(
      ['النظام | System', 'الحال | State', 'زمن الرد | Response', 'الخادم | Server'],
      ['البوابة | Portal', well('يعمل | Up'), '38 ms', 'app-01'],
      ['البريد | Mail', well('يعمل | Up'), '112 ms', 'mail-01'],
      ['المحاسبة | Accounting', well('يعمل | Up'), '205 ms', 'erp-02'],
      ['التخزين | Storage', awaited('بطيء | Slow'), '940 ms', 'nas-01'],
      ['كاميرات البوابات | Gate cameras', wrong('متوقف | Down'), '—', 'cam-07'],
    ),
    article(
      'انقطاع كاميرا البوابة الشمالية | North gate camera offline',
      [day(0), 'خالد الرشيد | Khalid Al-Rasheed'],
      'كابل تالف؛ يُبدَّل بعد الظهر. | A damaged cable; it is replaced this afternoon.',
    ),
    article(
      'بطء البريد صباحًا | Slow mail in the morning',
      [day(-3), 'سامي عطية | Sami Attia'],
      'امتلأ قرص السجلات، ووُسِّع. | The disk of the logs was full, and was extended.',
    ),
  ],
  'project-board': [
    'ما يُعمل عليه، ومن يقوده. | What is under way, and who leads it.',
    table(
      ['المشروع | Project', 'يقوده | Led by', 'الحال | State'],
      ['نقل مركز البيانات | Data centre move', 'هند الراشد | Hind Al-Rashed', awaited('المرحلة 1 من 4 | Step 1 of 4')],
      ['خفض استهلاك الطاقة | Energy saving', 'تركي الدخيل | Turki Al-Dakhil', wrong('متأخر أسبوعًا | A week late')],
      ['أرشفة العقود | Contract archive', 'سمر يعقوب | Samar Yaqoub', awaited('قيد التنفيذ | Under way')],
      ['تجديد البهو | New lobby', 'لينا صباغ | Lina Sabbagh', over('مخطط | Planned')],
      ['بوابة الموردين | Suppliers’ portal', 'مازن عبدالله | Mazen Abdullah', over('مخطط | Planned')],
      ['المستودع الجديد | New warehouse', 'بندر العجمي | Bandar Al-Ajmi', well('أُنجز قبل موعده | Done, ahead of time')],
    ),
  ],
}
