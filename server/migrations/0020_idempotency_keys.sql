-- What a call that was sent with an `Idempotency-Key` was answered, for a day. Only the key itself, which is not here, opens the
-- answer and shows what it was the answer to: some contain links that are secret, some answer passwords.
create table idempotency_keys (
  user_id     int not null references users on delete cascade,
  key_hash    bytea not null,
  fingerprint bytea not null,
  answer      bytea not null,
  created_at  timestamptz not null default now(),
  primary key (user_id, key_hash)
);
create index on idempotency_keys (created_at);
