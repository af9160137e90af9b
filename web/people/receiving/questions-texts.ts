import { countedAr, countedEn, isolated, texts } from '../../platform/language.ts'

const ar = {
  removeTitle: countedAr({
    zero: 'حذف',
    one: 'حذف طلب واحد؟',
    two: 'حذف طلبين؟',
    few: 'حذف # طلبات؟',
    many: 'حذف # طلبًا؟',
    other: 'حذف # طلب؟',
  }),
  removeHint: (count: number): string =>
    count === 1 ? 'يختفي من عند صاحبه أيضًا، ولا يمكن استرجاعه.' : 'تختفي من عند أصحابها أيضًا، ولا يمكن استرجاعها.',
  removeYes: 'احذف',
  keep: 'لا تحذف',
  verdicts: 'النتائج',
  deleted: 'حُذف',
  takenBy: (person: string) => `لم يُحذف: صار لدى ${isolated(person)}`,
  movedOn: (status: string) => `لم يُحذف: ${status}`,
  goneBefore: 'حُذف من قبل',
  done: 'تم',
  cancelHint: 'يُبلَّغ صاحب الطلب بالإلغاء. إن كان غيرك يستطيع تلبيته فأعده إلى الانتظار.',
  noUndo: 'لا تستطيع أنت التراجع عن الإلغاء.',
  unreached: 'لا اتصال بالبوابة، ولا يُعرف ما حُذف. أعد المحاولة حين يعود.',
}

const en: typeof ar = {
  removeTitle: countedEn({ one: 'Delete # order?', other: 'Delete # orders?' }),
  removeHint: (count) =>
    count === 1
      ? 'The person who placed it will lose it too. This can’t be undone.'
      : 'The people who placed them will lose them too. This can’t be undone.',
  removeYes: 'Delete',
  keep: 'Keep',
  verdicts: 'Results',
  deleted: 'Deleted',
  takenBy: (person) => `Kept: ${isolated(person)} has it now`,
  movedOn: (status) => `Kept: ${status}`,
  goneBefore: 'Already deleted',
  done: 'Done',
  cancelHint: 'The person who placed it will be notified. If someone else could handle it, return it to the queue instead.',
  noUndo: 'You can’t undo it.',
  unreached: 'You’re offline, so we don’t know which orders were deleted. Try again when you’re back online.',
}

export const t = texts({ ar, en })
/** Both languages, for tests. */
export const both = { ar, en }
