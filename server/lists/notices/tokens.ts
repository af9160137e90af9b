/** The texts of notifications about API tokens. */
import type { NoticeTexts } from '../../work/notifications/shapes.ts'

export const tokenTemplates = {
  token_made: {
    titleAr: 'رمز جديد لحسابك',
    titleEn: 'A new API token',
    bodyAr: 'أُنشئ لحسابك رمز واجهة البرمجة «{name}»، وآخره {lastFour}. إن لم يكن ذلك منك، فأبطله وغيّر كلمة المرور وأبلغ أحد المديرين.',
    bodyEn:
      'The API token “{name}”, ending in {lastFour}, was made for your account. If it was not you, end it, change your password and tell an administrator.',
    mailed: '/account/security',
  },
  service_token_made: {
    titleAr: 'رمز جديد لحساب خدمة',
    titleEn: 'A new token of a service account',
    bodyAr: 'أُنشئ لحساب الخدمة «{account}» رمز واجهة البرمجة «{name}»، وآخره {lastFour}.',
    bodyEn: 'The API token “{name}”, ending in {lastFour}, was made for the service account “{account}”.',
    mailed: '/account/security',
  },
  token_found: {
    titleAr: 'أُبطل رمز عُثر عليه',
    titleEn: 'A token was found and ended',
    bodyAr: 'عثر أحدهم على رمزك «{name}»، وآخره {lastFour}، فأبطله. ابحث عن موضع انكشافه قبل أن تنشئ غيره.',
    bodyEn: 'Somebody found your API token “{name}”, ending in {lastFour}, and ended it. Find out where it leaked before you make another.',
    mailed: '/account/security',
  },
  service_token_found: {
    titleAr: 'أُبطل رمز حساب خدمة عُثر عليه',
    titleEn: 'A token of a service account was found and ended',
    bodyAr: 'عثر أحدهم على رمز حساب الخدمة «{account}» المسمى «{name}»، وآخره {lastFour}، فأبطله. ابحث عن موضع انكشافه قبل أن تنشئ غيره.',
    bodyEn:
      'Somebody found the API token “{name}” of the service account “{account}”, ending in {lastFour}, and ended it. Find out where it leaked before you make another.',
    mailed: '/account/security',
  },
  token_ended: {
    titleAr: 'أُبطل أحد رموزك',
    titleEn: 'One of your tokens was ended',
    bodyAr: 'أبطل أحد المديرين رمزك «{name}»، وآخره {lastFour}.',
    bodyEn: 'An administrator ended your API token “{name}”, ending in {lastFour}.',
    mailed: '/account/security',
  },
  service_token_ended: {
    titleAr: 'أُبطل رمز حساب خدمة',
    titleEn: 'A token of a service account was ended',
    bodyAr: 'أبطل أحد المديرين رمز حساب الخدمة «{account}» المسمى «{name}»، وآخره {lastFour}.',
    bodyEn: 'An administrator ended the API token “{name}” of the service account “{account}”, ending in {lastFour}.',
    mailed: '/account/security',
  },
  token_ends_soon: {
    titleAr: 'رمز ينتهي قريبًا',
    titleEn: 'A token ends soon',
    bodyAr: 'ينتهي رمزك «{name}» في {until}. أنشئ رمزًا جديدًا واستبدله قبل ذلك.',
    bodyEn: 'Your API token “{name}” ends on {until}. Make a new one and replace it before then.',
    mailed: '/account/security',
  },
  service_token_ends_soon: {
    titleAr: 'رمز حساب خدمة ينتهي قريبًا',
    titleEn: 'A token of a service account ends soon',
    bodyAr: 'ينتهي رمز حساب الخدمة «{account}» المسمى «{name}» في {until}. أنشئ رمزًا جديدًا واستبدله قبل ذلك.',
    bodyEn: 'The API token “{name}” of the service account “{account}” ends on {until}. Make a new one and replace it before then.',
    mailed: '/account/security',
  },
} as const satisfies Record<string, NoticeTexts>
