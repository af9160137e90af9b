-- By which names the audit log is searched: those of who acted, of what it was done to and of what else an entry names, as they were then.

create table audit_names (
  at    timestamptz not null,
  id    bigint not null,
  names text not null
);

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

-- The names among the facts: what fields of such a name say, and what the ids of single things stand for.
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

-- Nobody looks for more than the first few thousand letters of an entry.
create function names_of_entry(actor_id int, actor_username text, target_type text, target_id int, facts jsonb) returns text
  language sql stable as $$
  select portal_fold(left(
    concat_ws(E'\x01', actor_username, names_of('user', actor_id), names_of(target_type, target_id), names_in(facts)), 4000))
$$;

insert into audit_names
  select at, id, names_of_entry(actor_id, actor_username, target_type, target_id, facts) from ledger where action is not null;
alter table audit_names add primary key (at, id);
create index audit_names_search on audit_names using gin (names gin_trgm_ops);

create function keep_audit_names() returns trigger language plpgsql as $$
begin
  if exists (select from lines where action is not null) then
    insert into audit_names
      select at, id, names_of_entry(actor_id, actor_username, target_type, target_id, facts) from lines where action is not null;
  end if;
  return null;
end $$;
create trigger keep_audit_names after insert on ledger referencing new table as lines for each statement execute function keep_audit_names();

create trigger append_only before update or delete on audit_names for each row execute function refuse_rewriting();
create trigger append_only_whole before truncate on audit_names for each statement execute function refuse_rewriting();
revoke update, delete, truncate on audit_names from current_user;
