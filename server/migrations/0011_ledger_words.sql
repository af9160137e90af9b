-- The ledger under its own name, and what a row is about as `target_type` and `target_id`.

alter table changes rename to ledger;
alter table ledger rename column about to target_type;
alter table ledger rename column subject to target_id;
alter table audit_counts rename column about to target_type;
alter sequence changes_id_seq rename to ledger_id_seq;

do $$
declare
  named record;
begin
  for named in select c.oid::regclass as relation, c.relkind, c.relname from pg_class c
               where c.relnamespace = 'public'::regnamespace and c.relname like 'changes\_%' and c.relkind in ('r', 'i', 'I')
  loop
    execute format('alter %s %s rename to %I', case when named.relkind = 'r' then 'table' else 'index' end, named.relation,
      replace(replace(replace(named.relname, 'changes_', 'ledger_'), 'about', 'target_type'), 'subject', 'target_id'));
  end loop;
end $$;

create or replace function ensure_month(parent text, month date) returns void language plpgsql as $$
declare
  first date := date_trunc('month', month);
  part text := parent || to_char(first, '_YYYY_MM');
begin
  if to_regclass(part) is null then
    execute format('create table %I partition of %I for values from (%L) to (%L)',
      part, parent, first::timestamp at time zone 'UTC', (first + interval '1 month') at time zone 'UTC');
    -- Partitions inherit the triggers of rows, but not this one.
    if parent = 'ledger' then
      execute format('create trigger append_only_whole before truncate on %I execute function refuse_rewriting()', part);
    end if;
  end if;
end $$;

-- A row of an audited table commits only beside a ledger row about its target.
-- Arguments: pairs of a target type and the column with the target's id (a number stands for itself); one pair is enough.
create or replace function demand_change() returns trigger language plpgsql as $$
declare
  -- An update answers for the row as it was, too: it may have moved from one target to another. A column that a reference emptied
  -- answers as it was.
  lines jsonb[] := case tg_op when 'INSERT' then array[to_jsonb(new)] when 'DELETE' then array[to_jsonb(old)]
                              else array[to_jsonb(old), to_jsonb(old) || jsonb_strip_nulls(to_jsonb(new))] end;
  line jsonb;
  is_recorded boolean;
begin
  foreach line in array lines loop
    is_recorded := false;
    for i in 0 .. tg_nargs - 2 by 2 loop
      is_recorded := exists (select from ledger
        where at = now() and tx = pg_current_xact_id() and target_type = tg_argv[i]
          and target_id = case when line ? tg_argv[i + 1] then (line ->> tg_argv[i + 1])::int else tg_argv[i + 1]::int end);
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

create or replace function count_audits() returns trigger language plpgsql as $$
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

-- Jobs that wait keep their work under its new name. A new database has no queue yet.
do $$ begin
  if to_regclass('graphile_worker._private_tasks') is not null then
    update graphile_worker._private_tasks set identifier = 'forget_app_opens' where identifier = 'forget_openings';
  end if;
end $$;
