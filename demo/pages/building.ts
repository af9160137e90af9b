/** Pages about the building: rooms, meals, parking and the weather. */
import { awaited, day, figures, over, type Page, percent, riyals, table, well } from './parts.ts'

export const building: Record<string, Page> = {
  cafeteria: [
    'الغداء من الثانية عشرة حتى الثانية، والقهوة والشاي طوال الدوام. | Lunch from twelve to two; coffee and tea as long as we are here.',
    table(
      ['الطبق | Dish', 'اليوم | Day', 'السعر | Price'],
      ['كبسة دجاج | Chicken kabsa', day(1), riyals(18)],
      ['شوربة عدس | Lentil soup', day(1), riyals(6)],
      ['سمك مشوي مع صيادية | Grilled fish with sayadieh rice', day(2), riyals(22)],
      ['فتة حمص | Chickpea fatteh', day(2), riyals(12)],
      ['مندي لحم | Lamb mandi', day(3), riyals(24)],
      ['محشي كوسا نباتي | Stuffed courgettes (vegetarian)', day(3), riyals(14)],
      ['مقلوبة باذنجان | Aubergine maqluba', day(4), riyals(17)],
      ['تبولة | Tabbouleh', day(4), riyals(8)],
      ['برياني ربيان | Prawn biryani', day(5), riyals(23)],
      ['فلافل مع طحينة | Falafel with tahini', day(5), riyals(11)],
    ),
  ],
  'meeting-rooms': [
    'ما هو متاح الآن وما حُجز. للضيافة اطلب «ضيافة اجتماع» من الخدمات. | What is free now and what is booked. Order refreshments in Services.',
    table(
      ['القاعة | Room', 'المقاعد | Seats', 'التجهيز | Equipment', 'الحالة | Status'],
      ['القاعة الكبرى | Main meeting room', '20', 'شاشتان | Two screens', awaited('محجوزة حتى 14:00 | Booked until 14:00')],
      ['غرفة المشاريع | Project room', '12', 'سبورة تفاعلية | Smart board', well('متاحة | Free')],
      ['غرفة المقابلات | Interview room', '4', '—', well('متاحة | Free')],
      ['الاستوديو | Studio', '6', 'عازل للصوت | Soundproof', over('مغلق للصيانة | Closed for repairs')],
    ),
    'حجوزات اليوم | Bookings today',
    table(
      ['الاجتماع | Meeting', 'الوقت | Time', 'القاعة | Room', 'صاحب الحجز | Booked by'],
      ['مجلس الإدارة | Board', '10:00–11:30', 'القاعة الكبرى | Main meeting room', 'مها الدوسري | Maha Al-Dosari'],
      ['متابعة المستودع | Warehouse follow-up', '11:00–12:00', 'غرفة المشاريع | Project room', 'هند الراشد | Hind Al-Rashed'],
      ['مقابلة توظيف | Job interview', '12:30–13:00', 'غرفة المقابلات | Interview room', 'أمل الحربي | Amal Al-Harbi'],
      ['مراجعة المشاريع | Project review', '13:00–14:00', 'القاعة الكبرى | Main meeting room', 'بندر العجمي | Bandar Al-Ajmi'],
    ),
  ],
  parking: [
    'تُحجز مواقف الزوار قبل يوم. | Visitors’ places are booked a day ahead.',
    figures(
      ['متاح الآن | Free now', '63', 'من 240 موقفًا | of 240 places'],
      ['مواقف الزوار | Visitors’ places', '9', 'متاحة غدًا | free tomorrow'],
      ['شحن كهربائي | Charging points', '4', 'من 10 | of 10'],
    ),
    'الإشغال حسب الدور | By level',
    table(
      ['الدور | Level', 'الإشغال | Taken'],
      ['القبو الأول | Basement 1', percent(94)],
      ['القبو الثاني | Basement 2', percent(71)],
      ['السطح المظلل | Shaded roof', percent(58)],
      ['البوابة الشمالية | North gate', percent(66)],
    ),
  ],
  weather: [
    'من محطة القياس على السطح. | From the station on the roof.',
    figures(
      ['الحرارة | Temperature', '31 °C', 'صحو | clear sky'],
      ['الرياح | Wind', '14 كم/س | 14 km/h', 'شمالية غربية | from the north-west'],
      ['الرطوبة | Humidity', '22%'],
    ),
    'الأيام المقبلة | The next days',
    table(
      ['اليوم | Day', 'العظمى | High', 'الصغرى | Low', 'الحال | Outlook'],
      [day(1), '32 °C', '19 °C', 'صحو | Clear'],
      [day(2), '30 °C', '18 °C', 'غيوم متفرقة | Scattered clouds'],
      [day(3), '27 °C', '16 °C', 'غبار خفيف | Light dust'],
    ),
  ],
}
