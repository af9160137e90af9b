/** The glyph of a service without a picture, guessed from common words in its name or its category's name, and its colour. */
import type { IconName } from '../../parts/show/icon.tsx'
import { folded } from '../../platform/folded.ts'

const glyphs: [RegExp, IconName][] = [
  [/قهوه|شاي|ماء|مياه|مشروب|عصير|مقهي|coffee|tea\b|water|drink|juice|caf[eé]/, 'coffee'],
  [/ضياف|طعام|غداء|فطور|وجب|مطعم|حلوي|كعك|lunch|breakfast|meal|food|hospitality|snack|cake|catering/, 'utensils'],
  [/طباع|نسخ|تصوير|مسح|print|copy|copies|scan/, 'printer'],
  [/تنظيف|نظاف|تعقيم|clean/, 'leaf'],
  [/حاسوب|حاسب|لابتوب|شاشه|تقني|برنامج|laptop|computer|screen|software|\bit\b/, 'monitor-smartphone'],
  [/صيان|اصلاح|تكييف|كهرباء|سباك|repair|maintenance|fix|plumb|electric|air con/, 'wrench'],
  [/سياره|نقل|موقف|سائق|\bcar\b|driver|parking|transport|taxi/, 'car'],
  [/بريد|شحن|توصيل|طرد|مراسل|courier|deliver|parcel|mail|post\b/, 'truck'],
  [/قرطاسي|اقلام|ورق|stationery|paper|pens?\b|supplies/, 'package'],
  [/قاعه|غرف|اجتماع|room|meeting|hall/, 'door-open'],
  [/بطاق|تصريح|badge|card|permit/, 'id-card'],
  [/مفتاح|مفاتيح|خزان|key|locker/, 'key-round'],
]
const colors = ['#0b6b62', '#8a5300', '#1d4ed8', '#8e3a78', '#3f6212', '#9a3412', '#475569', '#5b3fa0']

interface Named {
  nameAr: string
  nameEn: string
}

const glyphOf = (thing: Named | undefined) => {
  const text = thing && folded(`${thing.nameAr} ${thing.nameEn}`)
  return glyphs.find(([words]) => words.test(text ?? ''))?.[1]
}

/** The icon by the service's own name, or else by its category's name. */
export const iconOf = (service: Named, category?: Named): IconName => glyphOf(service) ?? glyphOf(category) ?? 'package'
/** The colour of a category, by its id; several categories may share a colour. */
export const colorOf = (categoryId: number | null) => colors[(categoryId ?? 0) % colors.length]!
