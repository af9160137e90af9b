-- When somebody was last here, to the hour. Sessions are forgotten soon after they end; this stays.
create table last_seen (
  user_id int primary key references users on delete cascade,
  at      timestamptz not null
);
insert into last_seen
  select users.id, date_trunc('hour', max(at)) from (
    select user_id, last_used_at as at from sessions union all
    select target_id, at from ledger where kind = 'session.started') as seen
  join users on users.id = user_id group by users.id;

create function see_people() returns trigger language plpgsql as $$
begin
  insert into last_seen as known (user_id, at)
  select user_id, date_trunc('hour', max(last_used_at)) from touched group by user_id order by user_id
  on conflict (user_id) do update set at = excluded.at where known.at < excluded.at;
  return null;
end $$;
create trigger see_people after insert on sessions
  referencing new table as touched for each statement execute function see_people();

alter table roles add column search text not null generated always as
  (portal_fold(name || E'\x01' || coalesce(description_ar, '') || E'\x01' || coalesce(description_en, ''))) stored;
alter table permissions add column search text not null generated always as
  (portal_fold(name || E'\x01' || coalesce(description_ar, '') || E'\x01' || coalesce(description_en, ''))) stored;
alter table apps add column search text not null generated always as
  (portal_fold(slug || E'\x01' || name_ar || E'\x01' || name_en || E'\x01' || coalesce(description_ar, '') || E'\x01'
    || coalesce(description_en, ''))) stored;

-- Everyone by the name that readers of either language see, who is deactivated, too: lists are read in this order.
drop index users_named_ar, users_named_en;
create index users_named_ar on users
  ((coalesce(nullif(display_name_ar, ''), nullif(display_name_en, ''), username) collate "ar-x-icu"), id);
create index users_named_en on users
  ((coalesce(nullif(display_name_en, ''), nullif(display_name_ar, ''), username) collate "en-x-icu"), id);

-- Finds people by a whole username, e-mail address or name.
create index users_parts on users using gin (string_to_array(search, E'\x01'));
