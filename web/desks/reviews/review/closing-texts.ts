import { countedAr, countedEn, formatNumber, texts } from '../../../platform/language.ts'

const ar = {
  /** The result of a closed review. */
  came: (kept: number, removed: number, skipped: number) =>
    `بقي ${formatNumber(kept)}، وسُحب ${formatNumber(removed)}${skipped ? `، وتُخطّي ${formatNumber(skipped)}` : ''}.`,
  title: 'إغلاق المراجعة',
  asking: 'يُحسب ما سيحدث…',
  removes: countedAr({
    zero: 'لا يُسحب شيء.',
    one: 'يُسحب بند واحد.',
    two: 'يُسحب بندان.',
    few: 'تُسحب # بنود.',
    many: 'يُسحب # بندًا.',
    other: 'يُسحب # بند.',
  }),
  keeps: countedAr({
    zero: 'لا يبقى شيء.',
    one: 'يبقى واحد.',
    two: 'يبقى اثنان.',
    few: 'تبقى #.',
    many: 'يبقى #.',
    other: 'يبقى #.',
  }),
  silent: {
    keep: countedAr({
      zero: '',
      one: 'لم يُقرَّر في بند واحد، فيُعدّ للإبقاء.',
      two: 'لم يُقرَّر في بندين، فيُعدّان للإبقاء.',
      few: 'لم يُقرَّر في # بنود، فتُعدّ للإبقاء.',
      many: 'لم يُقرَّر في # بندًا، فيُعدّ للإبقاء.',
      other: 'لم يُقرَّر في # بند، فيُعدّ للإبقاء.',
    }),
    remove: countedAr({
      zero: '',
      one: 'لم يُقرَّر في بند واحد، فيُعدّ للسحب.',
      two: 'لم يُقرَّر في بندين، فيُعدّان للسحب.',
      few: 'لم يُقرَّر في # بنود، فتُعدّ للسحب.',
      many: 'لم يُقرَّر في # بندًا، فيُعدّ للسحب.',
      other: 'لم يُقرَّر في # بند، فيُعدّ للسحب.',
    }),
  },
  orders: countedAr({
    zero: '',
    one: 'يعود طلب إلى الانتظار.',
    two: 'يعود طلبان إلى الانتظار.',
    few: 'تعود # طلبات إلى الانتظار.',
    many: 'يعود # طلبًا إلى الانتظار.',
    other: 'يعود # طلب إلى الانتظار.',
  }),
  skipped: {
    gone: countedAr({
      zero: '',
      one: 'يُتخطّى بند: زال ما فيه.',
      two: 'يُتخطّى بندان: زال ما فيهما.',
      few: 'تُتخطّى # بنود: زال ما فيها.',
      many: 'يُتخطّى # بندًا: زال ما فيه.',
      other: 'يُتخطّى # بند: زال ما فيه.',
    }),
    changed: countedAr({
      zero: '',
      one: 'يُتخطّى بند: أُعطي من جديد أو تغيّرت نهايته بعد بدء المراجعة.',
      two: 'يُتخطّى بندان: أُعطيا من جديد أو تغيّرت نهايتهما بعد بدء المراجعة.',
      few: 'تُتخطّى # بنود: أُعطيت من جديد أو تغيّرت نهايتها بعد بدء المراجعة.',
      many: 'يُتخطّى # بندًا: أُعطي من جديد أو تغيّرت نهايته بعد بدء المراجعة.',
      other: 'يُتخطّى # بند: أُعطي من جديد أو تغيّرت نهايته بعد بدء المراجعة.',
    }),
    managed_elsewhere: countedAr({
      zero: '',
      one: 'يُتخطّى بند: تُدار عضويته خارج البوابة.',
      two: 'يُتخطّى بندان: تُدار عضويتهما خارج البوابة.',
      few: 'تُتخطّى # بنود: تُدار عضويتها خارج البوابة.',
      many: 'يُتخطّى # بندًا: تُدار عضويته خارج البوابة.',
      other: 'يُتخطّى # بند: تُدار عضويته خارج البوابة.',
    }),
    no_reviewer: countedAr({
      zero: '',
      one: 'يُتخطّى بند: لا أحد يمكنه أن يراجعه.',
      two: 'يُتخطّى بندان: لا أحد يمكنه أن يراجعهما.',
      few: 'تُتخطّى # بنود: لا أحد يمكنه أن يراجعها.',
      many: 'يُتخطّى # بندًا: لا أحد يمكنه أن يراجعه.',
      other: 'يُتخطّى # بند: لا أحد يمكنه أن يراجعه.',
    }),
    not_confirmed: countedAr({
      zero: '',
      one: 'يُتخطّى بند: يعطي دور المدير، ولم يؤكّد أحد هويته قبل القرار بسحبه.',
      two: 'يُتخطّى بندان: يعطيان دور المدير، ولم يؤكّد أحد هويته قبل القرار بسحبهما.',
      few: 'تُتخطّى # بنود: تعطي دور المدير، ولم يؤكّد أحد هويته قبل القرار بسحبها.',
      many: 'يُتخطّى # بندًا: يعطي دور المدير، ولم يؤكّد أحد هويته قبل القرار بسحبه.',
      other: 'يُتخطّى # بند: يعطي دور المدير، ولم يؤكّد أحد هويته قبل القرار بسحبه.',
    }),
    last_admin: countedAr({
      zero: '',
      one: 'يُتخطّى بند، كي يبقى مدير.',
      two: 'يُتخطّى بندان، كي يبقى مدير.',
      few: 'تُتخطّى # بنود، كي يبقى مدير.',
      many: 'يُتخطّى # بندًا، كي يبقى مدير.',
      other: 'يُتخطّى # بند، كي يبقى مدير.',
    }),
  },
  final: 'بعد الإغلاق لا تتغيّر القرارات. ما يُسحب يمكن إعادته من السجل.',
  close: countedAr({
    zero: 'أغلقها',
    one: 'أغلق واسحب واحدًا',
    two: 'أغلق واسحب اثنين',
    few: 'أغلق واسحب #',
    many: 'أغلق واسحب #',
    other: 'أغلق واسحب #',
  }),
  closing: 'أُغلقت المراجعة، وتُطبَّق قراراتها الآن.',
  notNow: 'ليس الآن',
  cancelTitle: 'إلغاء المراجعة',
  cancelHint: 'لا يُسحب شيء، ولا تُتخذ فيها قرارات بعد ذلك. تبقى القرارات التي اتُّخذت مقروءة في التقرير.',
  cancelIt: 'ألغِ المراجعة',
  cancelled: 'أُلغيت المراجعة.',
}

const skipEn = (why: (many: boolean) => string) =>
  countedEn({ one: `# item is skipped: ${why(false)}.`, other: `# items are skipped: ${why(true)}.` })

const en: typeof ar = {
  came: (kept, removed, skipped) =>
    `${formatNumber(kept)} kept, ${formatNumber(removed)} removed${skipped ? `, ${formatNumber(skipped)} skipped` : ''}.`,
  title: 'Close the review',
  asking: 'Working out what will happen…',
  removes: countedEn({ zero: 'Nothing is removed.', one: '# item is removed.', other: '# items are removed.' }),
  keeps: countedEn({ zero: 'Nothing stays.', one: '# stays.', other: '# stay.' }),
  silent: {
    keep: countedEn({ one: '# undecided item counts as kept.', other: '# undecided items count as kept.' }),
    remove: countedEn({ one: '# undecided item counts as removed.', other: '# undecided items count as removed.' }),
  },
  orders: countedEn({ one: '# order goes back to the queue.', other: '# orders go back to the queue.' }),
  skipped: {
    gone: skipEn((many) => (many ? 'they are gone already' : 'it is gone already')),
    changed: skipEn((many) => (many ? 'they were given again or got another end' : 'it was given again or got another end')),
    managed_elsewhere: skipEn((many) => (many ? 'their members are managed elsewhere' : 'its members are managed elsewhere')),
    no_reviewer: skipEn((many) => (many ? 'nobody could review them' : 'nobody could review it')),
    not_confirmed: skipEn(() => 'nobody who decided had confirmed their identity'),
    last_admin: skipEn(() => 'no administrator would be left'),
  },
  final: 'Once it is closed, decisions no longer change. What is removed can be put back from the histories.',
  close: countedEn({ zero: 'Close', one: 'Close and remove #', other: 'Close and remove #' }),
  closing: 'The review is closed; its decisions are taking effect',
  notNow: 'Not now',
  cancelTitle: 'Cancel the review',
  cancelHint: 'Nothing is removed, and nothing more can be decided in it. The decisions made so far can still be read in the report.',
  cancelIt: 'Cancel the review',
  cancelled: 'The review is cancelled',
}

export const both = { ar, en }
export const t = texts(both)
