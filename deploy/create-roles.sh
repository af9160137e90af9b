#!/bin/sh
# Runs once, when the container makes its cluster: gives the database an ordinary role that owns it, and the portal one that owns nothing.
set -eu
psql --set ON_ERROR_STOP=1 --set owner="$OWNER_PASSWORD" --set portal="$PORTAL_PASSWORD" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
create role bawaba login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password :'owner';
create role bawaba_portal login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password :'portal';
create database bawaba owner bawaba;
SQL
