import { countedAr, countedEn, isolated, texts } from '../../../platform/language.ts'

const ar = {
  assignTitle: (service: string) => `إسناد طلب «${service}»`,
  assignMany: countedAr({
    zero: 'إسناد الطلبات',
    one: 'إسناد طلب واحد',
    two: 'إسناد طلبين',
    few: 'إسناد # طلبات',
    many: 'إسناد # طلبًا',
    other: 'إسناد # طلب',
  }),
  assignedMany: (person: string): ((count: number) => string) =>
    countedAr({
      zero: '',
      one: `أُسند طلب واحد إلى ${isolated(person)}`,
      two: `أُسند طلبان إلى ${isolated(person)}`,
      few: `أُسندت # طلبات إلى ${isolated(person)}`,
      many: `أُسند # طلبًا إلى ${isolated(person)}`,
      other: `أُسند # طلب إلى ${isolated(person)}`,
    }),
  assignHint: 'اختر من يتولى الطلب من مستلميه. يُبلَّغ هو وصاحب الطلب.',
  receiver: 'المستلم',
  team: 'الفريق',
  handOverTitle: (service: string) => `تحويل طلب «${service}» إلى فريق آخر`,
  handOverHint: 'ينتظر الطلب عند الفريق الذي تختاره، ويُبلَّغ هو وصاحب الطلب. لا تستطيع استعادته، وللفريق أن يحوّله إليك.',
}
const en: typeof ar = {
  assignTitle: (service) => `Assign ${service}`,
  assignMany: countedEn({ zero: 'Assign', one: 'Assign # order', other: 'Assign # orders' }),
  assignedMany: (person) =>
    countedEn({ zero: '', one: `# order assigned to ${isolated(person)}`, other: `# orders assigned to ${isolated(person)}` }),
  assignHint: 'Type the name of the person to take it. They and the person who ordered will be notified.',
  receiver: 'Receiver',
  team: 'Team',
  handOverTitle: (service) => `Hand ${service} to another team`,
  handOverHint:
    'The order will wait for the team you choose. The team and the person who ordered will be notified. You can’t take it back, but the team can return it.',
}

export const both = { ar, en }
export const t = texts(both)
