-- Why someone asks for a change to the meetings, in their own words.
alter table meeting_requests add column reason text;
