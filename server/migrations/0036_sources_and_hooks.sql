-- The person or group of a refused call, whichever its address is about.
alter table source_refusals add target_id int;

-- `begun_after`: the last id of the ledger when the webhook was made, or switched on from then on. `under_way`: the ids up to it whose rows
-- were not committed yet: of all up to it, the webhook is told of these alone. `rests`: how often in a row it rested because the receiver
-- answered 429 and did not say for how long.
alter table webhooks
  add begun_after bigint not null default 0,
  add under_way   bigint[] not null default '{}',
  add rests       int not null default 0;
