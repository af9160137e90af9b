-- The source that provisions the people of a provider’s directory: a claim with their id there finds them. A source’s deletion writes the
-- null, with its record.
alter table sign_in_providers add column source_id int references provisioning_sources on delete set null;
