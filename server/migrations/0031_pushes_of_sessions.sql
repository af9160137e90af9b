-- Pushes go to a device for as long as the session lives that subscribed it there.

alter table push_subscriptions add column session_id int references sessions on delete cascade;

-- Which session subscribed is not known of the rows that are there. Each goes on with its person's session that was used last, until
-- the page on its device, which subscribes again whenever it opens, says which it is. None of what the ledger records changes by that.
alter table push_subscriptions disable trigger demand_change;
update push_subscriptions p set session_id = (
  select s.id from sessions s where s.user_id = p.user_id and s.ended_at is null and s.expires_at > now()
  order by s.last_used_at desc, s.id desc limit 1);
alter table push_subscriptions enable trigger demand_change;

with gone as (delete from push_subscriptions where session_id is null returning user_id)
insert into ledger (kind, target_type, target_id, facts)
  select 'push.unsubscribed', 'user', user_id, '{"reason": "session_over"}' from gone;
set constraints all immediate;
alter table push_subscriptions alter column session_id set not null;
create index on push_subscriptions (session_id);

-- A trigger, because sessions end in many ways, and none may forget it. The change that ends the session is its record.
create function end_pushes() returns trigger language plpgsql as $$
begin
  delete from push_subscriptions where session_id = new.id;
  return null;
end $$;
create trigger end_pushes after update of ended_at on sessions
  for each row when (new.ended_at is not null) execute function end_pushes();
