import { texts } from '../platform/language.ts'

const ar = {
  signIn: 'تسجيل الدخول',
  username: 'اسم المستخدم أو البريد الإلكتروني',
  password: 'كلمة المرور',
  showPassword: 'أظهر كلمة المرور',
  hidePassword: 'أخفِ كلمة المرور',
  submit: 'ادخل',
  forgot: 'نسيت كلمة المرور؟',
  noAccount: 'ليس لك حساب؟',
  register: 'أنشئ حسابًا',
  hasAccount: 'لك حساب؟',
  missing: 'هذا الحقل مطلوب.',
  noConnection: 'لا اتصال بالبوابة. أعد المحاولة بعد قليل.',
  wait: (seconds: number) => `أعد المحاولة بعد ${seconds} ثانية.`,
  endings: {
    logout: '',
    replaced: 'انتهت جلستك لأن جلسة أحدث حلّت محلها.',
    revoked: 'أُنهيت جلستك على هذا الجهاز من جهاز آخر. سجّل الدخول للمتابعة.',
    password_changed: 'تغيّرت كلمة مرورك، فسجّل الدخول بالجديدة.',
    password_reset: 'أُعيد تعيين كلمة مرورك، فسجّل الدخول بالجديدة.',
    deactivated: 'أُوقف حسابك. إن كان ذلك خطأ فراجع مدير البوابة.',
    deleted: 'لم يعد لحسابك وجود. إن كان ذلك خطأ فراجع مدير البوابة.',
    expired: 'انتهت جلستك لطول مدتها. سجّل الدخول للمتابعة من حيث كنت.',
    ended: 'انتهت جلستك. سجّل الدخول للمتابعة من حيث كنت.',
  },
}

const en: typeof ar = {
  signIn: 'Sign in',
  username: 'Username or e-mail',
  password: 'Password',
  showPassword: 'Show the password',
  hidePassword: 'Hide the password',
  submit: 'Sign in',
  forgot: 'Forgot your password?',
  noAccount: 'No account yet?',
  register: 'Create one',
  hasAccount: 'Have an account?',
  missing: 'This field is needed.',
  noConnection: 'The portal cannot be reached. Try again in a moment.',
  wait: (seconds) => `Try again in ${seconds} seconds.`,
  endings: {
    logout: '',
    replaced: 'Your session ended because a newer one took its place.',
    revoked: 'Your session here was ended from another device. Sign in to go on.',
    password_changed: 'Your password was changed. Sign in with the new one.',
    password_reset: 'Your password was reset. Sign in with the new one.',
    deactivated: 'Your account has been deactivated. If that is a mistake, ask the portal’s administrator.',
    deleted: 'Your account is gone. If that is a mistake, ask the portal’s administrator.',
    expired: 'Your session had grown old and ended. Sign in to go on where you were.',
    ended: 'Your session ended. Sign in to go on where you were.',
  },
}

export const t = texts({ ar, en })
