-- Forms with which services are ordered, and the answers of orders.

-- A version never changes and is never deleted before its service, so that old orders keep their labels.
create table service_forms (
  service_id int not null references services on delete cascade,
  version    int not null check (version between 1 and 1000),
  fields     jsonb not null,
  created_at timestamptz not null default now(),
  primary key (service_id, version)
);
create constraint trigger demand_change after insert or update or delete on service_forms
  deferrable initially deferred for each row execute function demand_change('service', 'service_id');
create trigger refuse_emptying before truncate on service_forms execute function refuse_emptying();

-- Every key that a form of the service ever had keeps its kind.
create table service_form_keys (
  service_id int not null references services on delete cascade,
  key        text not null,
  kind       text not null,
  primary key (service_id, key)
);
create constraint trigger demand_change after insert or update or delete on service_form_keys
  deferrable initially deferred for each row execute function demand_change('service', 'service_id');
create trigger refuse_emptying before truncate on service_form_keys execute function refuse_emptying();

-- Options that are sold out, as field.option.
alter table service_notices add off_options text[] not null default '{}';

-- The version of the form with which it was placed, and the answers by their keys; people in them with their names of that moment.
alter table order_details
  add form_version int,
  add answers      jsonb,
  add wanted_at    timestamptz;
