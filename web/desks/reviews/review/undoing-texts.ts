import { countedAr, countedEn, texts } from '../../../platform/language.ts'

const ar = {
  stays: countedAr({
    zero: '',
    one: 'بقي قرار واحد على حاله: قرّر فيه غيرك بعدك.',
    two: 'بقي قراران على حالهما: قرّر فيهما غيرك بعدك.',
    few: 'بقيت # قرارات على حالها: قرّر فيها غيرك بعدك.',
    many: 'بقي # قرارًا على حاله: قرّر فيه غيرك بعدك.',
    other: 'بقي # قرار على حاله: قرّر فيه غيرك بعدك.',
  }),
}
const en: typeof ar = {
  stays: countedEn({
    zero: '',
    one: '# decision was left as it is: somebody else has decided since.',
    other: '# decisions were left as they are: other people have decided since.',
  }),
}

export const both = { ar, en }
export const t = texts(both)
