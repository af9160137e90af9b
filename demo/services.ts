/** The internal services of the demo. */
import { FIRST_DAY } from './organisation/calendar.ts'
import type { GroupKey } from './organisation/organisation.ts'
import type { TeamKey } from './teams.ts'

export const categories = [
  { key: 'hospitality', nameAr: 'الضيافة', nameEn: 'Hospitality' },
  { key: 'offices', nameAr: 'خدمات المكاتب', nameEn: 'Office services' },
  { key: 'transport', nameAr: 'النقل', nameEn: 'Transport' },
  { key: 'technology', nameAr: 'التقنية', nameEn: 'Technology' },
] as const
type CategoryKey = (typeof categories)[number]['key']

interface Service {
  key: string
  category: CategoryKey
  nameAr: string
  nameEn: string
  descriptionAr?: string
  descriptionEn?: string
  price?: string
  isAvailable?: boolean
  team: TeamKey
  /** The targets in working minutes: until an order is claimed, and until it is completed. */
  minutes?: [receive: number, complete: number]
  /** The department whose members may order the service; without one, everybody may. */
  audience?: GroupKey
  /** The working day on which the service was first offered, if not the first. */
  since?: number
}
const offered: Service[] = [
  {
    key: 'coffee',
    category: 'hospitality',
    team: 'hospitality',
    minutes: [10, 30],
    nameAr: 'قهوة عربية',
    nameEn: 'Arabic coffee',
    descriptionAr: 'مع التمر',
    descriptionEn: 'With dates',
  },
  { key: 'tea', category: 'hospitality', team: 'hospitality', minutes: [10, 30], nameAr: 'شاي', nameEn: 'Tea' },
  { key: 'water', category: 'hospitality', team: 'hospitality', minutes: [15, 60], nameAr: 'مياه', nameEn: 'Water' },
  {
    key: 'guests',
    category: 'hospitality',
    team: 'hospitality',
    minutes: [30, 120],
    nameAr: 'ضيافة اجتماع',
    nameEn: 'Refreshments for a meeting',
    descriptionAr: 'لعشرة أشخاص على الأكثر، تُطلب قبل ساعة',
    descriptionEn: 'For ten people at most, an hour in advance',
  },
  { key: 'printing', category: 'offices', team: 'workplace', minutes: [30, 240], nameAr: 'طباعة وتجليد', nameEn: 'Printing and binding' },
  { key: 'cleaning', category: 'offices', team: 'workplace', minutes: [60, 240], nameAr: 'تنظيف مكتب', nameEn: 'Office cleaning' },
  { key: 'stationery', category: 'offices', team: 'workplace', minutes: [60, 240], nameAr: 'قرطاسية', nameEn: 'Stationery' },
  {
    key: 'repair',
    category: 'offices',
    team: 'workplace',
    minutes: [60, 960],
    nameAr: 'صيانة',
    nameEn: 'Repairs',
    descriptionAr: 'تكييف وإضاءة وأثاث',
    descriptionEn: 'Air conditioning, lighting and furniture',
  },
  {
    key: 'driver',
    category: 'transport',
    team: 'transport',
    minutes: [30, 240],
    nameAr: 'سيارة مع سائق',
    nameEn: 'Car with a driver',
    since: -12,
  },
  {
    key: 'courier',
    category: 'transport',
    team: 'transport',
    minutes: [30, 240],
    nameAr: 'مراسل داخل المدينة',
    nameEn: 'Courier within the city',
    price: '25',
    since: -12,
  },
  {
    key: 'laptop',
    category: 'technology',
    team: 'support',
    minutes: [60, 480],
    nameAr: 'حاسب محمول مؤقت',
    nameEn: 'Laptop on loan',
    since: -7,
  },
  {
    key: 'projector',
    category: 'technology',
    team: 'support',
    minutes: [60, 480],
    nameAr: 'جهاز عرض',
    nameEn: 'Projector',
    isAvailable: false,
    since: -7,
  },
  {
    key: 'software',
    category: 'technology',
    team: 'support',
    minutes: [120, 2400],
    nameAr: 'برنامج جديد',
    nameEn: 'New software',
    descriptionAr: 'رخصة لسنة',
    descriptionEn: 'A licence for a year',
    since: -7,
  },
  { key: 'move', category: 'offices', team: 'workplace', minutes: [240, 1440], nameAr: 'نقل مكتب', nameEn: 'Office move', since: -7 },
  {
    key: 'studio',
    category: 'offices',
    team: 'workplace',
    minutes: [60, 480],
    audience: 'media',
    nameAr: 'تجهيز الاستوديو',
    nameEn: 'Studio set-up',
    descriptionAr: 'للتصوير والبث',
    descriptionEn: 'For recording and broadcasting',
    since: -7,
  },
]
export const services = offered.map(({ since = FIRST_DAY, ...service }) => ({ since, ...service }))
