-- Reviews of access: responsible people confirm memberships and roles held directly, item by item. What they want taken away is taken when
-- the review is closed.

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
  skip_reason         text check (skip_reason in ('gone', 'changed', 'managed_elsewhere', 'no_reviewer', 'last_admin')),
  state               text not null generated always as (case when outcome = 'skipped' then 'skipped' else coalesce(verdict, 'undecided') end) stored,
  search              text not null generated always as (portal_fold(username || E'\x01' || name_ar || E'\x01' || name_en)) stored,
  check (num_nonnulls(group_id, role_id) = 1),
  check ((skip_reason is not null) = (outcome is not distinct from 'skipped'))
);
create index access_review_items_ar on access_review_items (review_id, name_ar, user_id, id);
create index access_review_items_en on access_review_items (review_id, name_en, user_id, id);
create index access_review_items_counted on access_review_items (review_id, state, group_id, user_id);
create index access_review_items_left on access_review_items (review_id, id) where outcome is null;
create index access_review_items_of_user on access_review_items (user_id, review_id);

-- The notices that were sent besides the first one: one a day before the end for each end, the others once.
create table access_review_notices (
  review_id int not null references access_reviews,
  template  text not null check (template in ('access_review_half', 'access_review_ends', 'access_review_unjudged')),
  due_date  date not null,
  primary key (review_id, template, due_date)
);

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

-- The end of a day in the office's time zone.
create function end_of_day(day date) returns timestamptz language sql stable as $$
  select (day + 1)::timestamp at time zone (select time_zone from settings)
$$;

-- Who judges a review, besides the administrators, who may judge every item. `scope` says which items: those of a group, by its id; those
-- of roles, 0; or all of them, -1.
create function access_reviewers(review int) returns table (scope int, user_id int) language sql stable as $$
  select -1, users.id from access_reviews r join users on users.id = any(r.reviewer_user_ids) and users.is_active where r.id = review
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
  select -1 from access_reviews r join users on users.id = person and users.is_active where r.id = review and person = any(r.reviewer_user_ids)
  union all
  select one.group_id from access_reviews r cross join unnest(r.group_ids) as one (group_id)
  where r.id = review and cardinality(r.reviewer_user_ids) = 0 and approves(one.group_id, person)
  union all
  select 0 from access_reviews r
  where r.id = review and cardinality(r.reviewer_user_ids) = 0 and cardinality(r.role_ids) > 0 and person = any(active_in_roles(array['admin']))
$$;

create constraint trigger demand_change after insert or update or delete on access_reviews
  deferrable initially deferred for each row execute function demand_change('access_review', 'id');
-- The names in items change with the person.
create constraint trigger demand_change after insert or update or delete on access_review_items
  deferrable initially deferred for each row execute function demand_change('access_review', 'review_id', 'user', 'user_id');
create constraint trigger demand_change after insert or update or delete on access_review_notices
  deferrable initially deferred for each row execute function demand_change('access_review', 'review_id');
create trigger refuse_emptying before truncate on access_reviews execute function refuse_emptying();
create trigger refuse_emptying before truncate on access_review_items execute function refuse_emptying();
create trigger refuse_emptying before truncate on access_review_notices execute function refuse_emptying();

alter table notifications drop constraint notifications_related_type_check;
alter table notifications add constraint notifications_related_type_check
  check (related_type in ('order', 'note', 'meeting', 'meeting_request', 'meeting_task', 'user', 'group', 'role', 'access_request', 'access_review'));
