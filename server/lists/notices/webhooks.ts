/** The texts of notifications about webhooks. */
import type { NoticeTexts } from '../../work/notifications/shapes.ts'

const mailed = '/admin/webhooks'

export const webhookTemplates = {
  webhook_failing_hour: {
    titleAr: 'خطاف ويب يتعثر منذ ساعة',
    titleEn: 'A webhook has failed for an hour',
    bodyAr: 'لم تصل أي رسالة من خطاف الويب «{name}» منذ ساعة. تُعاد المحاولات، ولا يضيع شيء.',
    bodyEn: 'The webhook “{name}” has delivered nothing for an hour. The portal keeps trying, and nothing is lost.',
    mailed,
  },
  webhook_failing_day: {
    titleAr: 'خطاف ويب يتعثر منذ يوم',
    titleEn: 'A webhook has failed for a day',
    bodyAr: 'لم تصل أي رسالة من خطاف الويب «{name}» منذ يوم. إن استمر ذلك يومين آخرين أُوقف.',
    bodyEn: 'The webhook “{name}” has delivered nothing for a day. If that goes on for two more days, it is paused.',
    mailed,
  },
  webhook_paused: {
    titleAr: 'أُوقف خطاف ويب',
    titleEn: 'A webhook was paused',
    bodyAr:
      'لم تصل أي رسالة من خطاف الويب «{name}» منذ ثلاثة أيام، فأُوقف. أصلح الجهة المستقبِلة ثم شغّله؛ وسيُرسل إليها ما فاتها خلال 30 يومًا.',
    bodyEn:
      'The webhook “{name}” had delivered nothing for three days and was paused. Repair the receiver, then switch it on: it is sent what it missed within 30 days.',
    mailed,
  },
  webhook_gone: {
    titleAr: 'أُوقف خطاف ويب بطلب من الجهة المستقبِلة',
    titleEn: 'A receiver stopped its webhook',
    bodyAr: 'أجابت الجهة المستقبِلة لخطاف الويب «{name}» بأنها لم تعد موجودة (410)، فأُوقف.',
    bodyEn: 'The receiver of the webhook “{name}” answered that it is gone (410), so the webhook was paused.',
    mailed,
  },
  webhook_without_secret: {
    titleAr: 'خطاف ويب بلا سرّ',
    titleEn: 'A webhook has no secret',
    bodyAr: 'فُقد سرّ خطاف الويب «{name}» مع مفتاح الأسرار، فأُوقف. أنشئ له سرًّا جديدًا وأدخله في الجهة المستقبِلة ثم شغّله.',
    bodyEn:
      'The secret of the webhook “{name}” was lost with the key of secrets, so it was paused. Make a new one, enter it at the receiver, and switch the webhook on.',
    mailed,
  },
  webhook_gave_up: {
    titleAr: 'رسائل لم تصل',
    titleEn: 'Messages were given up',
    bodyAr: 'لم تصل رسائل من خطاف الويب «{name}» بعد 20 محاولة. يمكنك إعادة إرسالها من صفحته خلال 30 يومًا.',
    bodyEn: 'Messages of the webhook “{name}” were given up after 20 tries. You can send them again on its page within 30 days.',
    mailed,
  },
} as const satisfies Record<string, NoticeTexts>
