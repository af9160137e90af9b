-- Whether an import mails its invitations, settled when it is applied: mail may be set up before its links are taken.
alter table user_imports add mails_invitations boolean not null default false;
update user_imports as i set mails_invitations = true
where exists (
  select from user_import_rows as r join password_resets as p on p.user_id = r.user_id
  where r.import_id = i.id and r.verdict = 'create' and p.mailed);
