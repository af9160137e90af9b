-- Who must have a second factor, because a role of theirs demands it. `must_enrol_at`: since when; null for everyone else. Triggers keep it in
-- step with what was granted; whether the grant still holds, `owed_by` decides when it is asked.
alter table user_access add column must_enrol_at timestamptz;

-- Whether one of the person's effective roles demands a second factor.
create function has_duty(person int) returns boolean language sql stable as $$
  select exists (select from effective_roles where user_id = person and role_id in (select role_id from second_factor_roles))
$$;

create function keep_duties(people int[]) returns void language plpgsql as $$
begin
  perform from user_access where user_id = any(people) order by user_id for no key update;
  update user_access a set must_enrol_at = case when obliged.is_so then now() end
  from (
    select users.id, users.kind = 'person' and has_duty(users.id) as is_so from users where users.id = any(people)) as obliged
  where a.user_id = obliged.id and (a.must_enrol_at is not null) <> obliged.is_so;
end $$;

-- After grants of people have changed. Costs nothing as long as no role demands a second factor.
create function keep_duties_of_people() returns trigger language plpgsql as $$
begin
  if exists (select from second_factor_roles) then
    perform keep_duties(array(select distinct user_id from touched));
  end if;
  return null;
end $$;
create function keep_duties_of_groups() returns trigger language plpgsql as $$
begin
  if exists (select from second_factor_roles) then
    perform keep_duties(array(select distinct user_id from memberships where group_id in (select group_id from touched)));
  end if;
  return null;
end $$;
-- After the roles themselves have changed: those who have the duty or hold one of these roles.
create function keep_duties_of_roles() returns trigger language plpgsql as $$
begin
  perform keep_duties(array(
    select user_id from user_access where must_enrol_at is not null
    union
    select user_id from direct_roles where role_id in (select role_id from second_factor_roles)
    union
    select user_id from memberships where group_id in (
      select group_id from group_roles where role_id in (select role_id from second_factor_roles))));
  return null;
end $$;

create trigger keep_duties_added after insert on direct_roles
  referencing new table as touched for each statement execute function keep_duties_of_people();
create trigger keep_duties_changed after update on direct_roles
  referencing new table as touched for each statement execute function keep_duties_of_people();
create trigger keep_duties_removed after delete on direct_roles
  referencing old table as touched for each statement execute function keep_duties_of_people();
create trigger keep_duties_added after insert on memberships
  referencing new table as touched for each statement execute function keep_duties_of_people();
create trigger keep_duties_changed after update on memberships
  referencing new table as touched for each statement execute function keep_duties_of_people();
create trigger keep_duties_removed after delete on memberships
  referencing old table as touched for each statement execute function keep_duties_of_people();
create trigger keep_duties_added after insert on group_roles
  referencing new table as touched for each statement execute function keep_duties_of_groups();
create trigger keep_duties_removed after delete on group_roles
  referencing old table as touched for each statement execute function keep_duties_of_groups();
create trigger keep_duties after insert or delete on second_factor_roles for each statement execute function keep_duties_of_roles();

create index user_access_must_enrol on user_access (user_id) where must_enrol_at is not null;

-- What someone with the duty owes in a session: `enrolment` of a second factor once the grace is over; `confirmation` by the factor that they
-- have; null if nothing. Today's grace counts. A token began with a session of its person, so it owes no confirmation.
create function owed_by(person int, since timestamptz, level int, kind text) returns text language sql stable as $$
  select case
    when level = 2 or not has_duty(person) then null
    when has_factor(person) then case kind when 'browser' then 'confirmation' end
    when since + make_interval(days => (select grace_days from sign_in_settings)) <= now() then 'enrolment'
  end
$$;

create or replace view access_versions as
  select a.user_id, a.is_active, a.version
    + (select count(*) from memberships m
       where m.user_id = a.user_id and m.expires_at is not null and m.expires_at <= clock_timestamp())
    + (select count(*) from direct_roles d
       where d.user_id = a.user_id and d.expires_at is not null and d.expires_at <= clock_timestamp()) as version,
    a.must_enrol_at
  from user_access a;

-- The reminders sent before a grace is over; each deadline has its own.
create table enrolment_reminders (
  user_id int not null references users on delete cascade,
  due     timestamptz not null,
  days    int not null check (days in (1, 3, 7)),
  primary key (user_id, due, days)
);
create index on enrolment_reminders (due);
create trigger refuse_emptying before truncate on enrolment_reminders execute function refuse_emptying();
