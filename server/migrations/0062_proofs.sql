-- Whether somebody other than its holder has said whose an account is, though its address may still be anybody's: an administrator with a
-- link, or a provider that speaks for the address. `email_vouched` says as much, and vouches for the address, too.
alter table users add column is_proven boolean not null default false;

alter table users disable trigger demand_change;
-- The first administrator, whose address the operator gave.
update users set email_vouched = true where not email_vouched
  and exists (
    select from ledger where target_type = 'user' and target_id = users.id and kind = 'user.created' and not facts ? 'provider')
  and not exists (
    select from ledger where target_type = 'user' and target_id = users.id and kind = 'user.updated'
      and facts ? 'provider' and facts -> 'changed' ? 'email');
-- Their ways in may be older than the proof of the address: they are connected with a provider only once they prove themselves.
update users set email_vouched = false, is_proven = true where email_vouched
  and exists (
    select from ledger where target_type = 'user' and target_id = users.id
      and (kind = 'user.registered' or kind = 'user.created' and facts ? 'provider'))
  and (exists (select from passkeys where user_id = users.id)
    or exists (select from totp where user_id = users.id)
    or exists (select from identities where user_id = users.id));
alter table users enable trigger demand_change;
