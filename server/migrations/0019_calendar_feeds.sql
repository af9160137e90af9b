-- The calendar feed of a person's own meetings.

-- A session of the kind `calendar` is the address of a feed: whatever ends all sessions of a person ends it, too. It opens nothing else.
alter table sessions drop constraint sessions_kind_check;
alter table sessions add constraint sessions_kind_check check (kind in ('browser', 'token', 'calendar'));
create unique index on sessions (user_id) where kind = 'calendar' and ended_at is null;

-- Part of the ids of meetings in feeds, so that those of two portals never meet in one calendar, and stay when the portal moves.
alter table settings add feed_id uuid not null default gen_random_uuid();
