import { texts } from '../../../platform/language.ts'

const ar = {
  steps: 'الموافقات',
  approvedBy: (person: string) => `موافقة من ${person}`,
  approvedAsAdmin: (person: string) => `موافقة من ${person}، عن إدارة البوابة`,
  deniedBy: (person: string) => `رُفض بقرار من ${person}`,
  ofSeveral: (given: string, needed: string) => `الموافقات: ${given} من ${needed}`,
  later: 'تُطلب بعد الخطوة السابقة',
  notReached: 'لم يُبتّ فيها',
  until: (moment: string) => `يُلغى الطلب إن لم يُبتّ فيه حتى ${moment}`,
  lapsed: {
    undecided: 'أُلغي الطلب لأن أحدًا لم يبتّ فيه خلال 14 يومًا.',
    requester_gone: 'أُلغي الطلب لأن حساب من طُلب له أُغلق.',
  },
  decide: 'قرارك',
  youApproved: (when: string) => `وافقت ${when}، ويلزم أن يوافق غيرك. لك أن تغيّر ما كتبته أو ترفض.`,
  asAdmin: 'تقرر بصفتك مديرًا للبوابة، وتكفي موافقتك لهذه الخطوة.',
  note: 'ملاحظتك',
  noteHint: 'اختيارية عند الموافقة، ولازمة عند الرفض. يقرؤها صاحب الطلب.',
  noteMissing: 'اكتب سبب الرفض.',
  approve: 'وافق',
  deny: 'ارفض',
  changed: 'تغيّر الطلب وأنت تقرؤه. راجعه ثم قرّر.',
  decidedBy: (person: string) => `سبق البتّ فيه بقرار من ${person}.`,
  decidedByYou: 'سبق أن بتتَّ فيه.',
  outcomes: {
    approved: 'تمت الموافقة على الطلب.',
    denied: 'رُفض الطلب.',
    onward: 'انتقل الطلب إلى الخطوة التالية.',
  },
  withdrawn: 'ألغاه صاحبه قبل أن يُبتّ فيه.',
  notYours: 'لم يعد هذا الطلب ينتظر قرارك.',
  typed: 'ما كتبته، إن أردت نسخه',
  said: {
    approved: (service: string) => `وافقت على طلب ${service}`,
    denied: (service: string) => `رفضت طلب ${service}`,
  },
  keys: { approve: 'إلى زر الموافقة، ثم مرة أخرى للموافقة', deny: 'إلى زر الرفض', next: 'الطلب التالي', former: 'الطلب السابق' },
}

const en: typeof ar = {
  steps: 'Approvals',
  approvedBy: (person) => `${person} approved`,
  approvedAsAdmin: (person) => `${person} approved as an administrator`,
  deniedBy: (person) => `${person} denied`,
  ofSeveral: (given, needed) => `Approvals: ${given} of ${needed}`,
  later: 'Asked after the step before',
  notReached: 'Not decided',
  until: (moment) => `Cancelled unless it is decided by ${moment}`,
  lapsed: {
    undecided: 'It was cancelled because nobody decided within 14 days.',
    requester_gone: 'It was cancelled because the account of the person it was for was closed.',
  },
  decide: 'Your decision',
  youApproved: (when) => `You approved ${when}, and others must approve too. You can still change your note, or deny.`,
  asAdmin: 'You decide as an administrator; your approval is enough for this step.',
  note: 'Your note',
  noteHint: 'Optional if you approve, required if you deny. The person who ordered reads it.',
  noteMissing: 'Say why you deny it.',
  approve: 'Approve',
  deny: 'Deny',
  changed: 'The order changed while you were reading. Look again, then decide.',
  decidedBy: (person) => `Already decided by ${person}.`,
  decidedByYou: 'You have already decided.',
  outcomes: {
    approved: 'It was approved.',
    denied: 'It was denied.',
    onward: 'It went on to the next step.',
  },
  withdrawn: 'It was cancelled before anybody decided.',
  notYours: 'This order is no longer waiting for your decision.',
  typed: 'What you typed, in case you want to copy it',
  said: {
    approved: (service) => `You approved the order: ${service}`,
    denied: (service) => `You denied the order: ${service}`,
  },
  keys: {
    approve: 'To the approve button; again to approve',
    deny: 'To the deny button',
    next: 'Next order',
    former: 'Previous order',
  },
}

export const both = { ar, en }
export const t = texts(both)
