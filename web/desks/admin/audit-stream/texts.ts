import { countedAr, countedEn, formatNumber, texts } from '../../../platform/language.ts'

const ar = {
  title: 'بث سجل التدقيق',
  purpose:
    'ترسل البوابة كل مدخل من سجل التدقيق، وكل حدث أمني، وكل ختم للسجل إلى خادم خارجها، فتبقى نسخة لا يقدر أحد أن يغيّرها من داخل البوابة.',
  operator: 'يضبطه مشغّل البوابة وحده بمتغيرات AUDIT_STREAM، ولا يوقفه أحد من هنا.',
  states: { off: 'غير مضبوط', working: 'يعمل', behind: 'متأخر', failing: 'يتعثر' },
  facts: { state: 'الحالة', to: 'الوجهة', place: 'آخر مدخل وصل', behind: 'في الانتظار', sentAt: 'آخر إرسال' },
  kinds: { https: 'HTTPS', syslog: 'syslog عبر TLS' },
  nothingSent: 'لم يُرسل شيء بعد',
  waiting: countedAr({
    zero: 'لا شيء',
    one: 'مدخل واحد',
    two: 'مدخلان',
    few: '# مدخلات',
    many: '# مدخلًا',
    other: '# مدخل',
  }),
  oldest: (gap: string) => `أقدمها ينتظر منذ ${gap}`,
  offTitle: 'لا خادم يستقبل السجل',
  offHint:
    'اطلب من مشغّل البوابة أن يضبط AUDIT_STREAM_URL، فتبدأ النسخة من أول مدخل ما زالت البوابة تحفظه. وللبرامج أن تسحب المدخلات نفسها برمز نطاقه audit:read.',
  failing: (since: string) => `لا يصل السجل إلى الخادم (${since})`,
  behindTitle: 'البث متأخر',
  behindHint:
    'يستقبل الخادم المدخلات بترتيبها، والبوابة ترسل ما تأخر. إن طال ذلك فالخادم بطيء، أو في قاعدة البيانات معاملة لم تنتهِ: تواصل مع مشغّليهما.',
  keeps: 'لا يضيع شيء: تُعاد المحاولات إلى أن يستقبل الخادم، ثم يستمر الإرسال من حيث توقف. تُحفظ الأحداث الأمنية 30 يومًا.',
  answered: (status: number) => `أجاب الخادم بالرمز ${formatNumber(status)} بدل القبول.`,
  statuses: {
    auth: 'لا يقبل الخادم الرمز السري. تحقق مع مشغّل البوابة من AUDIT_STREAM_TOKEN.',
    redirect: 'يعيد الخادم التوجيه إلى عنوان آخر، ولا تتبعه البوابة. صحّح AUDIT_STREAM_URL.',
    content: 'يرفض الخادم ما يُرسل إليه. تحقق من العنوان ومن AUDIT_STREAM_FORMAT. المدخل الذي يُرفض وحده يومًا كاملًا يُبلَّغ برقمه فقط.',
    other: 'ابحث عن السبب في سجلات الخادم.',
  },
  errors: {
    refused: 'لا برنامج يستمع على هذا العنوان. تحقق من أن الخادم يعمل ومن المنفذ.',
    address: 'لا يمكن الوصول إلى هذا العنوان.',
    dns: 'لا عنوان لهذا الاسم. تحقق من كتابته.',
    tls: 'شهادة الخادم غير صالحة، أو لا يقبل شهادة البوابة. جدّدها، أو صحّح AUDIT_STREAM_CA.',
    timeout: 'لم يُجب الخادم في الوقت المحدد.',
    closed: 'قطع الخادم الاتصال.',
    status: 'لم يقبل الخادم ما أُرسل إليه.',
  },
}
const en: typeof ar = {
  title: 'Audit stream',
  purpose:
    'The portal sends every entry of the audit log, every security event and every seal of the log to a collector outside. So there is a copy that nobody can change from inside.',
  operator: 'The operator sets it up by the variables AUDIT_STREAM. Nobody can stop it here.',
  states: { off: 'Not set up', working: 'Working', behind: 'Behind', failing: 'Failing' },
  facts: { state: 'Status', to: 'Sent to', place: 'Last entry that arrived', behind: 'Waiting', sentAt: 'Last sent' },
  kinds: { https: 'HTTPS', syslog: 'syslog over TLS' },
  nothingSent: 'nothing yet',
  waiting: countedEn({ zero: 'none', one: 'one entry', other: '# entries' }),
  oldest: (gap) => `the oldest for ${gap}`,
  offTitle: 'No collector receives the log',
  offHint:
    'Ask the operator to set AUDIT_STREAM_URL: the copy begins at the first entry that the portal still has. Programs can pull the same entries by a token with the scope audit:read.',
  failing: (since) => `The collector doesn’t take the log (${since})`,
  behindTitle: 'The stream is behind',
  behindHint:
    'The collector takes entries in order, and the portal is catching up. If that lasts, the collector is slow, or a transaction stays open in the database: talk to their operators.',
  keeps:
    'Nothing is lost: the portal tries again until the collector takes it, and goes on where it stopped. Security events are kept for 30 days.',
  answered: (status) => `The collector answered ${formatNumber(status)} instead of accepting.`,
  statuses: {
    auth: 'The collector doesn’t accept the token. Check AUDIT_STREAM_TOKEN with the operator.',
    redirect: 'The collector redirects to another address, and the portal follows no redirects. Correct AUDIT_STREAM_URL.',
    content:
      'The collector refuses what it is sent. Check the address and AUDIT_STREAM_FORMAT. Of an entry that is refused alone for a day, only the number is sent.',
    other: 'Look for the reason in the collector’s logs.',
  },
  errors: {
    refused: 'Nothing listens at this address. Check that the collector runs, and the port.',
    address: 'This address can’t be reached.',
    dns: 'The name has no address. Check its spelling.',
    tls: 'The collector’s certificate isn’t valid, or it doesn’t accept the portal’s. Renew it, or correct AUDIT_STREAM_CA.',
    timeout: 'The collector didn’t answer in time.',
    closed: 'The collector closed the connection.',
    status: 'The collector didn’t accept what it was sent.',
  },
}
export const both = { ar, en }
export const t = texts(both)
