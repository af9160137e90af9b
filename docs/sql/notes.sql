-- removeNotesOf
with
  gone as (
    delete from notes
    where
      user_id = $1
    returning
      id
  )
select
  id,
  array(
    select
      recipient_id
    from
      note_recipients
    where
      note_id = gone.id
    order by
      recipient_id
  ) as recipient_ids
from
  gone
order by
  id;

-- emptyFolder
with
  held as materialized (
    select
      id
    from
      notes
    where
      folder_id = $1
    order by
      id
    for no key update
  ),
  own as (
    update notes
    set
      folder_id = null
    from
      held
    where
      notes.id = held.id
    returning
      notes.id
  ),
  received as (
    update note_recipients
    set
      folder_id = null
    where
      folder_id = $2
    returning
      note_id
  )
select
  id,
  false as is_received
from
  own
union all
select
  note_id,
  true
from
  received
order by
  id;

-- removeLabel
with
  held as materialized (
    select
      id
    from
      notes
    where
      id = any (
        array(
          select
            note_id
          from
            note_label_links
          where
            label_id = $1
        )
      )
    order by
      id
    for no key update
  ),
  freed as (
    delete from note_label_links
    where
      label_id = $2
    returning
      note_id
  )
select
  note_id as id
from
  freed
  join held on held.id = note_id
order by
  note_id;

-- listRecipients
select
  *
from
  (
    select
      *,
      count(*) over () as found,
      sum(length(text)) over (rows unbounded preceding) - length(text) as before
    from
      (
        select
          json_build_object('id', u.id, 'username', u.username, 'displayNameAr', u.display_name_ar, 'displayNameEn', u.display_name_en, 'avatarUrl', u.avatar_url, 'isActive', u.is_active)::text as text,
          u.id,
          coalesce(nullif(u.display_name_ar, ''), nullif(u.display_name_en, ''), u.username) collate "ar-x-icu" as name
        from
          (
            with
              found as materialized (
                select
                  *
                from
                  users
                where
                  search like $1
                  and (
                    split_part(search, E'\x01', 1) like $2
                    or split_part(search, E'\x01', 3) like $3
                    or split_part(search, E'\x01', 4) like $4
                  )
              )
            select
              *
            from
              found
          ) as u
        where
          u.is_active
          and u.kind = 'person'
          and u.id <> $5
        order by
          coalesce(nullif(u.display_name_ar, ''), nullif(u.display_name_en, ''), u.username) collate "ar-x-icu",
          u.id
        limit
          $6
      ) as chosen
  ) as measured
where
  before < 524288;

-- sendNotes
with
  line as materialized (
    select
      *
    from
      json_to_recordset($1::json) as line(place int, "noteId" int, "ownerId" int, "userIds" int[])
  ),
  own as materialized (
    select
      id,
      user_id,
      title,
      content
    from
      notes
    where
      id = any (
        array(
          select
            "noteId"
          from
            line
        )
      )
      and exists (
        select
        from
          line
        where
          "noteId" = notes.id
          and "ownerId" = user_id
      )
    order by
      id
    for no key update
  ),
  known as materialized (
    select
      id
    from
      users
    where
      id = any (
        array(
          select
            unnest("userIds")
          from
            line
        )
      )
      and is_active
      and kind = 'person'
    order by
      id
    for key share
  ),
  asked as materialized (
    select
      place,
      own.*,
      "userIds",
      notices_caused_by ("ownerId")::int as caused,
      array(
        select
          unnest("userIds")
        except
        select
          id
        from
          known
        order by
          1
      ) as unknown_ids
    from
      line
      join own on own.id = "noteId"
      and user_id = "ownerId"
  ),
  checked as materialized (
    select
      asked.*,
      unknown_ids = '{}'
      and user_id <> all ("userIds")
      and case
        when caused + cardinality("userIds") <= 5000 then true
        -- Only here do the people count who have the note already: with stale statistics, this reads the whole table.
        else caused + (
          select
            count(*)
          from
            unnest("userIds") as person
          where
            person not in (
              select
                recipient_id
              from
                note_recipients
              where
                note_id = asked.id
            )
        ) <= 5000
      end as is_sent
    from
      asked
  ),
  sent as (
    insert into
      note_recipients (note_id, recipient_id)
    select
      id,
      person
    from
      checked,
      unnest("userIds") as person
    where
      is_sent
    order by
      1,
      2
    on conflict do nothing
    returning
      note_id,
      recipient_id
  )
select
  place,
  title,
  content,
  username,
  display_name_ar,
  display_name_en,
  unknown_ids,
  caused,
  is_sent,
  array(
    select
      recipient_id
    from
      sent
    where
      note_id = checked.id
    order by
      recipient_id
  ) as recipient_ids
from
  checked
  join users on users.id = user_id;

-- listSent
select
  *
from
  (
    select
      *,
      count(*) over () as found,
      sum(length(text)) over (rows unbounded preceding) - length(text) as before
    from
      (
        select
          json_build_object(
            'id',
            n.id,
            'title',
            n.title,
            'content',
            n.content,
            'color',
            n.color,
            'createdAt',
            to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'updatedAt',
            to_char(n.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'userId',
            n.user_id,
            'isPinned',
            n.is_pinned,
            'isArchived',
            n.is_archived,
            'folderId',
            n.folder_id,
            'recipients',
            (
              select
                json_agg(
                  json_build_object(
                    'id',
                    r.id,
                    'noteId',
                    r.note_id,
                    'recipientUserId',
                    r.recipient_id,
                    'status',
                    r.status,
                    'sentAt',
                    to_char(r.sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                    'readAt',
                    to_char(r.read_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                    'archivedAt',
                    to_char(r.archived_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                    'recipient',
                    json_build_object('id', u.id, 'username', u.username, 'displayNameAr', u.display_name_ar, 'displayNameEn', u.display_name_en, 'avatarUrl', u.avatar_url, 'isActive', u.is_active)
                  )
                  order by
                    r.id
                )
              from
                note_recipients as r
                join users as u on u.id = r.recipient_id
              where
                r.note_id = n.id
            ),
            'replyCount',
            (
              select
                count(*)
              from
                note_replies
              where
                note_id = n.id
            )
          )::text as text,
          n.id
        from
          notes as n
        where
          n.user_id = $1
          and n.is_archived = $2
          and exists (
            select
            from
              note_recipients
            where
              note_id = n.id
          )
        order by
          n.id desc
        limit
          $3
      ) as chosen
  ) as measured
where
  before < 524288;

-- listReceived, in all folders
select
  *
from
  (
    select
      *,
      count(*) over () as found,
      sum(length(text)) over (rows unbounded preceding) - length(text) as before
    from
      (
        select
          json_build_object(
            'id',
            n.id,
            'title',
            n.title,
            'content',
            n.content,
            'color',
            n.color,
            'createdAt',
            to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'updatedAt',
            to_char(n.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'recipientRowId',
            r.id,
            'status',
            r.status,
            'sentAt',
            to_char(r.sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'readAt',
            to_char(r.read_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'archivedAt',
            to_char(r.archived_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'folderId',
            r.folder_id,
            'sender',
            json_build_object('id', o.id, 'username', o.username, 'displayNameAr', o.display_name_ar, 'displayNameEn', o.display_name_en, 'avatarUrl', o.avatar_url, 'isActive', o.is_active)
          )::text as text,
          r.id
        from
          note_recipients as r
          join notes as n on n.id = r.note_id
          join users as o on o.id = n.user_id
        where
          r.recipient_id = $1
          and (r.status = 'archived') = $2
        order by
          r.id desc
        limit
          $3
      ) as chosen
  ) as measured
where
  before < 524288;

-- listReceived, in a folder
select
  *
from
  (
    select
      *,
      count(*) over () as found,
      sum(length(text)) over (rows unbounded preceding) - length(text) as before
    from
      (
        select
          json_build_object(
            'id',
            n.id,
            'title',
            n.title,
            'content',
            n.content,
            'color',
            n.color,
            'createdAt',
            to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'updatedAt',
            to_char(n.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'recipientRowId',
            r.id,
            'status',
            r.status,
            'sentAt',
            to_char(r.sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'readAt',
            to_char(r.read_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'archivedAt',
            to_char(r.archived_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'folderId',
            r.folder_id,
            'sender',
            json_build_object('id', o.id, 'username', o.username, 'displayNameAr', o.display_name_ar, 'displayNameEn', o.display_name_en, 'avatarUrl', o.avatar_url, 'isActive', o.is_active)
          )::text as text,
          r.id
        from
          note_recipients as r
          join notes as n on n.id = r.note_id
          join users as o on o.id = n.user_id
        where
          r.recipient_id = $1
          and (r.status = 'archived') = $2
          and r.folder_id = $3::bigint
        order by
          r.id desc
        limit
          $4
      ) as chosen
  ) as measured
where
  before < 524288;

-- listReceived, in no folder
select
  *
from
  (
    select
      *,
      count(*) over () as found,
      sum(length(text)) over (rows unbounded preceding) - length(text) as before
    from
      (
        select
          json_build_object(
            'id',
            n.id,
            'title',
            n.title,
            'content',
            n.content,
            'color',
            n.color,
            'createdAt',
            to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'updatedAt',
            to_char(n.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'recipientRowId',
            r.id,
            'status',
            r.status,
            'sentAt',
            to_char(r.sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'readAt',
            to_char(r.read_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'archivedAt',
            to_char(r.archived_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'folderId',
            r.folder_id,
            'sender',
            json_build_object('id', o.id, 'username', o.username, 'displayNameAr', o.display_name_ar, 'displayNameEn', o.display_name_en, 'avatarUrl', o.avatar_url, 'isActive', o.is_active)
          )::text as text,
          r.id
        from
          note_recipients as r
          join notes as n on n.id = r.note_id
          join users as o on o.id = n.user_id
        where
          r.recipient_id = $1
          and (r.status = 'archived') = $2
          and r.folder_id is null
        order by
          r.id desc
        limit
          $3
      ) as chosen
  ) as measured
where
  before < 524288;

-- readReceived
select
  json_build_object(
    'id',
    n.id,
    'title',
    n.title,
    'content',
    n.content,
    'color',
    n.color,
    'createdAt',
    to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'updatedAt',
    to_char(n.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'recipientRowId',
    r.id,
    'status',
    r.status,
    'sentAt',
    to_char(r.sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'readAt',
    to_char(r.read_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'archivedAt',
    to_char(r.archived_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'folderId',
    r.folder_id,
    'sender',
    json_build_object('id', o.id, 'username', o.username, 'displayNameAr', o.display_name_ar, 'displayNameEn', o.display_name_en, 'avatarUrl', o.avatar_url, 'isActive', o.is_active)
  )::text as text
from
  note_recipients as r
  join notes as n on n.id = r.note_id
  join users as o on o.id = n.user_id
where
  r.id = $1;

-- readReply
select
  json_build_object(
    'id',
    p.id,
    'noteId',
    p.note_id,
    'senderUserId',
    case
      when p.is_from_owner then n.user_id
      else p.recipient_id
    end,
    'recipientUserId',
    case
      when p.is_from_owner then p.recipient_id
      else n.user_id
    end,
    'content',
    p.content,
    'createdAt',
    to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'sender',
    case
      when s.id is not null then json_build_object('id', s.id, 'username', s.username, 'displayNameAr', s.display_name_ar, 'displayNameEn', s.display_name_en, 'avatarUrl', s.avatar_url, 'isActive', s.is_active)
    end
  )::text as text
from
  note_replies as p
  join notes as n on n.id = p.note_id
  left join users as s on s.id = case
    when p.is_from_owner then n.user_id
    else p.recipient_id
  end
where
  p.id = $1;

-- readThread, twice
-- writeThread, of a long thread, for its owner
-- writeThread, of a long thread, for a recipient
with
  note as materialized (
    select
      n.id,
      n.user_id,
      n.xmin as written,
      r.status,
      case
        when n.user_id = $1 then 'owner'
        when r.id is not null then 'recipient'
        when $2::boolean then 'admin'
      end as standing
    from
      notes as n
      left join note_recipients as r on r.note_id = n.id
      and r.recipient_id = $3
    where
      n.id = $4
  ),
  seen as materialized (
    select
      note.*,
      case
        when recipients.count + replies.count <= $5
        and replies.bytes <= $6 then concat_ws(
          ' ',
          standing,
          written,
          (
            select
              xmin
            from
              users
            where
              id = note.user_id
          ),
          versions,
          replies.count || '/' || last
        )
      end as version
    from
      note
      cross join lateral (
        select
          count(*),
          string_agg(
            concat_ws('.', r.id, r.written, u.xmin),
            ' '
            order by
              r.id
          ) as versions
        from
          (
            select
              id,
              xmin as written,
              recipient_id
            from
              note_recipients
            where
              note_id = note.id
              and (
                note.standing <> 'recipient'
                or recipient_id = $7
              )
            limit
              $8
          ) as r
          join users as u on u.id = r.recipient_id
      ) as recipients
      cross join lateral (
        select
          count(*),
          max(id) as last,
          coalesce(sum(octet_length(content)), 0) as bytes
        from
          (
            select
              id,
              content
            from
              note_replies
            where
              note_id = note.id
              and (
                note.standing <> 'recipient'
                or recipient_id = $9
              )
            limit
              $10
          ) as p
      ) as replies
    where
      standing is not null
  ),
  theirs as (
    select
      r.*
    from
      seen
      join note_recipients as r on r.note_id = seen.id
    where
      seen.standing <> 'recipient'
      or r.recipient_id = $11
  ),
  said as (
    select
      p.*
    from
      seen
      join note_replies as p on p.note_id = seen.id
    where
      seen.standing <> 'recipient'
      or p.recipient_id = $12
  )
select
  standing,
  seen.status,
  version,
  case
    when version is null then json_build_object(
      'id',
      n.id,
      'title',
      n.title,
      'content',
      n.content,
      'color',
      n.color,
      'createdAt',
      to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'updatedAt',
      to_char(n.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'senderUserId',
      n.user_id,
      'isOwner',
      seen.standing = 'owner',
      'isAdmin',
      seen.standing = 'admin',
      'myStatus',
      seen.status,
      'sender',
      json_build_object('id', o.id, 'username', o.username, 'displayNameAr', o.display_name_ar, 'displayNameEn', o.display_name_en, 'avatarUrl', o.avatar_url, 'isActive', o.is_active)
    )::text
    else json_build_object(
      'id',
      n.id,
      'title',
      n.title,
      'content',
      n.content,
      'color',
      n.color,
      'createdAt',
      to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'updatedAt',
      to_char(n.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'senderUserId',
      n.user_id,
      'isOwner',
      seen.standing = 'owner',
      'isAdmin',
      seen.standing = 'admin',
      'myStatus',
      seen.status,
      'recipients',
      coalesce(
        (
          select
            json_agg(
              json_build_object(
                'id',
                r.id,
                'noteId',
                r.note_id,
                'recipientUserId',
                r.recipient_id,
                'status',
                r.status,
                'sentAt',
                to_char(r.sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                'readAt',
                to_char(r.read_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                'archivedAt',
                to_char(r.archived_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                'recipient',
                json_build_object('id', u.id, 'username', u.username, 'displayNameAr', u.display_name_ar, 'displayNameEn', u.display_name_en, 'avatarUrl', u.avatar_url, 'isActive', u.is_active)
              )
              order by
                r.id
            )
          from
            theirs as r
            join users as u on u.id = r.recipient_id
        ),
        '[]'
      ),
      'replies',
      coalesce(
        (
          select
            json_agg(
              json_build_object(
                'id',
                p.id,
                'noteId',
                p.note_id,
                'senderUserId',
                case
                  when p.is_from_owner then n.user_id
                  else p.recipient_id
                end,
                'recipientUserId',
                case
                  when p.is_from_owner then p.recipient_id
                  else n.user_id
                end,
                'content',
                p.content,
                'createdAt',
                to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                'sender',
                case
                  when s.id is not null then json_build_object('id', s.id, 'username', s.username, 'displayNameAr', s.display_name_ar, 'displayNameEn', s.display_name_en, 'avatarUrl', s.avatar_url, 'isActive', s.is_active)
                end
              )
              order by
                p.id
            )
          from
            said as p
            left join users as s on s.id = case
              when p.is_from_owner then n.user_id
              else p.recipient_id
            end
        ),
        '[]'
      ),
      'sender',
      json_build_object('id', o.id, 'username', o.username, 'displayNameAr', o.display_name_ar, 'displayNameEn', o.display_name_en, 'avatarUrl', o.avatar_url, 'isActive', o.is_active)
    )::text
  end as text
from
  seen
  join notes as n on n.id = seen.id
  join users as o on o.id = n.user_id;

-- readThread, twice
with
  note as materialized (
    select
      n.id,
      n.user_id,
      n.xmin as written,
      r.status,
      case
        when n.user_id = $1 then 'owner'
        when r.id is not null then 'recipient'
        when $2::boolean then 'admin'
      end as standing
    from
      notes as n
      left join note_recipients as r on r.note_id = n.id
      and r.recipient_id = $3
    where
      n.id = $4
  ),
  seen as materialized (
    select
      note.*,
      case
        when recipients.count + replies.count <= $5
        and replies.bytes <= $6 then concat_ws(
          ' ',
          standing,
          written,
          (
            select
              xmin
            from
              users
            where
              id = note.user_id
          ),
          versions,
          replies.count || '/' || last
        )
      end as version
    from
      note
      cross join lateral (
        select
          count(*),
          string_agg(
            concat_ws('.', r.id, r.written, u.xmin),
            ' '
            order by
              r.id
          ) as versions
        from
          (
            select
              id,
              xmin as written,
              recipient_id
            from
              note_recipients
            where
              note_id = note.id
              and (
                note.standing <> 'recipient'
                or recipient_id = $7
              )
            limit
              $8
          ) as r
          join users as u on u.id = r.recipient_id
      ) as recipients
      cross join lateral (
        select
          count(*),
          max(id) as last,
          coalesce(sum(octet_length(content)), 0) as bytes
        from
          (
            select
              id,
              content
            from
              note_replies
            where
              note_id = note.id
              and (
                note.standing <> 'recipient'
                or recipient_id = $9
              )
            limit
              $10
          ) as p
      ) as replies
    where
      standing is not null
  )
select
  standing,
  status,
  version
from
  seen;

-- writeThread, of a long thread, for its owner
select
  *
from
  (
    select
      *,
      count(*) over () as found,
      sum(length(text)) over (rows unbounded preceding) - length(text) as before
    from
      (
        select
          json_build_object(
            'id',
            r.id,
            'noteId',
            r.note_id,
            'recipientUserId',
            r.recipient_id,
            'status',
            r.status,
            'sentAt',
            to_char(r.sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'readAt',
            to_char(r.read_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'archivedAt',
            to_char(r.archived_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'recipient',
            json_build_object('id', u.id, 'username', u.username, 'displayNameAr', u.display_name_ar, 'displayNameEn', u.display_name_en, 'avatarUrl', u.avatar_url, 'isActive', u.is_active)
          )::text as text,
          r.id
        from
          (
            select
              *
            from
              note_recipients
            where
              note_id = $1
            offset
              0
          ) as r
          join users as u on u.id = r.recipient_id
        where
          true
        order by
          r.id
        limit
          $2
      ) as chosen
  ) as measured
where
  before < 524288;

-- writeThread, of a long thread, for its owner
select
  *
from
  (
    select
      *,
      count(*) over () as found,
      sum(length(text)) over (rows unbounded preceding) - length(text) as before
    from
      (
        select
          json_build_object(
            'id',
            p.id,
            'noteId',
            p.note_id,
            'senderUserId',
            case
              when p.is_from_owner then n.user_id
              else p.recipient_id
            end,
            'recipientUserId',
            case
              when p.is_from_owner then p.recipient_id
              else n.user_id
            end,
            'content',
            p.content,
            'createdAt',
            to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'sender',
            case
              when s.id is not null then json_build_object('id', s.id, 'username', s.username, 'displayNameAr', s.display_name_ar, 'displayNameEn', s.display_name_en, 'avatarUrl', s.avatar_url, 'isActive', s.is_active)
            end
          )::text as text,
          p.id
        from
          note_replies as p
          join notes as n on n.id = p.note_id
          left join users as s on s.id = case
            when p.is_from_owner then n.user_id
            else p.recipient_id
          end
        where
          p.note_id = $1
        order by
          p.id
        limit
          $2
      ) as chosen
  ) as measured
where
  before < 524288;

-- writeThread, of a long thread, for a recipient
select
  *
from
  (
    select
      *,
      count(*) over () as found,
      sum(length(text)) over (rows unbounded preceding) - length(text) as before
    from
      (
        select
          json_build_object(
            'id',
            r.id,
            'noteId',
            r.note_id,
            'recipientUserId',
            r.recipient_id,
            'status',
            r.status,
            'sentAt',
            to_char(r.sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'readAt',
            to_char(r.read_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'archivedAt',
            to_char(r.archived_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'recipient',
            json_build_object('id', u.id, 'username', u.username, 'displayNameAr', u.display_name_ar, 'displayNameEn', u.display_name_en, 'avatarUrl', u.avatar_url, 'isActive', u.is_active)
          )::text as text,
          r.id
        from
          (
            select
              *
            from
              note_recipients
            where
              note_id = $1
            offset
              0
          ) as r
          join users as u on u.id = r.recipient_id
        where
          true
          and "r"."recipient_id" = $2
        order by
          r.id
        limit
          $3
      ) as chosen
  ) as measured
where
  before < 524288;

-- writeThread, of a long thread, for a recipient
select
  *
from
  (
    select
      *,
      count(*) over () as found,
      sum(length(text)) over (rows unbounded preceding) - length(text) as before
    from
      (
        select
          json_build_object(
            'id',
            p.id,
            'noteId',
            p.note_id,
            'senderUserId',
            case
              when p.is_from_owner then n.user_id
              else p.recipient_id
            end,
            'recipientUserId',
            case
              when p.is_from_owner then p.recipient_id
              else n.user_id
            end,
            'content',
            p.content,
            'createdAt',
            to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'sender',
            case
              when s.id is not null then json_build_object('id', s.id, 'username', s.username, 'displayNameAr', s.display_name_ar, 'displayNameEn', s.display_name_en, 'avatarUrl', s.avatar_url, 'isActive', s.is_active)
            end
          )::text as text,
          p.id
        from
          note_replies as p
          join notes as n on n.id = p.note_id
          left join users as s on s.id = case
            when p.is_from_owner then n.user_id
            else p.recipient_id
          end
        where
          p.note_id = $1
          and "p"."recipient_id" = $2
        order by
          p.id
        limit
          $3
      ) as chosen
  ) as measured
where
  before < 524288;
