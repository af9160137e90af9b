/** The line that adds a meeting, in both languages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOneLine } from './one-line.ts'
import type { Reading } from './reading.ts'

/** A Wednesday. */
const now = { today: '2026-11-25', time: '10:00' }

/** A reading in one line: title · day · start-end · @place · +person · ~link · ?reason with its choices */
const said = (read: Reading) =>
  [
    read.title,
    read.date,
    [read.start, read.end && `-${read.end}`].join(''),
    read.place && `@${read.place}`,
    ...read.people.map((name) => `+${name}`),
    read.link && `~${read.link}`,
    ...read.unsure.map(({ reason, choices }) => `?${reason} ${choices.map((choice) => Object.values(choice).join('-')).join('/')}`.trim()),
  ]
    .filter(Boolean)
    .join(' · ')

const means = (lines: string) => {
  for (const [, line, meaning] of lines.matchAll(/^ *(.+) => (.+)$/gm)) assert.equal(said(readOneLine(line!, now)), meaning, line)
}

test('a line in Arabic is understood', () => {
  means(`
  غداء عمل مع نورة غدًا 13:00 في مكتب الرئيس => غداء عمل · 2026-11-26 · 13:00 · @مكتب الرئيس · +نورة
  غداء عمل مع نورة غدا ١٣:٠٠ في مكتب الرئيس => غداء عمل · 2026-11-26 · 13:00 · @مكتب الرئيس · +نورة
  اجتماع اليوم الساعة 3 عصرًا => اجتماع · 2026-11-25 · 15:00
  اجتماع بكرة الساعة 9 ص => اجتماع · 2026-11-26 · 09:00
  اجتماع بعد غد 16:30 => اجتماع · 2026-11-27 · 16:30
  اجتماع بعد بكره الساعة ١١ صباحًا => اجتماع · 2026-11-27 · 11:00
  لقاء الأحد الساعة 5 مساءً => لقاء · 2026-11-29 · 17:00
  لقاء يوم الاثنين الساعة الواحدة ظهرًا => لقاء · 2026-11-30 · 13:00
  لقاء الثلاثاء القادم الساعة الثامنة مساءً => لقاء · 2026-12-01 · 20:00
  لقاء الخميس القادم 14:00 => لقاء · 2026-11-26 · 14:00
  لقاء الأربعاء 14:00 => لقاء · 14:00 · ?same_weekday 2026-11-25/2026-12-02
  لقاء الأربعاء القادم 14:00 => لقاء · 2026-12-02 · 14:00
  لقاء الأحد بعد القادم 14:00 => لقاء · 2026-12-06 · 14:00
  لقاء الخميس الأسبوع القادم 14:00 => لقاء · 2026-12-03 · 14:00
  لقاء الأسبوع القادم => لقاء · ?vague_day 2026-11-29/2026-11-30/2026-12-01/2026-12-02/2026-12-03/2026-12-04/2026-12-05
  لقاء بعد ثلاثة أيام 10:00 ص => لقاء · 2026-11-28 · 10:00
  لقاء بعد أسبوعين الساعة 10 ص => لقاء · 2026-12-09 · 10:00
  لقاء 3 ديسمبر 10:00 صباحًا => لقاء · 2026-12-03 · 10:00
  لقاء ٣ ديسمبر ٢٠٢٦ الساعة ١٠ ص => لقاء · 2026-12-03 · 10:00
  لقاء الثالث من ديسمبر الساعة 10 ص => لقاء · 2026-12-03 · 10:00
  لقاء يوم الخميس 3 ديسمبر 10 ص => لقاء · 2026-12-03 · 10:00
  لقاء يوم الجمعة 3 ديسمبر 10 ص => لقاء · 10:00 · ?weekday_mismatch 2026-11-27/2026-12-03
  لقاء 3 مارس 10 ص => لقاء · 10:00 · ?passed 2027-03-03/2026-03-03
  لقاء 3 كانون الأول 10 ص => لقاء · 2026-12-03 · 10:00
  لقاء 3/12/2026 10 ص => لقاء · 2026-12-03 · 10:00
  لقاء 3/12 10 ص => لقاء · 2026-12-03 · 10:00
  لقاء 2026-12-03 10 ص => لقاء · 2026-12-03 · 10:00
  لقاء 14 رجب 1448 الساعة 8 م => لقاء · 2026-12-23 · 20:00
  لقاء ١٤ رجب ١٤٤٨هـ الساعة ٨ م => لقاء · 2026-12-23 · 20:00
  لقاء 14 رجب الساعة 8 م => لقاء · 2026-12-23 · 20:00
  لقاء 1 محرم الساعة 8 م => لقاء · 20:00 · ?passed 2027-06-06/2026-06-16
  لقاء 14/7/1448 الساعة 8 م => لقاء · 2026-12-23 · 20:00
  لقاء 14/7 هـ الساعة 8 م => لقاء · 2026-12-23 · 20:00
  لقاء الخامس عشر من شعبان 1448هـ 20:00 => لقاء · 2027-01-23 · 20:00
  لقاء 30 جمادى الآخرة 1448 الساعة 8 م => لقاء · 20:00 · ?no_such_day 2026-12-09/2026-12-10
  لقاء 31 أبريل 2027 الساعة 8 م => لقاء · 20:00 · ?no_such_day 2027-04-30/2027-05-01
  لقاء 3 ديسمبر 2026 الموافق 23 جمادى الآخرة 1448 الساعة 8 م => لقاء · 2026-12-03 · 20:00
  لقاء 3 ديسمبر الموافق 25 جمادى الآخرة الساعة 8 م => لقاء · 20:00 · ?two_dates 2026-12-03/2026-12-05
  لقاء يوم 15 الساعة 8 م => لقاء · 20:00 · ?no_month 2026-12-15/2027-01-15
  لقاء كل أحد الساعة 8 م => لقاء · 20:00 · ?repeats 2026-11-29
  لقاء الساعة 5 => لقاء · ?half_of_day 17:00/05:00
  لقاء الساعة الخامسة => لقاء · ?half_of_day 17:00/05:00
  لقاء 9:30 => لقاء · ?half_of_day 09:30/21:30
  لقاء 09:30 => لقاء · 09:30
  لقاء 12 مساءً => لقاء · ?half_of_day 12:00/00:00
  لقاء 12 ظهرًا => لقاء · 12:00
  لقاء 12 ص => لقاء · 00:00
  لقاء منتصف الليل => لقاء · 00:00
  لقاء الساعة 25:00 => لقاء · ?no_such_time
  لقاء الساعة الرابعة إلا ربعًا عصرًا => لقاء · 15:45
  لقاء الخامسة والنصف مساء => لقاء · 17:30
  لقاء 7 وربع صباحا => لقاء · 07:15
  لقاء 3 بعد الظهر => لقاء · 15:00
  لقاء 10 قبل الظهر => لقاء · 10:00
  لقاء من 1 إلى 2:30 ظهرًا => لقاء · 13:00-14:30
  لقاء من 1 إلى 2:30 => لقاء · ?half_of_day 13:00-14:30/01:00-02:30
  لقاء من 11 إلى 1 => لقاء · 11:00-13:00
  لقاء من الساعة 9 صباحًا حتى الساعة 12 ظهرًا => لقاء · 09:00-12:00
  لقاء بين الواحدة والثالثة عصرًا => لقاء · 13:00-15:00
  لقاء 10 ص - 12 م => لقاء · 10:00-12:00
  لقاء 13:00–14:15 => لقاء · 13:00-14:15
  لقاء 13:00 حتى 3 => لقاء · 13:00-15:00
  لقاء من 3 عصرًا إلى 1 ظهرًا => لقاء · 15:00 · ?end_before_start 13:00-15:00
  لقاء 13:00 لمدة ساعة => لقاء · 13:00-14:00
  لقاء 13:00 لمدة ساعة ونصف => لقاء · 13:00-14:30
  لقاء 13:00 لمدة ساعتين وربع => لقاء · 13:00-15:15
  لقاء 13:00 لمدة ثلاث ساعات => لقاء · 13:00-16:00
  لقاء 13:00 لنصف ساعة => لقاء · 13:00-13:30
  لقاء 13:00 لمدة ٤٥ دقيقة => لقاء · 13:00-13:45
  لقاء 13:00 مدته ساعة و15 دقيقة => لقاء · 13:00-14:15
  لقاء الساعة 1 لمدة ساعة => لقاء · ?half_of_day 13:00-14:00/01:00-02:00
  لقاء لمدة ساعة => لقاء · ?no_start
  لقاء حتى 3 عصرًا => لقاء · -15:00 · ?no_start
  لقاء 23:00 لمدة ساعتين => لقاء · 23:00 · ?past_midnight 23:00-23:59
  لقاء 13:00 و 15:00 => لقاء · ?two_times 13:00/15:00
  لقاء صباح الأحد الساعة 9 => لقاء · 2026-11-29 · 09:00
  لقاء مساء الغد 7:30 => لقاء · 2026-11-26 · 19:30
  لقاء الأحد صباحًا => لقاء · 2026-11-29 · ?vague_time 09:00/10:00/11:00
  لقاء الأحد بعد صلاة العصر => لقاء · 2026-11-29 · ?vague_time
  لقاء ليلة الخميس الساعة 9 => لقاء · 21:00 · ?which_night 2026-11-26/2026-11-25
  لقاء الليلة الساعة 9 => لقاء · 2026-11-25 · 21:00
  مكالمة بعد نصف ساعة => مكالمة · 2026-11-25 · 10:30
  مكالمة الآن مع سارة => مكالمة · 2026-11-25 · 10:00 · +سارة
  اجتماع مع نورة العتيبي وأحمد بن سالم => اجتماع · +نورة العتيبي · +أحمد بن سالم
  اجتماع مع وليد ووفاء ووزير المالية => اجتماع · +وليد · +وفاء · +وزير المالية
  اجتماع مع وزارة الصحة ووكيل الوزارة => اجتماع · +وزارة الصحة · +وكيل الوزارة
  اجتماع مع مدير التخطيط والتطوير والرئيس => اجتماع · +مدير التخطيط والتطوير · +الرئيس
  اجتماع مع نورة، أحمد، وسارة => اجتماع · +نورة · +أحمد · +سارة
  اجتماع مع نورة و أحمد ومع سالم => اجتماع · +نورة · +أحمد · +سالم
  اجتماع مع د. خالد الشمري لمناقشة الميزانية => اجتماع لمناقشة الميزانية · +د. خالد الشمري
  اجتماع بقاعة الاجتماعات الرئيسية غدًا 13:00 => اجتماع · 2026-11-26 · 13:00 · @قاعة الاجتماعات الرئيسية
  بحث الاستثمار في التعليم مع نورة الأحد 3م في مكتب الرئيس => بحث الاستثمار في التعليم · 2026-11-29 · 15:00 · @مكتب الرئيس · +نورة
  جولة في الرياض مع سارة في جدة => جولة · +سارة · ?two_places الرياض/جدة
  لقاء الأحد والاثنين 14:00 => لقاء · 14:00 · ?two_dates 2026-11-29/2026-11-30
  احتفال اليوم الوطني غدًا 20:00 => احتفال اليوم الوطني · 2026-11-26 · 20:00
  «لقاء الأحد» غدًا 13:00 => لقاء الأحد · 2026-11-26 · 13:00
  رؤية 2030: عرض غدًا 15:00 => رؤية 2030: عرض · 2026-11-26 · 15:00
  مكالمة غدًا 15:00 https://meet.example.com/a?b=1. => مكالمة · 2026-11-26 · 15:00 · ~https://meet.example.com/a?b=1
  لقاء الساعة 2 ونص العصر => لقاء · 14:30
  لقاء الساعة ثلاث العصر => لقاء · 15:00
  لقاء الثالثة إلا خمس دقائق عصرًا => لقاء · 14:55
  لقاء يوم 3 مارس القادم 13:00 => لقاء · 2027-03-03 · 13:00
  لقاء 13:00 لمدة خمس وأربعين دقيقة => لقاء · 13:00-13:45
  لقاء 13:00 لمدة ساعة ونصف الساعة => لقاء · 13:00-14:30
  لقاء مع الأستاذة نورة ود. أحمد وم. سالم => لقاء · +الأستاذة نورة · +د. أحمد · +م. سالم
  لقاء مع سارة (عن بعد) ومع أحمد بمكتبي => لقاء · @مكتبي · +سارة (عن بعد) · +أحمد
  لقاء يوم غد الخميس 13:00 => لقاء · 2026-11-26 · 13:00
  مراجعة تقرير نوفمبر غدًا 2 م => مراجعة تقرير نوفمبر · 2026-11-26 · 14:00
  لقاء قبل الساعة 3 عصرًا => لقاء · ?vague_time 15:00
  لقاء أول رجب 10 ص => لقاء · 2026-12-10 · 10:00
  `)
})

test('a line in English is understood', () => {
  means(`
  Lunch with Al at The Palace at noon on Thursday => Lunch · 2026-11-26 · 12:00 · @The Palace · +Al
  with the board at 3pm tomorrow in the big hall => 2026-11-26 · 15:00 · @the big hall · +the board
  Budget review today at 3 pm => Budget review · 2026-11-25 · 15:00
  Budget review tomorrow, 9:30 am => Budget review · 2026-11-26 · 09:30
  Budget review the day after tomorrow at 16:30 => Budget review · 2026-11-27 · 16:30
  Budget review on Sunday at 10:00 a.m. => Budget review · 2026-11-29 · 10:00
  Budget review Sun 10am => Budget review · 2026-11-29 · 10:00
  Budget review next Sunday at 10am => Budget review · 2026-11-29 · 10:00
  Budget review next Thursday at 10am => Budget review · 10:00 · ?which_week 2026-11-26/2026-12-03
  Budget review this Thursday at 10am => Budget review · 2026-11-26 · 10:00
  Budget review on Wednesday at 10am => Budget review · 10:00 · ?same_weekday 2026-11-25/2026-12-02
  Budget review next Wednesday at 10am => Budget review · 2026-12-02 · 10:00
  Budget review on Thursday next week at 10am => Budget review · 2026-12-03 · 10:00
  Budget review next week => Budget review · ?vague_day 2026-11-29/2026-11-30/2026-12-01/2026-12-02/2026-12-03/2026-12-04/2026-12-05
  Budget review in 3 days at 10am => Budget review · 2026-11-28 · 10:00
  Budget review in two weeks at 10am => Budget review · 2026-12-09 · 10:00
  Budget review on 3 December at 10am => Budget review · 2026-12-03 · 10:00
  Budget review on December 3rd, 2026 at 10am => Budget review · 2026-12-03 · 10:00
  Budget review on the 3rd of December at 10am => Budget review · 2026-12-03 · 10:00
  Budget review on Thursday, 3 December at 10am => Budget review · 2026-12-03 · 10:00
  Budget review on Friday, 3 December at 10am => Budget review · 10:00 · ?weekday_mismatch 2026-11-27/2026-12-03
  Budget review on 3 March at 10am => Budget review · 10:00 · ?passed 2027-03-03/2026-03-03
  Budget review on 3/12/2026 at 10am => Budget review · 2026-12-03 · 10:00
  Budget review on 3.12.2026 at 10am => Budget review · 2026-12-03 · 10:00
  Budget review on 2026-12-03 at 10am => Budget review · 2026-12-03 · 10:00
  Budget review on 3/12 at 10am => Budget review · 2026-12-03 · 10:00
  Budget review on 14 Rajab 1448 at 8pm => Budget review · 2026-12-23 · 20:00
  Iftar on 1 Ramadan at 18:30 => Iftar · 2027-02-08 · 18:30
  Iftar on 15 Sha'ban 1448 AH at 18:30 => Iftar · 2027-01-23 · 18:30
  Meeting on 30 Jumada al-Akhirah 1448 at 8pm => Meeting · 20:00 · ?no_such_day 2026-12-09/2026-12-10
  Meeting on 10 Dhul-Hijjah 1448 at 8pm => Meeting · 2027-05-16 · 20:00
  Workshop on 31 April 2027 at 10am => Workshop · 10:00 · ?no_such_day 2027-04-30/2027-05-01
  Workshop on 29 February at 10am => Workshop · 10:00 · ?no_such_day 2027-02-28/2027-03-01
  Workshop on the 15th at 10am => Workshop · 10:00 · ?no_month 2026-12-15/2027-01-15
  Workshop 3-5 December => Workshop · ?two_dates 2026-12-03/2026-12-05
  Standup every Sunday at 10am => Standup · 10:00 · ?repeats 2026-11-29
  Lunch at 5 => Lunch · ?half_of_day 17:00/05:00
  Lunch at five => Lunch · ?half_of_day 17:00/05:00
  Lunch at 9:30 => Lunch · ?half_of_day 09:30/21:30
  Lunch at 09:30 => Lunch · 09:30
  Lunch at 12 => Lunch · ?half_of_day 12:00/00:00
  Lunch at 12 noon => Lunch · 12:00
  Lunch at midnight => Lunch · 00:00
  Lunch at 25:00 => Lunch · ?no_such_time
  Lunch at 17 o'clock => Lunch · 17:00
  Lunch at half past one pm => Lunch · 13:30
  Lunch at quarter to 2 in the afternoon => Lunch · 13:45
  Lunch at 1.30 pm => Lunch · 13:30
  Lunch from 1 to 2:30 pm => Lunch · 13:00-14:30
  Lunch from 1 to 2:30 => Lunch · ?half_of_day 13:00-14:30/01:00-02:30
  Lunch from 11 to 1 => Lunch · 11:00-13:00
  Lunch 11am-1 => Lunch · 11:00-13:00
  Lunch 1-2:30pm => Lunch · 13:00-14:30
  Lunch 13:00–14:15 => Lunch · 13:00-14:15
  Lunch between 1 and 2 pm => Lunch · 13:00-14:00
  Lunch from 3pm to 1pm => Lunch · 15:00 · ?end_before_start 13:00-15:00
  Lunch at 1 pm until 2:30 => Lunch · 13:00-14:30
  Lunch at 1 pm for an hour => Lunch · 13:00-14:00
  Lunch at 1 pm for an hour and a half => Lunch · 13:00-14:30
  Lunch at 13:00 for two hours and 15 minutes => Lunch · 13:00-15:15
  Lunch at 13:00, 90 min => Lunch · 13:00-14:30
  Lunch at 13:00 for half an hour => Lunch · 13:00-13:30
  Lunch at 13:00 for 1.5 hours => Lunch · 13:00-14:30
  Lunch at 1 for an hour => Lunch · ?half_of_day 13:00-14:00/01:00-02:00
  Lunch for an hour => Lunch · ?no_start
  Lunch until 3pm => Lunch · -15:00 · ?no_start
  Lunch at 11pm for 2 hours => Lunch · 23:00 · ?past_midnight 23:00-23:59
  Lunch at 1pm or at 3pm => Lunch · ?two_times 13:00/15:00
  Lunch at 1pm to 2pm for an hour => Lunch · 13:00-14:00
  Lunch at 1pm to 3pm for an hour => Lunch · ?two_times 13:00-15:00/13:00-14:00
  Review tomorrow morning at 9 => Review · 2026-11-26 · 09:00
  Review tomorrow morning => Review · 2026-11-26 · ?vague_time 09:00/10:00/11:00
  Dinner tonight at 8 => Dinner · 2026-11-25 · 20:00
  Review at 5 tomorrow afternoon => Review · 2026-11-26 · 17:00
  Call in half an hour => Call · 2026-11-25 · 10:30
  Call now with Sara => Call · 2026-11-25 · 10:00 · +Sara
  Lunch with Noura and Ahmed => Lunch · +Noura · +Ahmed
  Lunch with Noura Al-Otaibi, Ahmed bin Salem & the CFO => Lunch · +Noura Al-Otaibi · +Ahmed bin Salem · +the CFO
  Lunch with Noura budget review => Lunch budget review · +Noura
  Lunch with Ahmed from finance tomorrow => Lunch · 2026-11-26 · +Ahmed from finance
  lunch with noura and ahmed about the budget => lunch about the budget · +noura · +ahmed
  Lunch with the Ministry of Health in room 5 => Lunch · @room 5 · +the Ministry of Health
  Meeting with Dr. Sami in Room B, 2nd floor at 13:00 => Meeting · 13:00 · @Room B, 2nd floor · +Dr. Sami
  Meeting in the big hall on the 4th floor with Sara => Meeting · @the big hall on the 4th floor · +Sara
  Investment in education with Noura at 3pm in the boardroom office => Investment in education · 15:00 · @the boardroom office · +Noura
  Visit in Riyadh with Sara in Jeddah => Visit · +Sara · ?two_places Riyadh/Jeddah
  Review in person tomorrow at 13:00 => Review in person · 2026-11-26 · 13:00
  Sync @ the Ritz @ 3pm => Sync · 15:00 · @the Ritz
  Sunday and Monday at 13:00 planning => planning · 13:00 · ?two_dates 2026-11-29/2026-11-30
  "Sunday lunch" tomorrow 13:00 => Sunday lunch · 2026-11-26 · 13:00
  24/7 support review tomorrow 13:00 => 24/7 support review · 2026-11-26 · 13:00
  Vision 2030: review tomorrow 13:00 => Vision 2030: review · 2026-11-26 · 13:00
  Call tomorrow 15:00 https://meet.example.com/a?b=1. => Call · 2026-11-26 · 15:00 · ~https://meet.example.com/a?b=1
  Call 15:00 https://a.example/x https://b.example/y => Call · 15:00 · ?two_links https://a.example/x/https://b.example/y
  tomorrow's review at 3pm => review · 2026-11-26 · 15:00
  Lunch at six forty-five pm => Lunch · 18:45
  Lunch at 13:00 for forty-five minutes => Lunch · 13:00-13:45
  Lunch on the 3rd floor at 13:00 => Lunch · 13:00 · @the 3rd floor
  Check-in with Al-Faisal at 15:00 => Check-in · 15:00 · +Al-Faisal
  Meet the team at the end of the month => Meet the team at the end of the month
  Site visit 12/15/2026 at 9am => Site visit · 2026-12-15 · 09:00
  1:1 with Sara Thursday 2pm => 1:1 · 2026-11-26 · 14:00 · +Sara
  Interview with Sara Dec 1 11:00-11:45 am => Interview · 2026-12-01 · 11:00-11:45 · +Sara
  Submit by 5pm tomorrow => Submit · 2026-11-26 · ?vague_time 17:00
  Review first Sunday of March 10am => Review · 10:00 · ?vague_day
  Thursday week at 10am review => review · 2026-12-03 · 10:00
  `)
})

test('tabs, emoji and direction marks change nothing, and no direction mark is kept', () => {
  assert.equal(said(readOneLine('🎉 حفل   التكريم\tغدًا\u200F 19:00', now)), '🎉 حفل التكريم · 2026-11-26 · 19:00')
  const marked = '\u202Bغداء\u202C مع \u2067نورة\u2069 \u200Fغدًا\u200F 13\u200F:\u200F00 في \u2068مكتب الرئيس\u2069'
  assert.equal(said(readOneLine(marked, now)), 'غداء · 2026-11-26 · 13:00 · @مكتب الرئيس · +نورة')
  assert.equal(said(readOneLine('👩‍💻 party\ttomorrow\n7pm', now)), '👩‍💻 party · 2026-11-26 · 19:00')
  for (const blank of ['', '   ', '\u200F', '\t']) assert.equal(said(readOneLine(blank, now)), '')
})

test('each chip spans a recognised part of the line, even if the part needs an answer', () => {
  const line = 'غداء عمل مع نورة وأحمد غدًا الساعة 1 لمدة ساعة بقاعة الضيافة https://meet.example.com/a'
  const { chips, unsure } = readOneLine(line, now)
  assert.deepEqual(
    chips.map(({ kind, span }) => [kind, line.slice(...span)]),
    [
      ['person', 'نورة'],
      ['person', 'أحمد'],
      ['date', 'غدًا'],
      ['time', 'الساعة 1'],
      ['length', 'لمدة ساعة'],
      ['place', 'قاعة الضيافة'],
      ['link', 'https://meet.example.com/a'],
    ],
  )
  assert.deepEqual(
    unsure.map(({ span, reason }) => [line.slice(...span), reason]),
    [['الساعة 1', 'half_of_day']],
  )
})

test('relative days and times count from the given day and time', () => {
  const at =
    (today: string, time = '10:00') =>
    (line: string) =>
      said(readOneLine(line, { today, time }))
  assert.equal(at('2026-11-29')('الأحد 13:00'), '13:00 · ?same_weekday 2026-11-29/2026-12-06')
  assert.equal(at('2026-11-29')('next Sunday 13:00'), '2026-12-06 · 13:00')
  assert.equal(at('2026-11-29')('last Sunday 13:00'), '2026-11-22 · 13:00')
  assert.equal(at('2026-12-31')('tomorrow 13:00'), '2027-01-01 · 13:00')
  assert.equal(at('2026-11-25', '23:45')('call in half an hour'), 'call · 2026-11-26 · 00:15')
  assert.equal(at('2028-01-01')('29 February 13:00'), '2028-02-29 · 13:00')
})

test('a weekday beside a date without a year decides the year', () => {
  assert.equal(said(readOneLine('Tuesday 2 March 13:00', now)), '2027-03-02 · 13:00')
  assert.equal(said(readOneLine('الاثنين 2 مارس 13:00', now)), '2026-03-02 · 13:00')
})
