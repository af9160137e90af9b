/** Texts that say why signing in at a provider failed, and what the person can do. */
import { texts } from '../../platform/language.ts'

const ar = {
  state: 'بدأتَ الدخول في متصفح أو تبويب آخر، أو أكملته من قبل. ابدأ من هنا مرة أخرى.',
  expired: 'مضى أكثر من عشر دقائق منذ بدأت الدخول. ابدأ من هنا مرة أخرى.',
  denied: 'لم يأذن مزوّد الدخول، أو ألغيتَ الطلب عنده. أعد المحاولة، أو ادخل بطريقة أخرى.',
  unreachable: 'لا يردّ مزوّد الدخول الآن. أعد المحاولة بعد قليل، أو ادخل بطريقة أخرى.',
  token: 'وصل من مزوّد الدخول ردّ لا يمكن الوثوق به. أعد المحاولة، وإن تكرر ذلك فأخبر مدير البوابة.',
  clock: 'ساعة البوابة وساعة مزوّد الدخول مختلفتان. أخبر مدير البوابة ليضبطها.',
  claims: 'لم يرسل مزوّد الدخول ما تحتاج إليه البوابة عنك. أخبر مدير البوابة.',
  not_allowed: 'عرفك مزوّد الدخول، لكن ليس لك أن تدخل البوابة عن طريقه. إن كنت تعمل هنا فراجع مدير البوابة.',
  identity_taken: 'هذا الحساب لدى مزوّد الدخول مرتبط بشخص آخر في البوابة. إن كان لك فراجع مدير البوابة.',
  unknown: 'لم يتم الدخول. أعد المحاولة، وإن تكرر ذلك فأخبر مدير البوابة.',
}
const en: typeof ar = {
  state: 'This sign-in began in another browser or tab, or is already finished. Start again from here.',
  expired: 'More than ten minutes have passed since you started. Start again from here.',
  denied: 'The provider said no, or you cancelled there. Try again, or sign in another way.',
  unreachable: 'The provider isn’t answering right now. Try again in a moment, or sign in another way.',
  token: 'The provider’s answer can’t be trusted. Try again, and tell your administrator if it keeps happening.',
  clock: 'The clocks of the portal and of the provider differ. Ask your administrator to set them.',
  claims: 'The provider didn’t send what the portal needs to know about you. Tell your administrator.',
  not_allowed: 'The provider knows you, but you can’t use it to sign in here. If you work here, contact your administrator.',
  identity_taken: 'Somebody else here is connected to that account. If it’s yours, contact your administrator.',
  unknown: 'You weren’t signed in. Try again, and tell your administrator if it keeps happening.',
}
export const both = { ar, en }
const t = texts(both)

/** The sentence for a reason in the address. A reason that this page does not know has a general sentence. */
export const failureAt = (reason: string) => t[(Object.hasOwn(ar, reason) ? reason : 'unknown') as keyof typeof ar]
