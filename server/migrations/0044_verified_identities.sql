-- Whether the provider had verified the address that it last named for an identity. Earlier sign-ins did not keep its word: false until the
-- next one.
alter table identities add email_verified boolean not null default false;
