-- A snapshot's `xmax` is one past the highest transaction that has ended; a running transaction may have a higher number. So horizons passed
-- rows that such transactions committed later. Now the `tx` of a horizon is the number of the transaction that moves it. That transaction
-- must take its number after it has read the last id, and locking a row would take one: hence an advisory lock.

-- Whether the caller may move a horizon; not while another transaction does.
create function enter_horizon(name text) returns bool language plpgsql as $$
begin
  -- A snapshot that does not move on would say of transactions that are over by now that they were over before an id was given out.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'the horizon of % moves in read committed transactions only', name using errcode = 'active_sql_transaction';
  end if;
  if pg_current_xact_id_if_assigned() is not null then
    raise exception 'the horizon of % moves before anything else in its transaction', name using errcode = 'active_sql_transaction';
  end if;
  return pg_try_advisory_xact_lock(hashtext('horizon'), hashtext(name));
end $$;
revoke execute on function enter_horizon(text) from public;

create or replace function seal_ledger() returns int language plpgsql security definer set search_path = public, pg_temp as $$
declare
  horizon seal_horizon;
  before  audit_seals;
  seal    audit_seals;
  newest  bigint;
begin
  if not enter_horizon('seals') then return null; end if;
  select * into horizon from seal_horizon;
  -- In a database that was restored, a horizon from before may lie ahead of every transaction; then all its rows are there.
  if pg_snapshot_xmin(pg_current_snapshot()) < horizon.tx and horizon.tx <= pg_snapshot_xmax(pg_current_snapshot()) then return null; end if;

  select * into before from audit_seals order by id desc limit 1;
  seal.id := coalesce(before.id, 0) + 1;
  seal.at := clock_timestamp();
  seal.last_id := (select max(id) from (
    select id from ledger where id > coalesce(before.last_id, 0) and id <= horizon.last_id order by id limit 1000) as batch);
  if seal.last_id is null then
    newest := coalesce(pg_sequence_last_value('ledger_id_seq'), 0);
    -- A row takes its id after its transaction's number, and this one takes its number now.
    update seal_horizon set last_id = newest, tx = pg_current_xact_id() where last_id <> newest;
    return 0;
  end if;

  select array_agg(id order by id, at), array_agg(('x' || encode(substr(content, 1, 8), 'hex'))::bit(64)::bigint order by id, at),
      array_agg(('x' || encode(substr(whole, 1, 8), 'hex'))::bit(64)::bigint order by id, at),
      sha256(coalesce(before.hash, '') || convert_to(concat(seal.id, ' ', (extract(epoch from seal.at) * 1000000)::bigint, ' ', seal.last_id, ' '), 'UTF8')
        || string_agg(whole, '' order by id, at))
    into seal.ids, seal.contents, seal.wholes, seal.hash
    from (
      select id, at, content, sha256(convert_to(concat(id, ' ', (extract(epoch from at) * 1000000)::bigint, ' ', tx, ' '), 'UTF8') || content) as whole
      from (
        select id, at, tx, sha256(convert_to(
          jsonb_build_array(kind, target_type, target_id, actor_id, actor_username, action, facts)::text, 'UTF8')) as content
        from ledger where id > coalesce(before.last_id, 0) and id <= seal.last_id) as read) as hashed;
  insert into audit_seals select seal.*;
  return cardinality(seal.ids);
end $$;

create or replace function settle_ledger(out settled bigint, out has_more boolean) returns setof record
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  horizon webhook_horizon;
  newest  bigint;
begin
  if not enter_horizon('webhooks') then return; end if;
  select * into horizon from webhook_horizon;
  if pg_snapshot_xmin(pg_current_snapshot()) >= horizon.tx or horizon.tx > pg_snapshot_xmax(pg_current_snapshot()) then
    newest := coalesce(pg_sequence_last_value('ledger_id_seq'), 0);
    if horizon.settled <> horizon.last_id or newest <> horizon.last_id then
      -- See seal_ledger().
      update webhook_horizon as h set settled = h.last_id, last_id = newest, tx = pg_current_xact_id() returning h.* into horizon;
    end if;
  end if;
  settled := horizon.settled;
  has_more := horizon.last_id > horizon.settled;
  return next;
end $$;

-- What the former functions called complete may not be.
update seal_horizon set tx = pg_current_xact_id();
update webhook_horizon set tx = pg_current_xact_id();

-- The same as before, but it settles the ledger first.
create or replace function place_audit_entries(run_now text, most int, out placed bigint, out has_more boolean) returns record
  language plpgsql as $$
declare
  h        audit_stream_horizon;
  settled  bigint;
  is_full  boolean;
  unsettled boolean;
  upto     bigint;
begin
  select s.settled, s.has_more into settled, unsettled from settle_ledger() as s;
  if not found then
    -- Another reader holds it. What is settled stays settled.
    select w.settled, true into settled, unsettled from webhook_horizon as w;
  end if;
  select * into h from audit_stream_horizon for no key update skip locked;
  if not found then return; end if;
  settled := greatest(settled, h.ledger_id);
  -- While a transaction from before is under way, the horizon does not move at all.
  unsettled := unsettled or coalesce(pg_sequence_last_value('ledger_id_seq'), 0) > settled;

  if h.run is distinct from run_now then
    if h.run is not null and h.last_place > 0 then
      placed := greatest(h.last_place + 1, (extract(epoch from clock_timestamp()) * 1000)::bigint);
      insert into audit_stream_places (place, source, id, at, note)
        values (placed, 'note', h.last_place, clock_timestamp(),
          jsonb_build_object('event', 'audit_stream.database_restored', 'facts', jsonb_build_object('lastId', h.last_place)));
      h.last_place := placed;
    end if;
    h.run := run_now;
  end if;

  select coalesce(max(id), settled), count(*) = most into upto, is_full
    from (select id from ledger where id > h.ledger_id and id <= settled order by id limit most) as part;
  if not is_full then upto := settled; end if;

  with found as (
      select 1 as rank, 'ledger' as source, id, at from ledger where id > h.ledger_id and id <= upto and action is not null
      union all
      (select 2, 'security', id, at from security_events where id > h.event_id order by id limit most)
      union all
      (select 3, 'seal', id, at from audit_seals where id > h.seal_id and last_id <= upto order by id limit most)),
    given as (
      insert into audit_stream_places (place, source, id, at)
      select h.last_place + row_number() over (order by rank, id), source, id, at from found
      returning place, source, id)
  select coalesce(max(place), h.last_place), coalesce(max(id) filter (where source = 'security'), h.event_id),
      coalesce(max(id) filter (where source = 'seal'), h.seal_id), count(*),
      is_full or count(*) filter (where source = 'security') = most or count(*) filter (where source = 'seal') = most or unsettled
    into h.last_place, h.event_id, h.seal_id, placed, has_more
    from given;
  update audit_stream_horizon
    set last_place = h.last_place, ledger_id = upto, event_id = h.event_id, seal_id = h.seal_id, run = h.run
    where (last_place, ledger_id, event_id, seal_id) is distinct from (h.last_place, upto, h.event_id, h.seal_id) or run is distinct from h.run;
end $$;
