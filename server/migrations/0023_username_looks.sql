-- What usernames look like, by the skeletons of UTS 39. The portal fills it in: the database does not know which letters look alike.

create table username_looks (
  look    text not null,
  user_id int not null references users on delete cascade,
  primary key (look, user_id)
);
create index on username_looks (user_id);
