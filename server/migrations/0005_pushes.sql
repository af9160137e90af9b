-- Which browsers are told of notifications, and what is still to be sent to them.

create table push_subscriptions (
  id         int primary key generated always as identity,
  user_id    int not null references users on delete cascade,
  endpoint   text not null unique,
  p256dh     text not null,
  auth       text not null,
  created_at timestamptz not null default now()
);
create index on push_subscriptions (user_id, id);

-- What transactions leave here is handed to the job queue after their commit. Neither the notification nor the subscription
-- need be there any more when its turn comes.
create table pushes (
  notification_id int not null,
  subscription_id int not null,
  primary key (notification_id, subscription_id)
);

create constraint trigger demand_change after insert or update or delete on push_subscriptions
  deferrable initially deferred for each row execute function demand_change('user', 'user_id');
create trigger refuse_emptying before truncate on push_subscriptions execute function refuse_emptying();

-- How long a notification is kept counts from when it was read.
alter table notifications drop column is_read;
alter table notifications add column read_at timestamptz;
alter table notifications add column is_read boolean not null generated always as (read_at is not null) stored;
create index notifications_unread on notifications (user_id, id desc) where read_at is null;
create index notifications_read on notifications (read_at) where read_at is not null;
