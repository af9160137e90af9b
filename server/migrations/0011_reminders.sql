-- Which reminders were sent. A deadline that moves has reminders of its own; `infinity` stands for one that stays, or that does not count.
-- `object_id` is the group or role of a grant. No row refers to its subject, whose id is never used again.
create table reminders (
  kind       text not null,
  subject_id int not null,
  object_id  int not null default 0,
  deadline   timestamptz not null default 'infinity',
  days       int not null default 0,
  sent_at    timestamptz not null default now(),
  primary key (kind, subject_id, object_id, deadline, days)
);
create index on reminders (sent_at);
create trigger refuse_emptying before truncate on reminders execute function refuse_emptying();

-- What was sent stays sent.
insert into reminders (kind, subject_id, object_id, deadline, days)
  select case when role_id is null then 'membership' else 'role' end, user_id, coalesce(group_id, role_id), expires_at, days from grant_reminders
  union all
  select 'enrolment', user_id, 0, due, days from enrolment_reminders
  union all
  select 'token', id, 0, 'infinity', reminded_days from api_tokens where reminded_days is not null
  union all
  select 'access_request', id, 0, 'infinity', case reminders when 1 then 3 else 7 end from access_requests where reminders > 0
  union
  select case template when 'access_review_unjudged' then 'access_review_unjudged' else 'access_review' end, review_id, 0,
    case template when 'access_review_ends' then (due_date + 1)::timestamp at time zone 'UTC' else 'infinity' end,
    case template when 'access_review_ends' then 1 else 0 end
  from access_review_notices;

drop table grant_reminders;
drop table enrolment_reminders;
drop table access_review_notices;
alter table api_tokens drop column reminded_days;
alter table access_requests drop column reminders;

-- The regular jobs that `remind` and `clean_up` replace. One that waits would wait for ever.
delete from regular_jobs where name ~ '^(forget_|remind_of_)';
do $$
begin
  if to_regclass('graphile_worker.jobs') is not null then
    perform graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs where task_identifier ~ '^(forget_|remind_of_)' and task_identifier <> 'forget_app_opens'));
  end if;
end $$;
