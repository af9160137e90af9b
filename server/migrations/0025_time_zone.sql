-- The office's: moments are told in it.
alter table settings add column time_zone text not null default 'UTC';
