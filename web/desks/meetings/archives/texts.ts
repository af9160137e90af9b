import { countedAr, countedEn, isolated, listed, texts } from '../../../platform/language.ts'

interface Changes {
  added: number
  changed: number
  removed: number
}
type Counted = (count: number) => string
const describe = ({ added, changed, removed }: Changes, words: Record<keyof Changes, Counted>) =>
  listed([added && words.added(added), changed && words.changed(changed), removed && words.removed(removed)].filter((text) => text !== 0))

const meetingsAr = countedAr({
  zero: 'لا اجتماعات',
  one: 'اجتماع واحد',
  two: 'اجتماعان',
  few: '# اجتماعات',
  many: '# اجتماعًا',
  other: '# اجتماع',
})
const verbsAr = (verb: string, verbs = `${verb}ت`) =>
  countedAr({
    zero: '',
    one: `${verb} اجتماع`,
    two: `${verb} اجتماعان`,
    few: `${verbs} # اجتماعات`,
    many: `${verb} # اجتماعًا`,
    other: `${verb} # اجتماع`,
  })
const changesAr = { added: verbsAr('أُضيف'), changed: verbsAr('عُدّل'), removed: verbsAr('حُذف أو نُقل', 'حُذفت أو نُقلت') }
const verbsEn = (verb: string) => countedEn({ one: `one meeting was ${verb}`, other: `# meetings were ${verb}` })
const changesEn = { added: verbsEn('added'), changed: verbsEn('changed'), removed: verbsEn('removed or moved') }

const ar = {
  title: 'المطبوع',
  purpose: 'الورقة تبقى كما طُبعت. إن تغيّر يومها بعد ذلك ظهر هنا أنها لم تعد توافقه.',
  fonts: 'خط المطبوع',
  newPrint: 'اطبع يومًا',
  day: 'اليوم',
  language: 'لغة الورقة',
  languages: { ar: 'العربية', en: 'الإنجليزية' },
  print: (day: string) => `اطبع ${day}`,
  lacking: (letters: string) => `لا تتوفر في خطوط المطبوع هذه الحروف، وسيظهر مكان كل منها الرمز �: ${isolated(letters)}`,
  same: (ago: string) => `طُبع هذا اليوم بهذه اللغة ${ago}، ولم يتغير بعدها.`,
  openSame: 'افتح المطبوع',
  tooLong: (day: string, size: string, largest: string) =>
    `تعذّرت طباعة ${day}: النص أطول مما يسعه حجم ${size}. صغّره إلى ${largest} أو أقل.`,
  tooLongAnyway: (day: string) => `تعذّرت طباعة ${day}: النص أطول مما يسعه أصغر حجم. اختصر ملاحظات اجتماعاته.`,
  lost: (day: string) => `تعذّرت طباعة ${day}: لم يكتمل الملف. اطبعه مرة أخرى، أو اختر حجمًا أصغر.`,
  list: 'ما طُبع',
  none: 'لم يُطبع يوم بعد',
  noneHint: 'يُحفظ هنا كل ما يُطبع، كما كان حين طُبع.',
  noneFound: 'لم يُطبع يوم من هذه الأيام.',
  meetings: meetingsAr,
  isMaking: 'يُعدّ الآن',
  isOld: 'لم يعد يوافق يومه',
  changed: (changes: Changes) => {
    const what = describe(changes, changesAr)
    return what ? `تغيّر اليوم بعد طباعته: ${what}.` : 'تغيّر اليوم بعد طباعته.'
  },
  again: 'اطبع من جديد',
  more: 'أظهر ما طُبع قبلها',
  notKept: 'هذه الورقة غير محفوظة هنا.',
  arranging: 'تُرتَّب الصفحات…',
  opening: 'يُفتح الملف…',
  paper: (day: string) => `الورقة المطبوعة: ${day}`,
  download: 'نزّل الملف',
  onPaper: 'اطبع على الورق',
  close: 'أغلق الورقة',
  noViewer: 'لا يعرض هذا المتصفح ملفات PDF داخل الصفحة. نزّل الملف ليُفتح في تطبيقه.',
  failed: 'تعذّر فتح الملف.',
}

const en: typeof ar = {
  title: 'Printed schedules',
  purpose: 'A sheet stays as it was printed. If its day changes later, you see here that the two no longer agree.',
  fonts: 'Font of the sheets',
  newPrint: 'Print a day',
  day: 'Day',
  language: 'Language of the sheet',
  languages: { ar: 'Arabic', en: 'English' },
  print: (day) => `Print ${day}`,
  lacking: (letters) => `The fonts lack these letters. Each will be printed as �: ${isolated(letters)}`,
  same: (ago) => `This day was printed in this language ${ago}, and hasn’t changed since.`,
  openSame: 'Open that sheet',
  tooLong: (day, size, largest) =>
    `${day} couldn’t be printed: its text is longer than one file holds at size ${size}. Choose ${largest} or less.`,
  tooLongAnyway: (day) =>
    `${day} couldn’t be printed: its text is longer than one file holds at any size. Shorten the notes of its meetings.`,
  lost: (day) => `${day} couldn’t be printed: the file wasn’t completed. Print it again, or choose a smaller size.`,
  list: 'What was printed',
  none: 'No day has been printed',
  noneHint: 'What is printed is kept here as it was.',
  noneFound: 'None of these days was printed.',
  meetings: countedEn({ zero: 'no meetings', one: 'one meeting', other: '# meetings' }),
  isMaking: 'Being made',
  isOld: 'Out of date',
  changed: (changes) => {
    const what = describe(changes, changesEn)
    return what ? `The day has changed since it was printed: ${what}.` : 'The day has changed since it was printed.'
  },
  again: 'Print again',
  more: 'Show what was printed before',
  notKept: 'This sheet isn’t kept here.',
  arranging: 'Arranging the pages…',
  opening: 'Opening the file…',
  paper: (day) => `Printed sheet: ${day}`,
  download: 'Download',
  onPaper: 'Print on paper',
  close: 'Close the sheet',
  noViewer: 'This browser doesn’t show PDF files in a page. Download the file to open it in its own app.',
  failed: 'The file couldn’t be opened.',
}

export const t = texts({ ar, en })
