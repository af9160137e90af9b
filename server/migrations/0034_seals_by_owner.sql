-- The owner of the tables makes the ids of the ledger and its seals: the portal may have a role that owns nothing.

-- Whatever id a row is inserted with, it gets the next one: nobody can repeat one in another month, or take one ahead of the others.
create function number_ledger_row() returns trigger language plpgsql as $$
begin
  new.id := pg_catalog.nextval('public.ledger_id_seq');
  return new;
end $$;
create trigger number_row before insert on ledger for each row execute function number_ledger_row();

-- How far the ledger may be sealed once all transactions before `tx` are over: no row with an id up to `last_id` can come any more.
create table seal_horizon (
  only_row boolean primary key default true check (only_row),
  last_id  bigint not null,
  tx       xid8 not null
);
insert into seal_horizon (last_id, tx) values (0, '0');

create function refuse_others() returns trigger language plpgsql as $$
begin
  if not pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'usage') then
    raise exception '% is written by its owner alone', tg_table_name using errcode = 'insufficient_privilege';
  end if;
  return null;
end $$;
-- By this trigger, the start knows what rights not to give the portal.
create trigger owner_only before insert or update or delete on audit_seals for each statement execute function refuse_others();
create trigger owner_only before insert or update or delete on seal_horizon for each statement execute function refuse_others();

-- Seals the next rows, 1,000 at most, and returns how many. Null: a transaction is under way that may still add some before them. 0: all up
-- to the horizon are sealed, and the horizon is now what the ledger holds by now. What is hashed is said in server/audit/chain.ts.
create function seal_ledger() returns int language plpgsql security definer set search_path = public, pg_temp as $$
declare
  horizon seal_horizon;
  before  audit_seals;
  seal    audit_seals;
  newest  bigint;
begin
  -- A snapshot that does not move on would say of transactions that are over by now that they were over before an id was given out.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'the ledger is sealed in read committed transactions only' using errcode = 'active_sql_transaction';
  end if;
  select * into horizon from seal_horizon for update;
  -- In a database that was restored, a horizon from before may lie ahead of every transaction; then all its rows are there.
  if pg_snapshot_xmin(pg_current_snapshot()) < horizon.tx and horizon.tx <= pg_snapshot_xmax(pg_current_snapshot()) then return null; end if;

  select * into before from audit_seals order by id desc limit 1;
  seal.id := coalesce(before.id, 0) + 1;
  seal.at := clock_timestamp();
  seal.last_id := (select max(id) from (
    select id from ledger where id > coalesce(before.last_id, 0) and id <= horizon.last_id order by id limit 1000) as batch);
  if seal.last_id is null then
    newest := coalesce(pg_sequence_last_value('ledger_id_seq'), 0);
    -- Read by a later statement: whichever transaction took an id by then already has its own number.
    update seal_horizon set last_id = newest, tx = pg_snapshot_xmax(pg_current_snapshot()) where last_id <> newest;
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
revoke execute on function seal_ledger() from public;
