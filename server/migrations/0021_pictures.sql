-- A picture is an https address or an uploaded file that is there and is an image. Whoever refers to a file holds it until the commit.
-- Argument: the column with the path.
create or replace function hold_object() returns trigger language plpgsql as $$
declare
  path text := to_jsonb(new) ->> tg_argv[0];
  media_type text;
begin
  if path !~ '^/objects/' or (tg_op = 'UPDATE' and path = to_jsonb(old) ->> tg_argv[0]) then return null; end if;
  if path ~ '^/objects/uploads/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    select content_type into media_type from objects
      where uuid = right(path, 36)::uuid and uploaded_at is not null for key share;
  end if;
  if media_type is null then
    raise exception 'there is no such object' using errcode = 'BW002', column = tg_argv[0];
  end if;
  if media_type !~* '^image/(png|jpeg|gif|webp|avif|bmp) *(;|$)' then
    raise exception 'the object is not a picture' using errcode = 'BW004', column = tg_argv[0];
  end if;
  return null;
end $$;
