/** The texts of notifications about providers. */
import type { NoticeTexts } from '../../work/notifications/shapes.ts'

export const providerTemplates = {
  identity_linked: {
    titleAr: 'طريقة دخول جديدة إلى حسابك',
    titleEn: 'A new way to sign in to your account',
    bodyAr:
      'يمكن الآن الدخول إلى حسابك من «{provider}». إن لم يكن ذلك منك، فافصل الحساب من صفحة الأمان وغيّر كلمة المرور وأبلغ أحد المديرين.',
    bodyEn:
      'Your account can now be opened through “{provider}”. If it was not you, disconnect it on the security page, change your password and tell an administrator.',
    mailed: '/account/security',
  },
  provider_unreachable: {
    titleAr: 'مزوّد دخول لا يردّ',
    titleEn: 'A sign-in provider does not answer',
    bodyAr: 'لم يردّ «{provider}» منذ 15 دقيقة، فلا يستطيع أحد الدخول منه.',
    bodyEn: '“{provider}” has not answered for 15 minutes; nobody can sign in through it.',
    mailed: '/admin/sign-in',
  },
  last_admin_kept: {
    titleAr: 'بقي آخر مدير في مجموعته',
    titleEn: 'The last administrator stayed in a group',
    bodyAr: 'كانت مجموعات {person} لدى مزوّد الدخول ستُفقد البوابة آخر مديريها، فبقيت العضوية كما هي. عيّن مديرًا آخر.',
    bodyEn:
      'The provider’s groups of {person} would have taken the portal’s last administrator, so the membership stayed. Appoint another administrator.',
  },
} as const satisfies Record<string, NoticeTexts>
