/** The names of departments, as the pages write them. */
export const communications = 'الإعلام والاتصال | Communications'
export const facilities = 'المرافق والخدمات | Facilities'
export const finance = 'الشؤون المالية | Finance'
export const legal = 'الشؤون القانونية | Legal Affairs'
export const projects = 'إدارة المشاريع | Projects'
export const resources = 'الموارد البشرية | Human Resources'
export const technology = 'تقنية المعلومات | Information Technology'
