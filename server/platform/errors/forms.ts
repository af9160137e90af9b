export interface Sentence {
  en: string
  ar: string
}

/** The sentences for texts that do not match a pattern. The keyword `form` beside the pattern names the sentence. */
export const forms = {
  assignee: { en: 'This must be me, none, or the id of a person.', ar: 'يجب أن تكون القيمة me أو none أو رقم شخص.' },
  asset: {
    en: 'This must be an https address without a username or password, or the path of an uploaded file.',
    ar: 'يجب أن تكون القيمة عنوانًا يبدأ بـ https من دون اسم مستخدم أو كلمة مرور، أو مسار ملف مرفوع.',
  },
  clockTime: { en: 'Enter a time such as 09:30.', ar: 'أدخل وقتًا مثل 09:30.' },
  currency: { en: 'Enter the code of a currency such as SAR or USD.', ar: 'أدخل رمز عملة مثل SAR أو USD.' },
  colour: {
    en: 'Enter a colour such as #0a7, #00aa77 or green.',
    ar: 'أدخل لونًا مثل ‎#0a7 أو ‎#00aa77 أو green.',
  },
  date: { en: 'Enter a date such as 2026-03-01.', ar: 'أدخل تاريخًا مثل 2026-03-01.' },
  domain: { en: 'Enter a domain such as example.org.', ar: 'أدخل نطاقًا مثل example.org.' },
  email: { en: 'Enter an email address such as name@example.org.', ar: 'أدخل عنوان بريد إلكتروني مثل name@example.org.' },
  fieldKey: {
    en: 'Use lower-case Latin letters, digits and _, beginning with a letter, at most 32 characters.',
    ar: 'استخدم الأحرف اللاتينية الصغيرة والأرقام و_، على أن تبدأ بحرف وألا تزيد على 32 حرفًا.',
  },
  folder: { en: 'This must be the id of a folder, or none.', ar: 'يجب أن تكون القيمة رقم مجلد أو none.' },
  ids: {
    en: 'Enter at most 200 ids joined by commas, such as 12,15.',
    ar: 'أدخل أرقامًا تفصل بينها فواصل، مثل 12,15، على ألا تزيد على 200.',
  },
  language: { en: 'This must be a code such as en.', ar: 'يجب أن تكون القيمة رمزًا مثل en.' },
  marks: { en: 'Use fewer marks above and below the letters.', ar: 'استخدم علامات تشكيل أقل.' },
  mediaType: { en: 'This must be a media type such as image/png.', ar: 'يجب أن تكون القيمة نوع محتوى مثل image/png.' },
  permissionName: {
    en: 'Use two or more words of lower-case Latin letters, digits and _, joined by dots, as in reports.read.',
    ar: 'استخدم كلمتين أو أكثر من الأحرف اللاتينية الصغيرة والأرقام و_، تفصل بينها نقاط، مثل reports.read.',
  },
  offOption: { en: 'Name the field and its option, as in drink.tea.', ar: 'اذكر الحقل وخياره، مثل drink.tea.' },
  phone: { en: 'Enter a telephone number such as +966 50 123 4567.', ar: 'أدخل رقم هاتف مثل ‎+966 50 123 4567.' },
  printable: {
    en: 'Use 1 to 255 printable ASCII characters.',
    ar: 'استخدم من 1 إلى 255 حرفًا من أحرف ASCII المطبوعة.',
  },
  roleName: {
    en: 'Use Latin letters, digits, dots, _ and -, beginning with a letter.',
    ar: 'استخدم الأحرف اللاتينية والأرقام والنقاط و_ و-، على أن تبدأ بحرف.',
  },
  moment: {
    en: 'Enter a date and time with its zone, such as 2026-03-01T08:30:00Z.',
    ar: 'أدخل تاريخًا ووقتًا مع المنطقة الزمنية، مثل ‎2026-03-01T08:30:00Z.',
  },
  route: {
    en: 'Enter a path within the portal such as /meetings: it begins with one /, and no part is empty, one dot or two dots.',
    ar: 'أدخل مسارًا داخل البوابة مثل ‎/meetings: يبدأ بعلامة / واحدة، ولا جزء منه فارغ أو نقطة أو نقطتان.',
  },
  seal: { en: 'This is not a seal issued by the portal.', ar: 'ليس هذا ختمًا أصدرته البوابة.' },
  slug: {
    en: 'Use lower-case Latin letters and digits, in words joined by single hyphens.',
    ar: 'استخدم الأحرف اللاتينية الصغيرة والأرقام، مع شرطة واحدة بين كل كلمتين.',
  },
  timeZone: { en: 'Enter the name of a time zone such as Asia/Riyadh.', ar: 'أدخل اسم منطقة زمنية مثل Asia/Riyadh.' },
  token: { en: 'This link is incomplete.', ar: 'هذا الرابط غير مكتمل.' },
  url: {
    en: 'Enter an address that begins with http:// or https://, without a username or password.',
    ar: 'أدخل عنوانًا يبدأ بـ http:// أو https://، من دون اسم مستخدم أو كلمة مرور.',
  },
  username: {
    en: 'Use letters, digits, dots, _ and - only.',
    ar: 'استخدم الأحرف والأرقام والنقاط و_ و- فقط.',
  },
  uuid: {
    en: 'Enter an identifier such as 6f1c2a9e-8a53-4f0c-9c5e-0d8f1b6f7a21.',
    ar: 'أدخل معرّفًا مثل ‎6f1c2a9e-8a53-4f0c-9c5e-0d8f1b6f7a21.',
  },
} as const satisfies Record<string, Sentence>
export type Form = keyof typeof forms
