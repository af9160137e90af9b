-- Everything that decides who is an administrator is compared before and after each command that may change it: `administration`. That
-- includes what open reviews will take. Where the settings ask administrators to confirm, a review takes the role `admin` only by a decision
-- that was confirmed.

-- How the caller was authenticated who decided that the grant goes, by a verdict or, without one, by the review: by an API token, by a
-- session, or by a session that had to be confirmed because the grant gave the role `admin`.
alter table access_review_items add column decided_with text not null default 'session' check (decided_with in ('token', 'session', 'confirmation'));
alter table access_review_items drop constraint access_review_items_skip_reason_check;
alter table access_review_items add constraint access_review_items_skip_reason_check
  check (skip_reason in ('gone', 'changed', 'managed_elsewhere', 'no_reviewer', 'not_confirmed', 'last_admin'));

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

-- Who is an administrator, in entries that hold `until` a moment: the people who hold the role `admin`, the groups that give it, their
-- members, and the items by which a review will take it. Inactive people count as such, since they come back with what they hold.
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
