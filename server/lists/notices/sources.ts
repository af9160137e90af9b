/** The texts of notifications about sources of people. */
import type { NoticeTexts } from '../../work/notifications/shapes.ts'

export const sourceTemplates = {
  source_held: {
    titleAr: 'أُوقفت تعطيلات كثيرة',
    titleEn: 'Many deactivations were held',
    bodyAr: 'يطلب المصدر «{source}» تعطيل عدد كبير من الحسابات دفعة واحدة، فأُوقف الباقي. إن كان ذلك مقصودًا، فاسمح به من صفحة المصدر.',
    bodyEn:
      'The source “{source}” is deactivating many accounts at once, so the rest is held. If that is intended, release them on the page of the source.',
    mailed: '/admin/provisioning',
  },
  source_silent: {
    titleAr: 'مصدر لم يتصل منذ يوم',
    titleEn: 'A source has not called for a day',
    bodyAr: 'لم يتصل المصدر «{source}» بالبوابة منذ 24 ساعة. تحقق في الدليل من أنه ما زال يعمل، ومن أن رمزه لم ينتهِ.',
    bodyEn:
      'The source “{source}” has not called for 24 hours. Look in the directory whether it still runs, and whether its token has ended.',
    mailed: '/admin/provisioning',
  },
  source_refused: {
    titleAr: 'اتصالات مصدر تُرفض',
    titleEn: 'Calls of a source are refused',
    bodyAr: 'رُفض كثير من اتصالات المصدر «{source}» خلال 24 ساعة. تجد في صفحته ما رُفض وما عليك فعله.',
    bodyEn: 'Many calls of the source “{source}” were refused within 24 hours. Its page shows them, with what to do.',
    mailed: '/admin/provisioning',
  },
  admin_adopted: {
    titleAr: 'مصدر يتولى حساب مدير',
    titleEn: 'A source took over an administrator’s account',
    bodyAr: 'تولّى المصدر «{source}» إدارة حساب المدير {person}.',
    bodyEn: 'The source “{source}” now manages the account of the administrator {person}.',
    mailed: '/admin/provisioning',
  },
  adoption_refused: {
    titleAr: 'حساب لم يُثبت أحد ملكيته',
    titleEn: 'An account without a confirmed address',
    bodyAr: 'لم يتولَّ المصدر «{source}» حساب {person}، لأن أحدًا لم يثبت عنوان بريده. يمكن لأحد المديرين إسناد الحساب إليه بنفسه.',
    bodyEn:
      'The source “{source}” did not take over the account of {person}, because the account’s email address was never confirmed. An administrator can hand the account over to the source.',
  },
  admins_moved: {
    titleAr: 'مصدر غيّر مديري البوابة',
    titleEn: 'A source changed who is an administrator',
    bodyAr: 'غيّر المصدر «{source}» أعضاء المجموعة «{name}» التي يصبح أعضاؤها مديرين للبوابة.',
    bodyEn: 'The source “{source}” changed the members of “{name}”, whose members are administrators.',
    mailed: '/admin/provisioning',
  },
} as const satisfies Record<string, NoticeTexts>
