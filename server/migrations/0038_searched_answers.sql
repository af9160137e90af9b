-- The answers of orders as people read them, for searches: with the labels of options, and without ids.

create function answers_said(answers jsonb, fields jsonb) returns text language sql immutable as $$
  select portal_fold(string_agg(said.text, E'\n'))
  from jsonb_array_elements(fields) as field
    cross join lateral (select answers -> (field ->> 'key') as answer, field ->> 'kind' as kind) as given
    cross join lateral (
      select answer #>> '{}' where kind in ('text', 'paragraph', 'number', 'date')
      union all
      select unnest(array[answer ->> 'nameAr', answer ->> 'nameEn']) where kind = 'person'
      union all
      -- One that is chosen, among others or in a basket: `?` looks at a text, at the elements of a list and at keys alike.
      select unnest(array[option ->> 'key', option ->> 'ar', option ->> 'en'])
      from jsonb_array_elements(field -> 'options') as option where kind in ('choice', 'choices', 'items') and answer ? (option ->> 'key')
    ) as said (text)
$$;

alter table order_details add said text;
alter table order_details disable trigger demand_change;
update order_details as details set said = answers_said(answers, fields)
from orders join service_forms using (service_id)
where orders.id = details.order_id and version = form_version;
alter table order_details enable trigger demand_change;
