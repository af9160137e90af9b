-- The office's time zone is one that PostgreSQL, Node and browsers understand alike. PostgreSQL reads abbreviations in its own way: ART is
-- Argentina's time to it, and Cairo to the others. Abbreviations and other old names become the zone that pages and mails have shown.

-- None of what the ledger records changes by that.
alter table settings disable trigger demand_change;
update settings set time_zone = zone from (values
  ('ACT', 'Australia/Darwin'), ('AET', 'Australia/Sydney'), ('AGT', 'America/Argentina/Buenos_Aires'), ('ART', 'Africa/Cairo'),
  ('AST', 'America/Anchorage'), ('BET', 'America/Sao_Paulo'), ('BST', 'Asia/Dhaka'), ('CAT', 'Africa/Maputo'), ('CET', 'Europe/Brussels'),
  ('CNT', 'America/St_Johns'), ('CST', 'America/Chicago'), ('CST6CDT', 'America/Chicago'), ('CTT', 'Asia/Shanghai'),
  ('Canada/East-Saskatchewan', 'America/Regina'), ('Cuba', 'America/Havana'), ('EAT', 'Africa/Nairobi'), ('ECT', 'Europe/Paris'),
  ('EET', 'Europe/Athens'), ('EST', 'America/Panama'), ('EST5EDT', 'America/New_York'), ('Egypt', 'Africa/Cairo'),
  ('Eire', 'Europe/Dublin'), ('GB', 'Europe/London'), ('GB-Eire', 'Europe/London'), ('HST', 'Pacific/Honolulu'),
  ('Hongkong', 'Asia/Hong_Kong'), ('IET', 'America/Indiana/Indianapolis'), ('IST', 'Asia/Kolkata'), ('Iceland', 'Atlantic/Reykjavik'),
  ('Iran', 'Asia/Tehran'), ('Israel', 'Asia/Jerusalem'), ('JST', 'Asia/Tokyo'), ('Jamaica', 'America/Jamaica'), ('Japan', 'Asia/Tokyo'),
  ('Kwajalein', 'Pacific/Kwajalein'), ('Libya', 'Africa/Tripoli'), ('MET', 'Europe/Brussels'), ('MIT', 'Pacific/Apia'),
  ('MST', 'America/Phoenix'), ('MST7MDT', 'America/Denver'), ('NET', 'Asia/Yerevan'), ('NST', 'Pacific/Auckland'),
  ('NZ', 'Pacific/Auckland'), ('NZ-CHAT', 'Pacific/Chatham'), ('Navajo', 'America/Denver'), ('PLT', 'Asia/Karachi'),
  ('PNT', 'America/Phoenix'), ('PRC', 'Asia/Shanghai'), ('PRT', 'America/Puerto_Rico'), ('PST', 'America/Los_Angeles'),
  ('PST8PDT', 'America/Los_Angeles'), ('Poland', 'Europe/Warsaw'), ('Portugal', 'Europe/Lisbon'), ('ROC', 'Asia/Taipei'),
  ('ROK', 'Asia/Seoul'), ('SST', 'Pacific/Guadalcanal'), ('Singapore', 'Asia/Singapore'), ('SystemV/AST4', 'America/Puerto_Rico'),
  ('SystemV/AST4ADT', 'America/Halifax'), ('SystemV/CST6', 'America/Regina'), ('SystemV/CST6CDT', 'America/Chicago'),
  ('SystemV/EST5', 'America/Panama'), ('SystemV/EST5EDT', 'America/New_York'), ('SystemV/HST10', 'Pacific/Honolulu'),
  ('SystemV/MST7', 'America/Phoenix'), ('SystemV/MST7MDT', 'America/Denver'), ('SystemV/PST8', 'Pacific/Pitcairn'),
  ('SystemV/PST8PDT', 'America/Los_Angeles'), ('SystemV/YST9', 'Pacific/Gambier'), ('SystemV/YST9YDT', 'America/Anchorage'),
  ('Turkey', 'Europe/Istanbul'), ('US/Pacific-New', 'America/Los_Angeles'), ('VST', 'Asia/Ho_Chi_Minh'), ('W-SU', 'Europe/Moscow'),
  ('WET', 'Europe/Lisbon')) as known (name, zone)
where lower(name) = lower(time_zone);
-- The rest without a slash are other names of UTC. Names in another case get the usual one.
update settings set time_zone = 'UTC' where time_zone not like '%/%';
update settings set time_zone = name from pg_timezone_names where lower(name) = lower(time_zone) and name <> time_zone;
alter table settings enable trigger demand_change;

-- The zone, or UTC where this server does not know it: another one may have stored it, or an earlier version of this one.
create function usable_time_zone(zone text) returns text language plpgsql stable as $$
begin
  perform now() at time zone zone;
  return zone;
exception when invalid_parameter_value then
  return 'UTC';
end $$;

-- The end of a day in the office's time zone.
create or replace function end_of_day(day date) returns timestamptz language sql stable as $$
  select (day + 1)::timestamp at time zone (select usable_time_zone(time_zone) from settings)
$$;
