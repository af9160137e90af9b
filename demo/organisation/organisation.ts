/** The organisation of the demo: departments, roles, people and apps, in both languages. */
import { FIRST_DAY } from './calendar.ts'

export const groups = [
  {
    key: 'office',
    name: 'Executive Office',
    descriptionAr: 'المكتب التنفيذي',
    descriptionEn: 'Executive Office\nThe chief executive and their office',
  },
  {
    key: 'hr',
    name: 'Human Resources',
    descriptionAr: 'الموارد البشرية',
    descriptionEn: 'Human Resources\nRecruitment, leave and training',
  },
  {
    key: 'it',
    name: 'Information Technology',
    descriptionAr: 'تقنية المعلومات',
    descriptionEn: 'Information Technology\nSystems, networks and support',
  },
  { key: 'finance', name: 'Finance', descriptionAr: 'الشؤون المالية', descriptionEn: 'Finance\nBudget, payroll and purchasing' },
  { key: 'legal', name: 'Legal Affairs', descriptionAr: 'الشؤون القانونية', descriptionEn: 'Legal Affairs\nContracts and compliance' },
  {
    key: 'media',
    name: 'Communications',
    descriptionAr: 'الإعلام والاتصال',
    descriptionEn: 'Communications\nPress, publishing and events',
  },
  {
    key: 'facilities',
    name: 'Facilities',
    descriptionAr: 'المرافق والخدمات',
    descriptionEn: 'Facilities\nBuildings, transport and hospitality',
  },
  { key: 'projects', name: 'Projects', descriptionAr: 'إدارة المشاريع', descriptionEn: 'Projects\nPlanning and delivery' },
] as const
export type GroupKey = (typeof groups)[number]['key']

/** Custom roles, with their permissions and the departments that grant them. */
export const roles: { name: string; descriptionAr: string; descriptionEn: string; permissions: string[]; groups: GroupKey[] }[] = [
  {
    name: 'staff',
    descriptionAr: 'موظف',
    descriptionEn: 'Member of staff',
    permissions: ['portal.staff'],
    groups: groups.map(({ key }) => key),
  },
  {
    name: 'department_head',
    descriptionAr: 'مدير إدارة',
    descriptionEn: 'Head of a department',
    permissions: ['portal.manager'],
    groups: ['office'],
  },
  { name: 'it_engineer', descriptionAr: 'مهندس تقنية', descriptionEn: 'IT engineer', permissions: ['portal.it'], groups: ['it'] },
  { name: 'hr_officer', descriptionAr: 'أخصائي موارد بشرية', descriptionEn: 'HR officer', permissions: ['portal.hr'], groups: ['hr'] },
  { name: 'accountant', descriptionAr: 'محاسب', descriptionEn: 'Accountant', permissions: ['portal.finance'], groups: ['finance'] },
]

interface Person {
  username: string
  displayNameAr: string
  displayNameEn: string
  group: GroupKey
  roles: string[]
  /** The working day on which the person joined. */
  joined: number
}

const roster: [username: string, ar: string, en: string, group: GroupKey, ...roles: string[]][] = [
  ['sultan', 'سلطان العتيبي', 'Sultan Al-Otaibi', 'office', 'executive_ceo', 'department_head'],
  ['maha', 'مها الدوسري', 'Maha Al-Dosari', 'office', 'executive_office_manager', 'department_head'],
  ['faisal', 'فيصل الشهري', 'Faisal Al-Shehri', 'office', 'executive_coord_lead'],
  ['reem', 'ريم القحطاني', 'Reem Al-Qahtani', 'office', 'executive_coordinator'],
  ['nasser', 'ناصر المطيري', 'Nasser Al-Mutairi', 'office', 'executive_viewer'],
  ['huda', 'هدى الزهراني', 'Huda Al-Zahrani', 'hr', 'department_head'],
  ['amal', 'أمل الحربي', 'Amal Al-Harbi', 'hr'],
  ['yousef', 'يوسف الغامدي', 'Yousef Al-Ghamdi', 'hr'],
  ['salma', 'سلمى الأنصاري', 'Salma Al-Ansari', 'hr'],
  ['badr', 'بدر السبيعي', 'Badr Al-Subaie', 'hr'],
  ['omar', 'عمر باوزير', 'Omar Bawazir', 'it', 'admin', 'department_head'],
  ['layla', 'ليلى حمدان', 'Layla Hamdan', 'it', 'order_receiver'],
  ['tariq', 'طارق الجهني', 'Tariq Al-Juhani', 'it', 'order_receiver'],
  ['dana', 'دانة العنزي', 'Dana Al-Anazi', 'it'],
  ['khalid', 'خالد الرشيد', 'Khalid Al-Rasheed', 'it'],
  ['sami', 'سامي عطية', 'Sami Attia', 'it'],
  ['noura', 'نورة السالم', 'Noura Al-Salem', 'finance', 'department_head'],
  ['majed', 'ماجد البقمي', 'Majed Al-Buqami', 'finance'],
  ['aisha', 'عائشة الفهد', 'Aisha Al-Fahad', 'finance'],
  ['hassan', 'حسن الموسوي', 'Hassan Al-Musawi', 'finance'],
  ['rania', 'رانيا خوري', 'Rania Khoury', 'finance'],
  ['ibrahim', 'إبراهيم التميمي', 'Ibrahim Al-Tamimi', 'legal', 'department_head'],
  ['wafa', 'وفاء الشمري', 'Wafa Al-Shammari', 'legal'],
  ['ziad', 'زياد النجار', 'Ziad Al-Najjar', 'legal'],
  ['lama', 'لمى العمري', 'Lama Al-Amri', 'media', 'department_head'],
  ['adel', 'عادل السيد', 'Adel El-Sayed', 'media'],
  ['shahd', 'شهد البلوي', 'Shahd Al-Balawi', 'media'],
  ['karim', 'كريم منصور', 'Karim Mansour', 'media'],
  ['saleh', 'صالح الخالدي', 'Saleh Al-Khaldi', 'facilities', 'department_head', 'order_receiver'],
  ['mona', 'منى السعدي', 'Mona Al-Saadi', 'facilities', 'order_receiver'],
  ['jaber', 'جابر المري', 'Jaber Al-Marri', 'facilities', 'order_receiver'],
  ['fatima', 'فاطمة الهاشمي', 'Fatima Al-Hashimi', 'facilities'],
  ['ahmad', 'أحمد درويش', 'Ahmad Darwish', 'facilities'],
  ['bandar', 'بندر العجمي', 'Bandar Al-Ajmi', 'projects', 'department_head'],
  ['hind', 'هند الراشد', 'Hind Al-Rashed', 'projects'],
  ['mazen', 'مازن عبدالله', 'Mazen Abdullah', 'projects'],
  ['lina', 'لينا صباغ', 'Lina Sabbagh', 'projects'],
  ['turki', 'تركي الدخيل', 'Turki Al-Dakhil', 'projects'],
  ['samar', 'سمر يعقوب', 'Samar Yaqoub', 'projects'],
  ['anas', 'أنس الحداد', 'Anas Al-Haddad', 'projects'],
]
/** The working days on which late joiners joined; everybody else joined on the first day. */
const joined: Record<string, number> = { salma: -10, dana: -8, lina: -6 }
export const people: Person[] = roster.map(([username, displayNameAr, displayNameEn, group, ...held]) => ({
  username,
  displayNameAr,
  displayNameEn,
  group,
  roles: held,
  joined: joined[username] ?? FIRST_DAY,
}))
const HEAD = 'department_head'
const [chief] = people as [Person]
/** The manager of a person: the head of their department, and the chief executive for the heads; the chief executive has no manager. */
export function managerOf({ username, group, roles }: Person) {
  if (username === chief.username) return undefined
  const head = roles.includes(HEAD) ? chief : people.findLast((one) => one.group === group && one.roles.includes(HEAD))
  return head?.username
}
/** People who left the organisation; their accounts are inactive. */
export const departed = ['anas']
export const LEAVING_DAY = -4

/** The names and the language of the administrator, whose account the portal creates at its first start. */
export const administrator = { displayNameAr: 'عبدالعزيز الصالح', displayNameEn: 'Abdulaziz Al-Saleh', preferredLanguage: 'ar' }

interface App {
  slug: string
  nameAr: string
  nameEn: string
  iconName: string
  color: string
  /** Any of these permissions shows the app; without them, everyone sees it. */
  permissions?: string[]
  /** Departments whose members see the app regardless of permissions. */
  groups?: GroupKey[]
  /** The room of the portal that the app opens. Without one, the app opens the page in `pages/` with its slug. */
  route?: string
  /** The app's page opens in its own tab instead of a frame. */
  opensInTab?: true
  isActive?: boolean
}
export const apps: App[] = [
  { slug: 'news', nameAr: 'الأخبار', nameEn: 'News', iconName: 'newspaper', color: '#1f5f8b' },
  { slug: 'directory', nameAr: 'دليل الموظفين', nameEn: 'Directory', iconName: 'users', color: '#2e7d6b' },
  { slug: 'calendar', nameAr: 'التقويم', nameEn: 'Calendar', iconName: 'calendar', color: '#8b5a1f' },
  { slug: 'leave', nameAr: 'الإجازات', nameEn: 'Leave', iconName: 'plane', color: '#4a6fa5', permissions: ['portal.staff'] },
  {
    slug: 'attendance',
    nameAr: 'الحضور والانصراف',
    nameEn: 'Attendance',
    iconName: 'clock',
    color: '#6b4a8b',
    permissions: ['portal.staff'],
  },
  { slug: 'payslips', nameAr: 'كشوف الرواتب', nameEn: 'Payslips', iconName: 'receipt', color: '#2f855a', permissions: ['portal.staff'] },
  {
    slug: 'training',
    nameAr: 'التدريب',
    nameEn: 'Training',
    iconName: 'graduation-cap',
    color: '#b7791f',
    permissions: ['portal.staff'],
    opensInTab: true,
  },
  { slug: 'documents', nameAr: 'الوثائق', nameEn: 'Documents', iconName: 'folder', color: '#3c366b' },
  { slug: 'policies', nameAr: 'السياسات واللوائح', nameEn: 'Policies', iconName: 'book-open', color: '#702459' },
  { slug: 'meeting-rooms', nameAr: 'قاعات الاجتماعات', nameEn: 'Meeting rooms', iconName: 'door-open', color: '#285e61' },
  {
    slug: 'cafeteria',
    nameAr: 'المقهى',
    nameEn: 'Cafeteria',
    iconName: 'coffee',
    color: '#975a16',
  },
  { slug: 'parking', nameAr: 'المواقف', nameEn: 'Parking', iconName: 'car', color: '#4a5568' },
  {
    slug: 'approvals',
    nameAr: 'الاعتمادات',
    nameEn: 'Approvals',
    iconName: 'check-square',
    color: '#9b2c2c',
    permissions: ['portal.manager'],
  },
  {
    slug: 'budget',
    nameAr: 'الميزانية',
    nameEn: 'Budget',
    iconName: 'pie-chart',
    color: '#276749',
    permissions: ['portal.manager', 'portal.finance'],
  },
  {
    slug: 'indicators',
    nameAr: 'مؤشرات الأداء',
    nameEn: 'Indicators',
    iconName: 'bar-chart',
    color: '#2b6cb0',
    permissions: ['portal.manager'],
  },
  { slug: 'recruitment', nameAr: 'التوظيف', nameEn: 'Recruitment', iconName: 'user-plus', color: '#b83280', permissions: ['portal.hr'] },
  {
    slug: 'personnel',
    nameAr: 'ملفات الموظفين',
    nameEn: 'Personnel files',
    iconName: 'archive',
    color: '#805ad5',
    permissions: ['portal.hr'],
  },
  {
    slug: 'accounting',
    nameAr: 'المحاسبة',
    nameEn: 'Accounting',
    iconName: 'calculator',
    color: '#22543d',
    permissions: ['portal.finance'],
  },
  {
    slug: 'purchasing',
    nameAr: 'المشتريات',
    nameEn: 'Purchasing',
    iconName: 'shopping-cart',
    color: '#744210',
    permissions: ['portal.finance'],
    groups: ['facilities'],
  },
  {
    slug: 'monitoring',
    nameAr: 'مراقبة الأنظمة',
    nameEn: 'Monitoring',
    iconName: 'activity',
    color: '#1a365d',
    permissions: ['portal.it'],
    opensInTab: true,
  },
  { slug: 'helpdesk', nameAr: 'الدعم الفني', nameEn: 'Help desk', iconName: 'life-buoy', color: '#c05621', route: '/services' },
  {
    slug: 'contracts',
    nameAr: 'العقود',
    nameEn: 'Contracts',
    iconName: 'file-signature',
    color: '#553c9a',
    permissions: ['portal.manager'],
    groups: ['legal'],
  },
  {
    slug: 'media-library',
    nameAr: 'المكتبة الإعلامية',
    nameEn: 'Media library',
    iconName: 'image',
    color: '#d53f8c',
    permissions: ['portal.manager'],
    groups: ['media'],
  },
  {
    slug: 'project-board',
    nameAr: 'لوحة المشاريع',
    nameEn: 'Project board',
    iconName: 'trello',
    color: '#2c7a7b',
    groups: ['projects'],
    permissions: ['portal.manager'],
  },
  {
    slug: 'weather',
    nameAr: 'الطقس',
    nameEn: 'Weather',
    iconName: 'cloud-sun',
    color: '#3182ce',
    isActive: false,
  },
]
