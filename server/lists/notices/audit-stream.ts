/** The texts of notifications about the audit stream. */
import type { NoticeTexts } from '../../work/notifications/shapes.ts'

const mailed = '/admin/audit-stream'

export const auditStreamTemplates = {
  audit_stream_behind: {
    titleAr: 'بث سجل التدقيق متأخر ساعة',
    titleEn: 'The audit stream is an hour behind',
    bodyAr: 'لم تصل إلى الخادم الذي يستقبل السجل مدخلات عمرها ساعة. تُعاد المحاولات، ولا يضيع شيء.',
    bodyEn: 'The collector of the audit stream lacks entries that are an hour old. The portal keeps trying, and nothing is lost.',
    mailed,
  },
  audit_stream_refused: {
    titleAr: 'رفض الخادم مدخلًا من سجل التدقيق',
    titleEn: 'The collector refused an entry of the audit log',
    bodyAr: 'ظل الخادم الذي يستقبل السجل يرفض المدخل {id} يومًا كاملًا، فأُبلغ برقمه وحده، واستمر البث. المدخل محفوظ في البوابة.',
    bodyEn: 'The collector refused the entry {id} for a day. Only its number was sent, and the stream goes on. The portal has the entry.',
    mailed,
  },
} as const satisfies Record<string, NoticeTexts>
