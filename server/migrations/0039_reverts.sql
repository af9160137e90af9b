-- Which entry an entry of a history puts back, as `{kind, entryId}`; the ledger has it among its facts.

alter table permission_history add column revert_of jsonb;
