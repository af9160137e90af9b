-- By which text a notice was made, so that what settles it finds it; and what still leads to a record, while it is unread.
alter table notifications add column template text;
update notifications set template = 'order_placed' where read_at is null and related_type = 'order' and title_en = 'New order';
create index notifications_unread_about on notifications (related_type, related_id) where read_at is null;
