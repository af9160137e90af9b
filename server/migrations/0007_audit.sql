-- The audit log: indexes for each of its filters, what it holds counted by day, and the chain that seals the ledger.

-- The ledger's rows that the log does not list, such as those of orders, are in none of these but the last.
create index changes_of_log on changes (at, id) where action is not null;
create index changes_of_force on changes (at, id) where action like '%.force_delete';
create index changes_of_about on changes (about, at, id) where action is not null;
create index changes_of_target on changes (subject, at, id) where action is not null;
create index changes_of_about_and_target on changes (about, subject, at, id) where action is not null;
create index changes_of_actor_and_action on changes (actor_id, action, at, id) where action is not null;
create index changes_by_id on changes (id);

-- How many rows of the log each day (UTC) has, by all that it is filtered by but the target. An `actor_id` of 0 is nobody's, and one of
-- -1 sums up everyone; a `day` of -infinity sums up all days. Whatever is asked, few rows answer.
create table audit_counts (
  actor_id int not null,
  day      date not null,
  action   text not null,
  about    text not null,
  count    bigint not null,
  primary key (actor_id, day, action, about)
);
insert into audit_counts
  select case grouping(actor_id) when 1 then -1 else coalesce(actor_id, 0) end, case grouping(day) when 1 then '-infinity' else day end,
    action, about, count(*)
  from (select action, about, actor_id, (at at time zone 'UTC')::date as day from changes where action is not null) as listed
  group by action, about, cube (actor_id, day);

create function count_audits() returns trigger language plpgsql as $$
begin
  -- Most changes are none of the log's.
  if not exists (select from lines where action is not null) then return null; end if;
  -- In one order, so that two transactions never wait for each other.
  insert into audit_counts as counts
    select case grouping(actor_id) when 1 then -1 else coalesce(actor_id, 0) end, case grouping(day) when 1 then '-infinity' else day end,
      action, about, count(*)
    from (select action, about, actor_id, (at at time zone 'UTC')::date as day from lines where action is not null) as listed
    group by action, about, cube (actor_id, day)
    order by 1, 2, 3, 4
  on conflict (actor_id, day, action, about) do update set count = counts.count + excluded.count;
  return null;
end $$;
create trigger count_audits after insert on changes referencing new table as lines for each statement execute function count_audits();

-- Each seal covers the rows of the ledger whose ids lie after its predecessor's last id, up to its own. For each row, in order: its
-- id, and marks of what it says and of the whole of it, its id and time included; `hash` chains all of them to the seal before.
create table audit_seals (
  id       bigint primary key,
  at       timestamptz not null default now(),
  last_id  bigint not null,
  ids      bigint[] not null,
  contents bigint[] not null,
  wholes   bigint[] not null,
  hash     bytea not null
);
create trigger append_only before update or delete on audit_seals for each row execute function refuse_rewriting();
create trigger append_only_whole before truncate on audit_seals execute function refuse_rewriting();
revoke update, delete, truncate on audit_seals from current_user;
