import { texts } from '../../platform/language.ts'

const ar = {
  safe: 'لم يضع شيء مما غيّرته.',
  details: 'تفاصيل',
  request: 'رقم الطلب في سجل البوابة:',
}

const en: typeof ar = {
  safe: 'Nothing you changed is lost.',
  details: 'Details',
  request: 'Number of the request in the portal’s log:',
}

export const t = texts({ ar, en })
