-- The audit log: how many entries it has, and the names by which it is searched. Its rows are those of the ledger that have an action.

-- How many rows of the log each day (UTC) has, by all of its filters but the target. An `actor_id` of 0 is nobody's, and one of -1 sums up
-- everyone; a `day` of -infinity sums up all days. So few rows answer every question.
create table audit_counts (
  actor_id    int not null,
  day         date not null,
  action      text not null,
  target_type text not null,
  count       bigint not null,
  primary key (actor_id, day, action, target_type)
);

create function count_audits() returns trigger language plpgsql as $$
begin
  -- Most rows of the ledger are not in the audit log.
  if not exists (select from lines where action is not null) then return null; end if;
  -- In one order, so that two transactions never wait for each other.
  insert into audit_counts as counts
    select case grouping(actor_id) when 1 then -1 else coalesce(actor_id, 0) end, case grouping(day) when 1 then '-infinity' else day end,
      action, target_type, count(*)
    from (select action, target_type, actor_id, (at at time zone 'UTC')::date as day from lines where action is not null) as listed
    group by action, target_type, cube (actor_id, day)
    order by 1, 2, 3, 4
  on conflict (actor_id, day, action, target_type) do update set count = counts.count + excluded.count;
  return null;
end $$;
create trigger count_audits after insert on ledger referencing new table as lines for each statement execute function count_audits();

-- The names by which an entry is found: those of its actor, of its target and of what else it names, as they were then.
create table audit_names (
  at    timestamptz not null,
  id    bigint not null,
  names text not null,
  primary key (at, id)
);
create index audit_names_search on audit_names using gin (names gin_trgm_ops);
create trigger append_only before update or delete on audit_names for each row execute function refuse_rewriting();
create trigger append_only_whole before truncate on audit_names for each statement execute function refuse_rewriting();
revoke update, delete, truncate on audit_names from current_user;

create function names_of(target_type text, its_id int) returns text language sql stable as $$
  select case target_type
    when 'user' then (select concat_ws(E'\x01', username, display_name_ar, display_name_en) from users where id = its_id)
    when 'group' then (select concat_ws(E'\x01', name, description_ar, description_en) from groups where id = its_id)
    when 'role' then (select concat_ws(E'\x01', name, description_ar, description_en) from roles where id = its_id)
    when 'permission' then (select concat_ws(E'\x01', name, description_ar, description_en) from permissions where id = its_id)
    when 'app' then (select concat_ws(E'\x01', slug, name_ar, name_en) from apps where id = its_id)
    when 'service' then (select concat_ws(E'\x01', name_ar, name_en) from services where id = its_id)
    when 'service_category' then (select concat_ws(E'\x01', name_ar, name_en) from service_categories where id = its_id)
    when 'meeting' then (select concat_ws(E'\x01', title_ar, title_en) from meetings where id = its_id)
    when 'meeting_task' then (select concat_ws(E'\x01', title_ar, title_en) from meeting_tasks where id = its_id)
  end
$$;

-- The names among the facts: the values of fields with such names, and the names behind the ids of single things.
create function names_in(facts jsonb) returns text language sql stable as $$
  select concat_ws(E'\x01',
    (select string_agg(word #>> '{}', E'\x01')
     from jsonb_path_query(facts,
         'lax $.**{0 to 3} ? (@.type() == "object").keyvalue() ? (@.key like_regex "([nN]ames?|[tT]itle|[dD]escription)(Ar|En)?$|^slug$|^renamed" && @.key != "iconName").value') as named,
       jsonb_path_query(named, 'lax $.**{0 to 2} ? (@.type() == "string")') as word),
    (select string_agg(names_of(one.target_type, (facts ->> one.field)::int), E'\x01')
     from (values ('user', 'userId'), ('role', 'roleId'), ('app', 'appId')) as one (target_type, field)
     where jsonb_typeof(facts -> one.field) = 'number'))
$$;

-- Only the first few thousand letters of an entry are searched.
create function names_of_entry(actor_id int, actor_username text, target_type text, target_id int, facts jsonb) returns text
  language sql stable as $$
  select portal_fold(left(
    concat_ws(E'\x01', actor_username, names_of('user', actor_id), names_of(target_type, target_id), names_in(facts)), 4000))
$$;

create function keep_audit_names() returns trigger language plpgsql as $$
begin
  if exists (select from lines where action is not null) then
    insert into audit_names
      select at, id, names_of_entry(actor_id, actor_username, target_type, target_id, facts) from lines where action is not null;
  end if;
  return null;
end $$;
create trigger keep_audit_names after insert on ledger referencing new table as lines for each statement execute function keep_audit_names();
