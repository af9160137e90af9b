-- Access that people ask for, and reviews of the access that they have.

-- Whom the policy of a group lets ask and decide. A group without a row cannot be asked for. The lists have no foreign keys: if the last
-- group of askers vanished from its list with the group, everyone could ask. server/people/groups/deletion-hooks.ts says what happens instead.
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
create constraint trigger demand_change after insert or update or delete on request_policies
  deferrable initially deferred for each row execute function demand_change('group', 'group_id');
create trigger refuse_emptying before truncate on request_policies execute function refuse_emptying();

-- The ids of groups and people stay when these are deleted, and so do usernames, which never change. A request ends 14 days after it was
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
create constraint trigger demand_change after insert or update or delete on access_requests
  deferrable initially deferred for each row execute function demand_change('access_request', 'id');
create trigger refuse_emptying before truncate on access_requests execute function refuse_emptying();

create table access_approvals (
  request_id        int not null references access_requests,
  approver_id       int not null,
  approver_username text not null,
  days              int check (days between 1 and 1825),
  note              text,
  at                timestamptz not null default now(),
  primary key (request_id, approver_id)
);
create constraint trigger demand_change after insert or update or delete on access_approvals
  deferrable initially deferred for each row execute function demand_change('access_request', 'request_id');
create trigger refuse_emptying before truncate on access_approvals execute function refuse_emptying();

-- The last names of deleted groups, for the requests for them.
create table former_groups (
  group_id int primary key,
  name     text not null
);
create constraint trigger demand_change after insert or update or delete on former_groups
  deferrable initially deferred for each row execute function demand_change('group', 'group_id');
create trigger refuse_emptying before truncate on former_groups execute function refuse_emptying();

-- The active people whom the policy of a group makes approvers, by name (0) or as members of a group (1); some repeatedly. It finds them by
-- indexes alone, however many members their groups have.
create function policy_approvers(its_group int) returns table (id int, place int)
  language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query
    select users.id, person.place
    from (
      select unnest(approver_user_ids), 0 from request_policies where group_id = its_group
      union all
      select members.user_id, 1
      from request_policies as policy cross join unnest(policy.approver_group_ids) as one (id)
        cross join lateral (select user_id from group_users where group_id = one.id) as members
      where policy.group_id = its_group) as person (id, place)
    join users on users.id = person.id where users.is_active and users.kind = 'person';
end $$;

-- Whether the policy of a group makes a person an approver.
create function approves(its_group int, person int) returns boolean language sql stable as $$
  select exists (
    select from request_policies as policy join users on users.id = person and is_active and kind = 'person'
    where policy.group_id = its_group and (person = any(approver_user_ids)
      or exists (select from group_users where user_id = person and group_id = any(approver_group_ids))))
$$;

-- Six of the people who may decide on requests for a group, `others` among them, or all if there are fewer: no request needs more than five
-- approvals, and one of them may be its requester. Among this many rows are six people, as one policy names nobody more than 102 times.
create function first_deciders(its_group int, others int[]) returns int[]
  language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  policy request_policies;
begin
  select * into policy from request_policies where group_id = its_group;
  return array(
    select distinct decider.id from (
      select users.id
      from (
        select unnest(policy.approver_user_ids)
        union all
        select unnest(others)
        union all
        select members.user_id
        from unnest(policy.approver_group_ids) as one (id)
          cross join lateral (select user_id from group_users where group_id = one.id) as members) as person (id)
      join users on users.id = person.id where users.is_active and users.kind = 'person' limit 612) as decider limit 6);
end $$;

-- How many people, `others` among them, may decide on a person's requests for a group, counted to five at most.
create function count_deciders(its_group int, requester int, others int[]) returns bigint language sql stable as $$
  select least(5, cardinality(array_remove(first_deciders(its_group, others), requester)))
$$;

-- The approvers of a person's requests for a group. If these are fewer than the approvals that it needs, administrators are approvers, too
-- (2).
create function approvers_of(its_group int, requester int) returns table (id int, place int) language sql stable as $$
  select person.id, min(person.place) from (
    select id, place from policy_approvers(its_group)
    union all
    select unnest(active_in_roles(array['admin'])), 2
    from request_policies where group_id = its_group and count_deciders(its_group, requester, '{}') < min_approvals) as person
  where person.id <> requester group by person.id
$$;

-- Whether someone may read a request without being an administrator: its requester, the approvers of the policy, and those who decided.
create function reads_access_request(request int, person int) returns boolean language sql stable as $$
  select exists (
    select from access_requests as r where r.id = request and (
      person = r.requester_id or person is not distinct from r.decided_by or approves(r.group_id, person)
      or exists (select from access_approvals where request_id = r.id and approver_id = person)))
$$;

-- Reviews of access: responsible people confirm memberships and roles held directly, item by item. Closing the review takes away the grants
-- that are to be removed.

-- The ids of people, groups and roles stay after these are deleted, and the usernames with them.
create table access_reviews (
  id                  int primary key generated always as identity,
  title_ar            text,
  title_en            text,
  group_ids           int[] not null,
  role_ids            int[] not null,
  -- Empty: the approvers of each group judge its items, and the administrators those of roles.
  reviewer_user_ids   int[] not null,
  due_date            date not null,
  if_silent           text not null check (if_silent in ('keep', 'remove')),
  status              text not null default 'open' check (status in ('open', 'closing', 'closed', 'cancelled')),
  created_at          timestamptz not null default now(),
  created_by          int not null,
  created_by_username text not null,
  -- When closing began, or when it was cancelled: from then on, no verdict counts.
  ended_at            timestamptz,
  closed_at           timestamptz,
  closed_by           int,
  closed_by_username  text,
  check (title_ar is not null or title_en is not null)
);
create index on access_reviews (status);
create constraint trigger demand_change after insert or update or delete on access_reviews
  deferrable initially deferred for each row execute function demand_change('access_review', 'id');
create trigger refuse_emptying before truncate on access_reviews execute function refuse_emptying();

-- `decided_with`: how the caller was authenticated who decided that the grant goes, by a verdict or, without one, by the review: by an API
-- token, by a session, or by a session that had to be confirmed because the grant gave the role `admin`.
create table access_review_items (
  id                  int primary key generated always as identity,
  review_id           int not null references access_reviews,
  user_id             int not null,
  username            text not null,
  -- The names that readers of either language see, so that a page of a long list needs no sorting. A trigger keeps them.
  name_ar             text collate "ar-x-icu" not null,
  name_en             text collate "en-x-icu" not null,
  group_id            int,
  role_id             int,
  -- The name of the group or role when the review was made.
  target_name         text not null,
  -- `changed_at` of the grant: it differs once the grant was given again or its end changed.
  granted_at          timestamptz not null,
  expires_at          timestamptz(3),
  since               timestamptz,
  granted_by          int,
  granted_by_username text,
  -- The apps that only this grant showed, and when the person had last opened one of them.
  app_ids             int[] not null,
  last_used_at        timestamptz,
  verdict             text check (verdict in ('keep', 'remove')),
  note                text,
  reviewer_id         int,
  reviewer_username   text,
  judged_at           timestamptz,
  -- Whether nobody could judge it when closing began.
  is_unjudged         boolean not null default false,
  outcome             text check (outcome in ('kept', 'removed', 'skipped')),
  skip_reason         text check (skip_reason in ('gone', 'changed', 'managed_elsewhere', 'no_reviewer', 'not_confirmed', 'last_admin')),
  state               text not null generated always as (case when outcome = 'skipped' then 'skipped' else coalesce(verdict, 'undecided') end) stored,
  search              text not null generated always as (portal_fold(username || E'\x01' || name_ar || E'\x01' || name_en)) stored,
  decided_with        text not null default 'session' check (decided_with in ('token', 'session', 'confirmation')),
  check (num_nonnulls(group_id, role_id) = 1),
  check ((skip_reason is not null) = (outcome is not distinct from 'skipped'))
);
create index access_review_items_ar on access_review_items (review_id, name_ar, user_id, id);
create index access_review_items_en on access_review_items (review_id, name_en, user_id, id);
create index access_review_items_counted on access_review_items (review_id, state, group_id, user_id);
create index access_review_items_left on access_review_items (review_id, id) where outcome is null;
create index access_review_items_of_user on access_review_items (user_id, review_id);
-- The names in items change with the person.
create constraint trigger demand_change after insert or update or delete on access_review_items
  deferrable initially deferred for each row execute function demand_change('access_review', 'review_id', 'user', 'user_id');
create trigger refuse_emptying before truncate on access_review_items execute function refuse_emptying();

create function keep_review_names() returns trigger language plpgsql as $$
begin
  update access_review_items set username = new.username,
    name_ar = coalesce(nullif(new.display_name_ar, ''), nullif(new.display_name_en, ''), new.username),
    name_en = coalesce(nullif(new.display_name_en, ''), nullif(new.display_name_ar, ''), new.username)
  where user_id = new.id;
  return null;
end $$;
create trigger keep_review_names after update on users for each row
  when ((old.username, old.display_name_ar, old.display_name_en) is distinct from (new.username, new.display_name_ar, new.display_name_en))
  execute function keep_review_names();

-- The notices that were sent besides the first one: one a day before the end for each end, the others once.
create table access_review_notices (
  review_id int not null references access_reviews,
  template  text not null check (template in ('access_review_half', 'access_review_ends', 'access_review_unjudged')),
  due_date  date not null,
  primary key (review_id, template, due_date)
);
create constraint trigger demand_change after insert or update or delete on access_review_notices
  deferrable initially deferred for each row execute function demand_change('access_review', 'review_id');
create trigger refuse_emptying before truncate on access_review_notices execute function refuse_emptying();

-- Who judges a review, besides the administrators, who may judge every item. `scope` says which items: those of a group, by its id; those
-- of roles, 0; or all of them, -1.
create function access_reviewers(review int) returns table (scope int, user_id int) language sql stable as $$
  select -1, users.id
  from access_reviews r join users on users.id = any(r.reviewer_user_ids) and users.is_active and users.kind = 'person' where r.id = review
  union
  select one.group_id, approver.id
  from access_reviews r cross join unnest(r.group_ids) as one (group_id) cross join policy_approvers(one.group_id) as approver
  where r.id = review and cardinality(r.reviewer_user_ids) = 0
  union
  select 0, admins.id from access_reviews r cross join unnest(active_in_roles(array['admin'])) as admins (id)
  where r.id = review and cardinality(r.reviewer_user_ids) = 0 and cardinality(r.role_ids) > 0
$$;

-- The scopes that one person judges.
create function scopes_of_reviewer(review int, person int) returns setof int language sql stable as $$
  select -1 from access_reviews r join users on users.id = person and users.is_active and users.kind = 'person'
  where r.id = review and person = any(r.reviewer_user_ids)
  union all
  select one.group_id from access_reviews r cross join unnest(r.group_ids) as one (group_id)
  where r.id = review and cardinality(r.reviewer_user_ids) = 0 and approves(one.group_id, person)
  union all
  select 0 from access_reviews r
  where r.id = review and cardinality(r.reviewer_user_ids) = 0 and cardinality(r.role_ids) > 0 and person = any(active_in_roles(array['admin']))
$$;

-- What closing does with each item, unless it is needed for an administrator to be left. Nobody may judge an item whose person is the only
-- administrator and its only reviewer; of a review that is being closed, `is_unjudged` says it as of the moment when closing began.
create view review_fates as
  select i.id, i.review_id, i.user_id, i.group_id, i.role_id, i.outcome, of_admin.gives_admin,
    case
      when i.verdict = 'keep' or i.verdict is null and r.if_silent = 'keep' then 'keep'
      when held.changed_at is null then 'gone'
      when i.group_id in (select group_id from provider_group_rules) then 'managed_elsewhere'
      when held.changed_at <> i.granted_at then 'changed'
      when i.verdict is null and case
        when r.status <> 'open' then i.is_unjudged
        else i.user_id = (
            select admins[1] from (select active_in_roles(array['admin']) as admins) as sole where cardinality(admins) = 1)
          and not exists (
            select from access_reviewers(r.id) as one
            where one.scope = case when cardinality(r.reviewer_user_ids) > 0 then -1 else coalesce(i.group_id, 0) end
              and one.user_id <> i.user_id) end then 'no_reviewer'
      when of_admin.gives_admin and i.decided_with <> 'confirmation'
        and (i.decided_with = 'token' or (select confirm_administration from sign_in_settings)) then 'not_confirmed'
      else 'remove' end as fate
  from access_review_items as i
    join access_reviews as r on r.id = i.review_id
    cross join lateral (
      select coalesce(
        i.role_id = (select id from roles where name = 'admin')
          or i.group_id in (select group_id from group_roles where role_id = (select id from roles where name = 'admin')), false) as gives_admin) as of_admin
    left join lateral (
      select changed_at from memberships as m
      where m.user_id = i.user_id and m.group_id = i.group_id and (m.expires_at is null or m.expires_at > statement_timestamp())
      union all
      select changed_at from direct_roles as d
      where d.user_id = i.user_id and d.role_id = i.role_id and (d.expires_at is null or d.expires_at > statement_timestamp())) as held on true;

-- Everything that decides who is an administrator. Each command that may change it compares it before and afterwards. It includes what open
-- reviews will take: if the settings ask administrators to confirm, a review takes the role `admin` only by a decision that was confirmed.
--
-- The entries hold `until` a moment: the people who hold the role `admin`, the groups that give it, their members, and the items by which a
-- review will take it. Inactive people count as such, since they come back with what they hold.
create view administration as
  select concat_ws(' ', 'role', user_id, (select is_active from users where id = user_id)) as entry, expires_at::timestamptz as until
  from direct_roles
  where role_id = (select id from roles where name = 'admin')
  union all
  select concat_ws(' ', 'group', group_id), null from group_roles where role_id = (select id from roles where name = 'admin')
  union all
  select concat_ws(' ', 'member', group_id, user_id, (select is_active from users where id = user_id)), expires_at
  from memberships
  where group_id in (select group_id from group_roles where role_id = (select id from roles where name = 'admin'))
  union all
  select concat_ws(' ', 'review', item.id, r.closed_by), case when r.status = 'open' then end_of_day(r.due_date) end
  from access_reviews as r join review_fates as item on item.review_id = r.id
  where (r.status = 'open' or r.status = 'closing' and r.closed_by is not null)
    and ((select id from roles where name = 'admin') = any(r.role_ids)
      or r.group_ids && array(select group_id from group_roles where role_id = (select id from roles where name = 'admin')))
    and item.outcome is null and item.gives_admin and item.fate in ('remove', 'not_confirmed');
