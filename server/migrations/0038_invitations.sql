-- People who are invited choose a password with the link of the invitation, and have none before.
alter table users alter column password_hash drop not null;
alter table users add column invitation text check (invitation in ('pending', 'accepted'));
