/** The internal services of the demo, and a morning's orders. */

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
}
export const services: Service[] = [
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
  { key: 'driver', category: 'transport', nameAr: 'سيارة مع سائق', nameEn: 'Car with a driver' },
  { key: 'courier', category: 'transport', nameAr: 'مراسل داخل المدينة', nameEn: 'Courier within the city', price: '25' },
  { key: 'laptop', category: 'technology', nameAr: 'حاسب محمول مؤقت', nameEn: 'Laptop on loan' },
  { key: 'projector', category: 'technology', nameAr: 'جهاز عرض', nameEn: 'Projector', isAvailable: false },
]

interface Order {
  by: string
  service: string
  notes?: string
  /** Who claimed it, and its moves since. */
  receiver?: string
  moves?: ('preparing' | 'completed')[]
  isCancelled?: boolean
}
export const orders: Order[] = [
  { by: 'huda', service: 'coffee', notes: 'قاعة الاجتماعات الكبرى، ستة فناجين', receiver: 'layla', moves: ['preparing', 'completed'] },
  { by: 'dana', service: 'laptop', notes: 'ليوم الأربعاء', receiver: 'tariq', moves: ['completed'] },
  { by: 'sultan', service: 'guests', notes: 'ثمانية ضيوف عند العاشرة', receiver: 'layla', moves: ['preparing'] },
  { by: 'noura', service: 'printing', notes: 'Forty copies of the budget, bound', receiver: 'tariq', moves: ['preparing'] },
  { by: 'reem', service: 'driver', notes: 'إلى المطار، الساعة الثانية ظهراً', receiver: 'layla' },
  { by: 'amal', service: 'stationery', receiver: 'tariq' },
  { by: 'khalid', service: 'repair', notes: 'The light above the second desk flickers', receiver: 'layla', isCancelled: true },
  { by: 'dana', service: 'tea', isCancelled: true },
  { by: 'maha', service: 'courier', notes: 'مظروف إلى وزارة المالية' },
  { by: 'salma', service: 'water', notes: 'الطابق الثالث' },
  { by: 'dana', service: 'coffee' },
]
