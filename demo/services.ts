/** The internal services of the demo. */
import { FIRST_DAY } from './organisation/calendar.ts'

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
  /** The working day on which it was first offered, if not the first. */
  since?: number
}
const offered: Service[] = [
  {
    key: 'coffee',
    category: 'hospitality',
    nameAr: 'قهوة عربية',
    nameEn: 'Arabic coffee',
    descriptionAr: 'مع التمر',
    descriptionEn: 'With dates',
  },
  { key: 'tea', category: 'hospitality', nameAr: 'شاي', nameEn: 'Tea' },
  { key: 'water', category: 'hospitality', nameAr: 'مياه', nameEn: 'Water' },
  {
    key: 'guests',
    category: 'hospitality',
    nameAr: 'ضيافة اجتماع',
    nameEn: 'Refreshments for a meeting',
    descriptionAr: 'لعشرة أشخاص على الأكثر، تُطلب قبل ساعة',
    descriptionEn: 'For ten people at most, an hour in advance',
  },
  { key: 'printing', category: 'offices', nameAr: 'طباعة وتجليد', nameEn: 'Printing and binding' },
  { key: 'cleaning', category: 'offices', nameAr: 'تنظيف مكتب', nameEn: 'Office cleaning' },
  { key: 'stationery', category: 'offices', nameAr: 'قرطاسية', nameEn: 'Stationery' },
  {
    key: 'repair',
    category: 'offices',
    nameAr: 'صيانة',
    nameEn: 'Repairs',
    descriptionAr: 'تكييف وإضاءة وأثاث',
    descriptionEn: 'Air conditioning, lighting and furniture',
  },
  { key: 'driver', category: 'transport', nameAr: 'سيارة مع سائق', nameEn: 'Car with a driver', since: -12 },
  { key: 'courier', category: 'transport', nameAr: 'مراسل داخل المدينة', nameEn: 'Courier within the city', price: '25', since: -12 },
  { key: 'laptop', category: 'technology', nameAr: 'حاسب محمول مؤقت', nameEn: 'Laptop on loan', since: -7 },
  { key: 'projector', category: 'technology', nameAr: 'جهاز عرض', nameEn: 'Projector', isAvailable: false, since: -7 },
]
export const services = offered.map(({ since = FIRST_DAY, ...service }) => ({ since, ...service }))
