-- The audit stream: which security events are warnings, and which entry the collector refuses.

-- `is_warning`: a refusal, a failed attempt or something left out, and not a change. Of what is stored already, changes have a dot in their
-- names.
alter table security_events add is_warning boolean not null default false;
update security_events set is_warning = true where event not like '%.%' or event = 'user.broke_glass';

-- The same as before, with `isWarning`, which an instance of the version before does not give.
create or replace function keep_security_events(lines json) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('security events', 0));
  insert into security_events (at, event, actor_id, actor_username, target_type, target_id, ip, is_warning, fields)
    select line.at, event, "actorId", (select username from users where id = "actorId"), "targetType", "targetId", ip,
      coalesce("isWarning", false), fields
    from rows from (json_to_recordset(lines)
        as (at timestamptz, event text, "actorId" int, "targetType" text, "targetId" int, ip text, "isWarning" boolean, fields jsonb))
      with ordinality as line (at, event, "actorId", "targetType", "targetId", ip, "isWarning", fields, n)
    order by n;
end $$;

-- The entry that has been refused alone since `refused_since`.
alter table audit_stream add refused_place bigint;
