-- The orders in which lists are read that administrators add to, for parts of them.
create index on apps (sort_order, id);
create index on services (sort_order, id);
create index on service_categories (sort_order, id);
create index groups_named_ar on groups ((name collate "ar-x-icu"), id);
create index groups_named_en on groups ((name collate "en-x-icu"), id);
create index roles_named_ar on roles ((name collate "ar-x-icu"), id);
create index roles_named_en on roles ((name collate "en-x-icu"), id);
create index permissions_named_ar on permissions ((name collate "ar-x-icu"), id);
create index permissions_named_en on permissions ((name collate "en-x-icu"), id);
