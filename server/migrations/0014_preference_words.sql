-- The few words that a person's preferences take, as the database knows those of every other such column.

alter table users
  add check (clock_style in ('full', 'digital', 'digital-no-seconds', 'analog', 'minimal')),
  add check (notification_sound_order in ('ding', 'chime', 'bell', 'knock', 'pop', 'alert', 'beep', 'soft')),
  add check (notification_sound_meeting in ('ding', 'chime', 'bell', 'knock', 'pop', 'alert', 'beep', 'soft')),
  add check (notification_sound_note in ('ding', 'chime', 'bell', 'knock', 'pop', 'alert', 'beep', 'soft'));
