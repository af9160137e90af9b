-- Secrets that the portal must be able to read again, encrypted with SECRETS_KEY. A column of this type is nullable, in a table whose primary
-- key is one column: without the key, null takes the place of what it held.
create domain secret as bytea;

-- Shows which key the secrets are encrypted with, and tells nothing of it. No row: none is known yet.
create table secrets_key (
  only_row    boolean primary key default true check (only_row),
  check_value bytea not null
);

-- The key of encrypted cookies where there is no SECRETS_KEY, the same for all instances.
create table cookie_key (
  only_row boolean primary key default true check (only_row),
  value    bytea not null default decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex')
);
insert into cookie_key default values;

create trigger refuse_emptying before truncate on secrets_key execute function refuse_emptying();
create trigger refuse_emptying before truncate on cookie_key execute function refuse_emptying();

-- Whether an update of a row changes only its secrets.
create function is_same_but_secrets(of_table oid, old_row jsonb, new_row jsonb) returns boolean language sql stable as $$
  with secrets (names) as (
    select array_agg(attname::text) from pg_attribute where attrelid = of_table and atttypid = 'secret'::regtype)
  select coalesce(old_row - names = new_row - names, false) from secrets
$$;

-- As before; but encrypting secrets with another key is no change.
create or replace function demand_change() returns trigger language plpgsql as $$
declare
  -- An update answers for the row as it was, too: it may have moved from one target to another. A column that a reference emptied
  -- answers as it was.
  lines jsonb[] := case tg_op when 'INSERT' then array[to_jsonb(new)] when 'DELETE' then array[to_jsonb(old)]
                              else array[to_jsonb(old), to_jsonb(old) || jsonb_strip_nulls(to_jsonb(new))] end;
  line jsonb;
  target int;
  is_recorded boolean;
begin
  if tg_op = 'UPDATE' and current_setting('portal.rewrites_secrets', true) = 'on'
    and is_same_but_secrets(tg_relid, to_jsonb(old), to_jsonb(new)) then return null; end if;
  foreach line in array lines loop
    is_recorded := false;
    for i in 0 .. tg_nargs - 2 by 2 loop
      target := case when line ? tg_argv[i + 1] then (line ->> tg_argv[i + 1])::int else tg_argv[i + 1]::int end;
      is_recorded := exists (select from ledger
          where at = now() and tx = pg_current_xact_id() and target_type = tg_argv[i] and target_id = target)
        or tg_argv[i] = 'user' and exists (select from gathered_changes where user_id = target and last = now());
      exit when is_recorded;
    end loop;
    if not is_recorded then
      raise exception '% of % without a recorded change about % %', lower(tg_op), tg_table_name, tg_argv[0],
        coalesce(line ->> tg_argv[1], tg_argv[1])
        using errcode = 'BW001';
    end if;
  end loop;
  return null;
end $$;
