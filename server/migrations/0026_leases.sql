-- What instances of the portal hold for as long as they live, counted over all of them: the event streams of a person, the transfer into
-- a slot. A holder is a connection that has its number locked. When it ends, however that comes about, the lock goes with it, and its
-- rows count no more. So they need no crash safety of their own.
create unlogged table leases (
  key    text not null,
  holder int not null,
  held   int not null check (held > 0),
  primary key (key, holder)
);
create index on leases (holder);
create sequence lease_holders as int cycle;

create function is_gone(lease_holder int) returns boolean language sql as $$
  select pg_try_advisory_xact_lock_shared(hashtext('lease holder'), lease_holder)
$$;

-- Makes this connection a holder, of what its process has held by another one before. Nobody is refused anything for it.
create function hold_leases(keys text[], helds int[]) returns int language plpgsql as $$
declare
  self int := nextval('lease_holders');
begin
  perform pg_advisory_lock(hashtext('lease holder'), self);
  delete from leases where holder in (select holder from leases where holder <> self group by holder having is_gone(holder)) or holder = self;
  insert into leases (key, holder, held) select one.key, self, one.held from unnest(keys, helds) as one (key, held);
  return self;
end $$;

-- Whether there was room for one more of a key; then the holder has it.
create function take_lease(its_key text, self int, most int) returns boolean language plpgsql as $$
begin
  -- Counted by a statement that begins once the lock is there: it sees what was taken before.
  perform pg_advisory_xact_lock(hashtext('lease'), hashtext(its_key));
  if (select coalesce(sum(held), 0) from leases
      where key = its_key and case when holder = self then true else not is_gone(holder) end) >= most then
    return false;
  end if;
  insert into leases (key, holder, held) values (its_key, self, 1)
    on conflict (key, holder) do update set held = leases.held + 1;
  return true;
end $$;

create function end_lease(its_key text, self int) returns void language plpgsql as $$
begin
  delete from leases where key = its_key and holder = self and held = 1;
  if not found then
    update leases set held = held - 1 where key = its_key and holder = self;
  end if;
end $$;
