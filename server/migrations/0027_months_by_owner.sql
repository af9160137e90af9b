-- Months are made by the owner of their tables, whoever asks: the portal may have a role that owns nothing.

create or replace function ensure_month(parent text, month date) returns void language plpgsql
  security definer set search_path = public, pg_temp as $$
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
revoke execute on function ensure_month(text, date) from public;
