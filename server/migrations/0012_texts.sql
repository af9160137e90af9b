-- Names, descriptions and looks of roles, permissions, groups and apps are cached with what they give, and decide on nobody's access. A
-- change of them moves a version of its own, so that it waits for no change of access, and no command is run again because of it.
create table texts_version (only_row boolean primary key default true check (only_row), value bigint not null default next_version(0));
insert into texts_version default values;

-- Deferred to the commit: a transaction that holds the version waits for no other lock.
create function bump_texts() returns trigger language plpgsql as $$
begin
  if current_setting('portal.texts_have_moved', true) is distinct from 'yes' then
    update texts_version set value = next_version(value);
    perform set_config('portal.texts_have_moved', 'yes', true);
  end if;
  return null;
end $$;

-- A column that is not listed here decides on access. Roles and apps are compared by the names of permissions.
do $$
declare
  texts record;
begin
  for texts in
    select * from (values
      ('roles', '{name,description_ar,description_en,search}'),
      ('permissions', '{description_ar,description_en,search}'),
      ('groups', '{name,name_key,description_ar,description_en,search}'),
      ('apps', '{name_ar,name_en,description_ar,description_en,icon_name,image_url,color,route,external_url,open_mode,sort_order,updated_at,search}')
    ) as texts (base, columns)
  loop
    execute format('drop trigger bump_epoch on %I', texts.base);
    execute format('create trigger bump_epoch after insert or delete on %I for each statement execute function bump_epoch()', texts.base);
    execute format(
      'create trigger bump_epoch_changed after update on %I for each row
         when (to_jsonb(old) - %2$L::text[] is distinct from to_jsonb(new) - %2$L::text[]) execute function bump_epoch()',
      texts.base, texts.columns);
    execute format(
      'create constraint trigger bump_texts after update on %I deferrable initially deferred for each row
         when (old.* is distinct from new.*) execute function bump_texts()', texts.base);
  end loop;
end $$;

-- What changes of a person but these must wait for their running commands. A name need not, and two administrators who change each
-- other's names must not wait for each other.
create function bump_changed_users() returns trigger language plpgsql as $$
declare
  texts text[] := '{display_name_ar,display_name_en,preferred_language,avatar_url,search}';
begin
  perform from user_access where user_id in (
    select now.id from touched as now join before using (id)
    where to_jsonb(now) - texts is distinct from to_jsonb(before) - texts) order by user_id for update;
  perform from user_access where user_id in (select id from touched) order by user_id for no key update;
  update user_access set version = next_version(version), is_active = touched.is_active from touched where user_id = touched.id;
  return null;
end $$;
create or replace trigger bump_users_updated after update on users
  referencing old table as before new table as touched for each statement execute function bump_changed_users();
