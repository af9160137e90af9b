-- What someone wrote in another's thread stays when they are deleted: a reply goes with its note only. `recipient_id` then tells whose
-- conversation it is in, and names nobody any more.
alter table note_replies
  drop constraint note_replies_note_id_recipient_id_fkey,
  add foreign key (note_id) references notes on delete cascade;
