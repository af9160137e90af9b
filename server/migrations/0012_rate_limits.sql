-- What was counted and what is under way, each in a column of its own, and the end of the window as a time.

alter table rate_limits
  add column counted int,
  add column under_way int,
  add column expires_at timestamptz;

update rate_limits set
  counted = points % 100000 - points / 100000,
  under_way = points / 100000,
  expires_at = to_timestamp(coalesce(expire, 0) / 1000.0);

alter table rate_limits
  drop column points,
  drop column expire,
  alter column key type text,
  alter column counted set not null,
  alter column under_way set not null,
  alter column expires_at set not null;
