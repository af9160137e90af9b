const ar = {
  none: 'لم يُستخدم مفتاح مرور. أعد المحاولة، أو اختر طريقة أخرى.',
  known: 'في هذا الجهاز مفتاح مرور لحسابك من قبل.',
  address: 'لا تعمل مفاتيح المرور إلا في العنوان الأصلي للبوابة.',
  failed: 'لم يستطع المتصفح استخدام مفتاح مرور. أعد المحاولة، أو اختر طريقة أخرى.',
}
const en: typeof ar = {
  none: 'No passkey was used. Try again, or choose another way.',
  known: 'This device already has a passkey for your account.',
  address: 'Passkeys only work at the portal’s own address.',
  failed: 'Your browser couldn’t use a passkey. Try again, or choose another way.',
}
export const both = { ar, en }
