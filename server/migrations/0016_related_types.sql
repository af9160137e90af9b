-- What a notification can be about, as the database knows the few words of every other such column.
alter table notifications
  add check (related_type in ('order', 'note', 'meeting', 'meeting_request', 'meeting_task', 'user'));
