/** About the building: rooms, meals, parking and the weather. */
import { workingDay } from '../../organisation/calendar.ts'
import { awaited, type Both, over, type Page, type Text, well } from './content.ts'

const facilities: Both = ['المرافق والخدمات', 'Facilities']

const isWeekend = () => [5, 6].includes(new Date(`${workingDay(0)}T12:00`).getDay())

interface Meal {
  title: Both
  meta: Text
}
const menu: Meal[][] = [
  [
    { title: ['كبسة دجاج', 'Chicken kabsa'], meta: { riyals: 18 } },
    { title: ['لازانيا خضار', 'Vegetable lasagne'], meta: { riyals: 16 } },
    { title: ['شوربة عدس', 'Lentil soup'], meta: { riyals: 6 } },
  ],
  [
    { title: ['سمك مشوي مع صيادية', 'Grilled fish with sayadieh rice'], meta: { riyals: 22 } },
    { title: ['فتة حمص', 'Chickpea fatteh'], meta: { riyals: 12 } },
    { title: ['سلطة جرجير ورمان', 'Rocket and pomegranate salad'], meta: { riyals: 9 } },
  ],
  [
    { title: ['مندي لحم', 'Lamb mandi'], meta: { riyals: 24 } },
    { title: ['محشي كوسا نباتي', 'Stuffed courgettes (vegetarian)'], meta: { riyals: 14 } },
    { title: ['شوربة طماطم', 'Tomato soup'], meta: { riyals: 6 } },
  ],
  [
    { title: ['مقلوبة باذنجان', 'Aubergine maqluba'], meta: { riyals: 17 } },
    { title: ['برغر مشوي', 'Grilled burger'], meta: { riyals: 19 } },
    { title: ['تبولة', 'Tabbouleh'], meta: { riyals: 8 } },
  ],
  [
    { title: ['برياني ربيان', 'Prawn biryani'], meta: { riyals: 23 } },
    { title: ['فلافل مع طحينة', 'Falafel with tahini'], meta: { riyals: 11 } },
    { title: ['أم علي', 'Umm Ali'], meta: { riyals: 9 } },
  ],
]

export const building: Record<string, Page> = {
  cafeteria: {
    tone: 'amber',
    owner: facilities,
    title: ['قائمة الأسبوع', 'This week’s menu'],
    about: [
      'الغداء من الثانية عشرة حتى الثانية، والقهوة والشاي طوال الدوام.',
      'Lunch from twelve to two; coffee and tea as long as we are here.',
    ],
    blocks: () => [
      { days: menu.map((lines, place) => ({ day: place + (isWeekend() ? 1 : 0), lines })) },
      {
        title: ['على مدار اليوم', 'All day'],
        table: {
          head: [
            ['الصنف', 'Item'],
            ['السعر', 'Price'],
          ],
          rows: [
            [['قهوة عربية مع التمر', 'Arabic coffee with dates'], { riyals: 5 }],
            [['كابتشينو', 'Cappuccino'], { riyals: 9 }],
            [['فطيرة زعتر', 'Thyme pastry'], { riyals: 7 }],
            [['عصير برتقال', 'Orange juice'], { riyals: 8 }],
          ],
        },
      },
    ],
  },
  'meeting-rooms': {
    tone: 'teal',
    owner: facilities,
    title: ['القاعات اليوم', 'Rooms today'],
    about: [
      'ما هو متاح الآن وما حُجز. للضيافة اطلب «ضيافة اجتماع» من الخدمات.',
      'What is free now and what is booked. Order refreshments in Services.',
    ],
    blocks: () => [
      {
        cards: [
          {
            title: ['القاعة الكبرى', 'Main meeting room'],
            state: awaited('محجوزة حتى 14:00', 'Booked until 14:00'),
            meta: [
              ['20 مقعدًا', '20 seats'],
              ['شاشتان', 'Two screens'],
            ],
          },
          {
            title: ['غرفة المشاريع', 'Project room'],
            state: well('متاحة', 'Free'),
            meta: [
              ['12 مقعدًا', '12 seats'],
              ['سبورة تفاعلية', 'Smart board'],
            ],
          },
          {
            title: ['غرفة المقابلات', 'Interview room'],
            state: well('متاحة', 'Free'),
            meta: [['4 مقاعد', '4 seats']],
          },
          {
            title: ['الاستوديو', 'Studio'],
            state: over('مغلق للصيانة', 'Closed for repairs'),
            meta: [
              ['6 مقاعد', '6 seats'],
              ['عازل للصوت', 'Soundproof'],
            ],
          },
        ],
      },
      {
        title: ['حجوزات اليوم', 'Bookings today'],
        table: {
          head: [
            ['الوقت', 'Time'],
            ['القاعة', 'Room'],
            ['الاجتماع', 'Meeting'],
            ['صاحب الحجز', 'Booked by'],
          ],
          rows: [
            ['10:00–11:30', ['القاعة الكبرى', 'Main meeting room'], ['مجلس الإدارة', 'Board'], ['مها الدوسري', 'Maha Al-Dosari']],
            [
              '11:00–12:00',
              ['غرفة المشاريع', 'Project room'],
              ['متابعة المستودع', 'Warehouse follow-up'],
              ['هند الراشد', 'Hind Al-Rashed'],
            ],
            [
              '12:30–13:00',
              ['غرفة المقابلات', 'Interview room'],
              ['مقابلة مسؤول المحتوى', 'Interview: content officer'],
              ['أمل الحربي', 'Amal Al-Harbi'],
            ],
            [
              '13:00–14:00',
              ['القاعة الكبرى', 'Main meeting room'],
              ['مراجعة المشاريع', 'Project review'],
              ['بندر العجمي', 'Bandar Al-Ajmi'],
            ],
          ],
        },
      },
    ],
  },
  parking: {
    tone: 'slate',
    owner: facilities,
    title: ['المواقف الآن', 'Places free now'],
    about: ['تُحجز مواقف الزوار قبل يوم.', 'Visitors’ places are booked a day ahead.'],
    blocks: () => [
      {
        figures: [
          { label: ['متاح الآن', 'Free now'], value: '63', note: ['من 240 موقفًا', 'of 240 places'] },
          { label: ['مواقف الزوار', 'Visitors’ places'], value: '9', note: ['متاحة غدًا', 'free tomorrow'] },
          { label: ['شحن كهربائي', 'Charging points'], value: '4', note: ['من 10', 'of 10'] },
        ],
      },
      {
        title: ['الإشغال حسب الدور', 'By level'],
        bars: [
          { label: ['القبو الأول', 'Basement 1'], percent: 94 },
          { label: ['القبو الثاني', 'Basement 2'], percent: 71 },
          { label: ['السطح المظلل', 'Shaded roof'], percent: 58 },
          { label: ['البوابة الشمالية', 'North gate'], percent: 66 },
        ],
      },
      {
        title: ['تذكير', 'Please note'],
        cards: [
          { title: ['السرعة 10 كم/س', '10 km/h'], text: ['في جميع الممرات والمنحدرات.', 'In all lanes and on the ramps.'] },
          {
            title: ['البطاقة على الزجاج', 'Show your permit'],
            text: ['تُجدَّد البطاقات في الشهر الأول من كل عام.', 'Permits are renewed in January.'],
          },
        ],
      },
    ],
  },
  weather: {
    tone: 'blue',
    owner: facilities,
    title: ['الطقس عند المبنى', 'Weather at the building'],
    about: ['من محطة القياس على السطح.', 'From the station on the roof.'],
    blocks: () => [
      {
        figures: [
          { label: ['الحرارة', 'Temperature'], value: '31 °C', note: ['صحو', 'clear sky'] },
          { label: ['الرياح', 'Wind'], value: ['14 كم/س', '14 km/h'], note: ['شمالية غربية', 'from the north-west'] },
          { label: ['الرطوبة', 'Humidity'], value: '22%' },
        ],
      },
      {
        title: ['الأيام المقبلة', 'The next days'],
        table: {
          head: [
            ['اليوم', 'Day'],
            ['العظمى', 'High'],
            ['الصغرى', 'Low'],
            ['الحال', 'Outlook'],
          ],
          rows: [
            [{ day: 1 }, '32 °C', '19 °C', ['صحو', 'Clear']],
            [{ day: 2 }, '30 °C', '18 °C', ['غيوم متفرقة', 'Scattered clouds']],
            [{ day: 3 }, '27 °C', '16 °C', ['غبار خفيف', 'Light dust']],
          ],
        },
      },
    ],
  },
}
