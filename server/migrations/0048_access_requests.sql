-- Asking for access: whom the policy of a group lets ask and decide, the requests, and the approvals of each.

-- A group without a row cannot be asked for. The lists have no foreign keys: if the last group of askers vanished from its list with the
-- group, everyone could ask. What happens instead is in server/groups/deletion-hooks.ts.
create table request_policies (
  group_id           int primary key references groups on delete cascade,
  requestable        boolean not null default false,
  asker_group_ids    int[] not null default '{}',
  approver_user_ids  int[] not null default '{}',
  approver_group_ids int[] not null default '{}',
  min_approvals      int not null default 1 check (min_approvals between 1 and 5),
  max_days           int check (max_days between 1 and 1825),
  reason_required    boolean not null default false,
  note_ar            text,
  note_en            text,
  search             text not null generated always as
    (portal_fold(coalesce(note_ar, '') || E'\x01' || coalesce(note_en, ''))) stored
);

-- The ids of groups and people stay when these are deleted, and so do usernames, which never change. A request is over 14 days after it was
-- made, whatever its status; a job then writes that down.
create table access_requests (
  id                  int primary key generated always as identity,
  group_id            int not null,
  requester_id        int not null,
  requester_username  text not null,
  reason              text,
  days                int check (days between 1 and 1825),
  status              text not null default 'pending' check (status in ('pending', 'approved', 'denied', 'withdrawn', 'lapsed')),
  lapse_reason        text check (lapse_reason in ('undecided', 'requester_gone', 'group_gone', 'not_requestable', 'already_member')),
  -- As it was at the last step; readers count it again while the request is pending.
  needed_approvals    int not null,
  decided_by          int,
  decided_by_username text,
  decision_note       text,
  decided_at          timestamptz,
  grant_ends_at       timestamptz,
  -- How many reminders were sent.
  reminders           int not null default 0,
  created_at          timestamptz not null default now(),
  updated_at          timestamptz not null default now(),
  check ((status = 'pending') = (decided_at is null)),
  check ((status = 'lapsed') = (lapse_reason is not null)),
  check ((decided_by is null) = (decided_by_username is null))
);
create index on access_requests (requester_id, id);
create index on access_requests (group_id, id);
create index on access_requests (status, id);
create index on access_requests (created_at) where status = 'pending';

create table access_approvals (
  request_id        int not null references access_requests,
  approver_id       int not null,
  approver_username text not null,
  days              int check (days between 1 and 1825),
  note              text,
  at                timestamptz not null default now(),
  primary key (request_id, approver_id)
);

-- The last names of deleted groups, for the requests for them.
create table former_groups (
  group_id int primary key,
  name     text not null
);

create constraint trigger demand_change after insert or update or delete on request_policies
  deferrable initially deferred for each row execute function demand_change('group', 'group_id');
create constraint trigger demand_change after insert or update or delete on access_requests
  deferrable initially deferred for each row execute function demand_change('access_request', 'id');
create constraint trigger demand_change after insert or update or delete on access_approvals
  deferrable initially deferred for each row execute function demand_change('access_request', 'request_id');
create constraint trigger demand_change after insert or update or delete on former_groups
  deferrable initially deferred for each row execute function demand_change('group', 'group_id');
create trigger refuse_emptying before truncate on request_policies execute function refuse_emptying();
create trigger refuse_emptying before truncate on access_requests execute function refuse_emptying();
create trigger refuse_emptying before truncate on access_approvals execute function refuse_emptying();
create trigger refuse_emptying before truncate on former_groups execute function refuse_emptying();

-- The active people whom the policy of a group makes approvers, by name (0) or as members of a group (1); some repeatedly.
create function policy_approvers(its_group int) returns table (id int, place int) language sql stable as $$
  with policy as (select * from request_policies where group_id = its_group)
  select users.id, person.place
  from (
    select unnest(approver_user_ids), 0 from policy
    union all
    select user_id, 1 from group_users where group_id = any(array(select unnest(approver_group_ids) from policy))) as person (id, place)
  join users using (id) where is_active
$$;

-- Whether the policy of a group makes a person an approver.
create function approves(its_group int, person int) returns boolean language sql stable as $$
  select exists (
    select from request_policies as policy join users on users.id = person and is_active
    where policy.group_id = its_group and (person = any(approver_user_ids)
      or exists (select from group_users where user_id = person and group_id = any(approver_group_ids))))
$$;

-- How many people, `others` among them, may decide on a person's requests for a group. It counts no further than to five, since no request
-- needs more approvals: among this many rows are five people, as nobody is in more than a hundred groups of approvers of one policy.
create function count_deciders(its_group int, requester int, others int[]) returns bigint language sql stable as $$
  select least(5, count(distinct id)) from (
    select id from (select id from policy_approvers(its_group) union all select unnest(others)) as person
    where id <> requester limit 510) as people
$$;

-- The approvers of a person's requests for a group. Where these are fewer than the approvals that it needs, administrators are approvers,
-- too (2).
create function approvers_of(its_group int, requester int) returns table (id int, place int) language sql stable as $$
  select person.id, min(person.place) from (
    select id, place from policy_approvers(its_group)
    union all
    select unnest(active_in_roles(array['admin'])), 2
    from request_policies where group_id = its_group and count_deciders(its_group, requester, '{}') < min_approvals) as person
  where person.id <> requester group by person.id
$$;

-- Whether someone may read a request without being an administrator: who made it, whom the policy makes an approver, and who decided.
create function reads_access_request(request int, person int) returns boolean language sql stable as $$
  select exists (
    select from access_requests as r where r.id = request and (
      person = r.requester_id or person is not distinct from r.decided_by or approves(r.group_id, person)
      or exists (select from access_approvals where request_id = r.id and approver_id = person)))
$$;

alter table notifications drop constraint notifications_related_type_check;
alter table notifications add constraint notifications_related_type_check
  check (related_type in ('order', 'note', 'meeting', 'meeting_request', 'meeting_task', 'user', 'group', 'role', 'access_request'));
