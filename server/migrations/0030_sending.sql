-- What is kept of sending, by webhooks and by the audit stream.

-- A message goes 30 days after it was settled, or was due: sent again, it begins anew.
alter table webhook_deliveries drop column created_at;
create index webhook_deliveries_of_age on webhook_deliveries (coalesce(next_at, settled_at));

-- The last place that was ever on its way by syslog, whatever came of it: noted before it is sent, while `place` moves afterwards.
alter table audit_stream add under_way bigint not null default 0;
