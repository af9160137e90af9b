-- As before, but `changed` before `managed_elsewhere`: the first reason that applies is stored.
create or replace view review_fates as
  select i.id, i.review_id, i.user_id, i.group_id, i.role_id, i.outcome, of_admin.gives_admin,
    case
      when i.verdict = 'keep' or i.verdict is null and r.if_silent = 'keep' then 'keep'
      when held.changed_at is null then 'gone'
      when held.changed_at <> i.granted_at then 'changed'
      when i.group_id in (select group_id from groups_from_elsewhere) then 'managed_elsewhere'
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
